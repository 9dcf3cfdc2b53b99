import type { ModelState } from './model-state.ts';
import { indexOfAction } from './fixtures.ts';
import type { Scenario } from './scenarios.ts';
import type { ServerAction, ServerState } from './server-state.ts';
import { snapshotOf, type StoredSnapshot, type TerminalState } from './terminal-model.ts';

/** A state with both sides. */
interface Seen {
  state: ModelState;
  terminal: TerminalState;
  server: ServerState;
  /** Whether nothing is open any more. */
  settled: boolean;
  scenario: Scenario;
}

interface Property {
  name: string;
  sentence: string;
  /** Absent for what is found along the way: by a step, or from the whole graph. */
  holds?: (seen: Seen) => boolean;
}

const every = (holds: (action: ServerAction, seen: Seen) => boolean) => (seen: Seen) =>
  seen.server.actions.every((action) => holds(action, seen));

/** Returns the action of the server that a snapshot of the terminal is about. */
function actionOf({ server }: Seen, snapshot: StoredSnapshot): ServerAction | undefined {
  return server.actions[indexOfAction(snapshot.context.start.actionId)!];
}

/** Returns the snapshot of the terminal's action, on the run or in the journal. */
function heldBy({ terminal }: Seen): StoredSnapshot | undefined {
  const entry = terminal.host ? terminal.host.action : terminal.journal;
  return entry ? snapshotOf(entry) : undefined;
}

const ENDS: Record<string, string> = { succeeded: 'Succeeded', failed: 'Failed', cancelled: 'Cancelled' };

function isSuccess({ row, session }: ServerAction): boolean {
  return row.type === 'Payment' ? session.phase === 'captured' : session.refundedMinor > 0;
}

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
      ({ row, tally }) => row.receipt_source !== 'Terminal' || tally.captured === 0 || tally.completed,
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
        ENDS[last.value as string] === row.status &&
        (row.status !== 'Failed' || last.context.code === row.error_code)
      );
    },
  },
  {
    name: 'ownBankSettled',
    sentence:
      'In the end the own bank of a terminal has taken the money of exactly the actions that succeeded.',
    holds: ({ settled, terminal, server, scenario }) =>
      !settled ||
      scenario.card !== 'own bank' ||
      server.actions.every(
        ({ row }, index) => (row.status === 'Succeeded') === terminal.charged.includes(index),
      ),
  },
  {
    name: 'receiptKept',
    sentence: 'The server has the receipt of each captured payment that the terminal printed.',
    holds: every(
      ({ row, tally }) =>
        tally.captured === 0 || row.receipt_source === 'PointOfSale' || row.receipt !== null,
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
  { name: 'noFault', sentence: 'No step of the server throws: its rules allow what its machines ask for.' },
  { name: 'numbersCount', sentence: 'The server counts each command that it sends.' },
  {
    name: 'journalFirst',
    sentence: 'After each step the journal of the terminal holds the state that it is in.',
  },
  {
    name: 'waitsEnd',
    sentence: 'In each state that a terminal enters it waits no longer than a deadline that lies ahead.',
  },
  { name: 'asksAgain', sentence: 'A terminal that waits for a decision has a time at which it asks again.' },
  { name: 'timerActs', sentence: 'A timer of a terminal that fires changes its state or sends a message.' },
  {
    name: 'nothingStuck',
    sentence: 'From each state a run without further faults leads to an end that both sides know.',
  },
];
