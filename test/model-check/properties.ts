import type { ReaderState } from './fixtures.ts';
import { PROPERTIES_OF_DEVICES } from './payment-terminal-properties.ts';
import type { Scenario } from './scenarios.ts';
import type { Phase } from '../../server/api/in-person/actions/action.machine.ts';
import { parseJson } from '../../server/platform/store/json-text.ts';
import { currentAction, type ServerAction, type ServerState } from './server-state.ts';
import { actionOf, every, heldBy, type Property, type Seen } from './seen.ts';
import { PROPERTIES_OF_STEPS } from './step-properties.ts';
import { pathOf, snapshotOf, type StoredSnapshot } from './terminal-model.ts';

function isSuccess({ row, session }: ServerAction): boolean {
  return row.type === 'Payment' ? session.phase === 'captured' : session.refundedMinor > 0;
}

/** The states of a terminal in each phase of the server, when no message is on its way. */
const TOGETHER: Record<Phase, RegExp> = {
  sent: /^(?!)/,
  awaitingCard: /^(awaitingCard|reading|awaitingPin|verifyingPin)$/,
  atDevice: /^atDevice$/,
  outcomeUnknown: /^(atDevice|outcomeUnknown)$/,
  printing: /^(completingCard|approved\.printing\..*)$/,
  awaitingMerchantCopy: /^(completingCard|approved\.awaitingMerchantReceipt)$/,
  awaitingCustomerCopy: /^approved\.awaitingCustomerReceipt$/,
  succeeded: /^(?!)/,
  failed: /^reversingAtDevice\.failed$/,
  cancelled: /^reversingAtDevice\.cancelled$/,
};

/** The states of a terminal in which it has not given up. */
const GOES_ON =
  /^(awaitingCard|atDevice|outcomeUnknown|reading|awaitingPin|verifyingPin|authorising|completingCard|approved\..*)$/;

/** What the reader may do in states of a terminal that wait for it. */
const READERS: Record<string, ReaderState[]> = {
  awaitingCard: ['looking'],
  reading: ['looking', 'found'],
  awaitingPin: ['awaitingPin'],
  verifyingPin: ['verifyingPin'],
  atDevice: ['busy'],
  outcomeUnknown: ['busy', 'overdue', 'asking', 'done'],
  // After a power cut the card is not there any more.
  completingCard: ['completing', 'off'],
};

const VERIFICATIONS: Record<Scenario['card'], string[]> = {
  tapped: ['None'],
  inserted: ['None', 'OfflinePin', 'PinFailed'],
  'own bank': ['OnDevice'],
  'device alone': ['OnDevice'],
};

/** What has to hold, each with the sentence that says it. */
export const PROPERTIES: readonly Property[] = [
  {
    name: 'authorisedOnce',
    sentence: 'The issuer is asked at most once for an action, and approves at most once.',
    holds: every(({ tally }) => tally.asked <= 1 && tally.authorised <= 1),
  },
  {
    name: 'movedOnce',
    sentence:
      'The money of an action is captured or refunded at most once, and never both captured and voided.',
    holds: every(({ tally }) => tally.captured + tally.voided <= 1 && tally.refunded <= 1),
  },
  {
    name: 'moneyAsStatus',
    sentence:
      'An action that has ended is Succeeded exactly if its money has moved, and no approval is left without a capture or a void.',
    holds: every((action) => {
      const { row, session } = action;
      if (row.status === 'InProgress') return row.type === 'Refund' || session.phase !== 'captured';
      return (row.status === 'Succeeded') === isSuccess(action) && session.phase !== 'approved';
    }),
  },
  {
    name: 'cancelKept',
    sentence:
      'A cancel that was accepted before the money of a refund had moved ends as Cancelled, and takes no money.',
    holds: every(
      (action) => !action.tally.cancelled || (action.row.status === 'Cancelled' && !isSuccess(action)),
    ),
  },
  {
    name: 'approvalFromIssuer',
    sentence:
      'A terminal shows an approval, and prints receipts, only for an action that the issuer has approved.',
    holds: (seen) => {
      const snapshot = heldBy(seen);
      if (!snapshot || typeof snapshot.value !== 'object') return true;
      const isApproved = Object.hasOwn(snapshot.value as object, 'approved');
      return !isApproved || actionOf(seen, snapshot)!.row.decision?.includes('"approved"') === true;
    },
  },
  {
    name: 'printedFirst',
    sentence:
      'A payment with receipts of the terminal is captured only after the terminal has reported that it printed.',
    holds: every(
      ({ row, tally }) =>
        row.receipt_source !== 'Terminal' || tally.captured === 0 || tally.completed || tally.settled,
    ),
  },
  {
    name: 'confirmedFirst',
    sentence:
      'A payment with receipts of the point of sale is captured only after both copies were confirmed, the merchant copy first.',
    holds: every(
      ({ row, tally }) =>
        row.receipt_source !== 'PointOfSale' ||
        tally.captured === 0 ||
        tally.settled ||
        (tally.confirmed.join() === 'merchantCopy.confirmed,customerCopy.confirmed' &&
          row.merchant_copy === 'Succeeded' &&
          row.customer_copy === 'Succeeded'),
    ),
  },
  {
    name: 'copiesDecided',
    sentence: 'When an action has ended, none of its receipt copies waits for a confirmation.',
    holds: every(
      ({ row }) =>
        row.status === 'InProgress' || (row.merchant_copy !== 'Required' && row.customer_copy !== 'Required'),
    ),
  },
  {
    name: 'agreement',
    sentence:
      'In the end terminal and server say the same of the last action: its status, and the code of a failure.',
    holds: (seen) => {
      const last = seen.terminal.host?.lastSnapshot as StoredSnapshot | null | undefined;
      if (!seen.settled || !last || last.status !== 'done') return true;
      const { row } = actionOf(seen, last)!;
      return (
        seen.terminal.shown === row.status &&
        (row.status !== 'Failed' || last.context.code === row.error_code)
      );
    },
  },
  {
    name: 'receiptKept',
    sentence: 'The server has the receipt of each captured payment that the terminal printed.',
    holds: every(
      ({ row, tally }) =>
        tally.captured === 0 || row.receipt_source === 'PointOfSale' || row.receipt !== null || tally.settled,
    ),
  },
  {
    name: 'devicesReleased',
    sentence: 'In the end the reader is off and the journal is empty.',
    holds: ({ settled, terminal }) => !settled || (terminal.reader === 'off' && terminal.journal === null),
  },
  {
    name: 'chipDataForgotten',
    sentence: 'A terminal keeps chip data only until the issuer has decided or is not asked any more.',
    holds: (seen) => {
      const snapshot = heldBy(seen);
      return (
        !snapshot ||
        snapshot.context.chip === null ||
        ['awaitingPin', 'verifyingPin', 'authorising'].includes(snapshot.value as string)
      );
    },
  },
  {
    name: 'statusShown',
    sentence: 'A terminal shows the end of an action only if it has come at the server.',
    holds: (seen) => {
      const { shown } = seen.terminal;
      const snapshot = heldBy(seen);
      if (!snapshot || shown === null || shown === 'InProgress') return true;
      const { row } = actionOf(seen, snapshot)!;
      // The money of a refund stays moved, also after its terminal has received the cancel.
      return (
        row.status === shown || (row.type === 'Refund' && shown === 'Cancelled' && row.status === 'Succeeded')
      );
    },
  },
  {
    name: 'fewMessages',
    sentence: 'At most forty messages are on their way in one direction.',
    holds: ({ state }) => [state.toTerminal, state.toServer].every(({ queue }) => queue.length <= 40),
  },
  {
    name: 'inStep',
    sentence:
      'When all messages have arrived, terminal and server are in states of an action that belong together, after a fault once the terminal has inquired.',
    holds: (seen) => {
      const { state, terminal, server, quiet } = seen;
      if (!quiet || !state.inStep || terminal.host?.isDormant) return true;
      const snapshot = heldBy(seen);
      const action = snapshot ? actionOf(seen, snapshot) : undefined;
      const current = currentAction(server);
      if (current && current !== action) return false;
      return !action || TOGETHER[action.row.phase].test(pathOf(snapshot!.value));
    },
  },
  {
    name: 'keptWhileHeld',
    sentence: 'The server ends no action as lost that its terminal has and goes on with.',
    holds: (seen) => {
      const snapshot = heldBy(seen);
      const action = snapshot && actionOf(seen, snapshot);
      const row = action?.row;
      const goesOn = snapshot && GOES_ON.test(pathOf(snapshot.value));
      return (
        !goesOn || action?.tally.settled || row?.status !== 'Failed' || row.error_code !== 'unexpected_error'
      );
    },
  },
  {
    name: 'devicesInStep',
    sentence: 'Reader and printer of a terminal do what the state of its action waits for.',
    holds: ({ terminal: { host, reader, printing } }) => {
      if (!host?.action || host.isDormant) return true;
      const path = pathOf(snapshotOf(host.action).value);
      const copy = /^approved\.printing\.(.*)$/.exec(path)?.[1];
      const isPrinting = !copy || printing.some((each) => each === copy);
      return isPrinting && (!Object.hasOwn(READERS, path) || READERS[path]!.includes(reader));
    },
  },
  {
    name: 'cardForgotten',
    sentence: 'A terminal that waits for a card has no data of an earlier one.',
    holds: (seen) => {
      const snapshot = heldBy(seen);
      if (snapshot?.value !== 'awaitingCard') return true;
      const { card, chip, pinTriesLeft } = snapshot.context;
      return card === null && chip === null && pinTriesLeft === null;
    },
  },
  {
    name: 'receiptTrue',
    sentence: 'A receipt has the code of the approval and how the cardholder was verified.',
    holds: every(({ row }, { scenario }) => {
      if (row.receipt === null) return true;
      const { fields } = parseJson(row.receipt) as { fields: Record<string, string> };
      return (
        fields['ApprovalCode'] === 'A1B2C3' &&
        VERIFICATIONS[scenario.card].includes(fields['CardholderVerification']!)
      );
    }),
  },
  ...PROPERTIES_OF_DEVICES,
  ...PROPERTIES_OF_STEPS,
];

/** Properties that only the server's side is needed for. */
const OF_SERVER = new Set([
  'authorisedOnce',
  'movedOnce',
  'moneyAsStatus',
  'cancelKept',
  'printedFirst',
  'confirmedFirst',
  'copiesDecided',
]);

/** Returns the names of the properties that a state of the server does not keep, whatever its terminal is doing. */
export function brokenByServer(server: ServerState, scenario: Scenario): string[] {
  const seen = { server, scenario } as Seen;
  return PROPERTIES.flatMap(({ name, holds }) => (OF_SERVER.has(name) && !holds!(seen) ? [name] : []));
}
