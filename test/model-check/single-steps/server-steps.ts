import {
  ActionAbandoned,
  ActionAccepted,
  ActionCompleted,
  ActionInquired,
  ActionUnsettled,
  AuthoriseAction,
  ReceiptReady,
} from '../../../protocol/messages/action.messages.ts';
import type { ActionEvent } from '../../../server/api/in-person/actions/action.machine.ts';
import { isAtPaymentTerminal } from '../../../server/api/in-person/actions/action.rules.ts';
import { CHIP, INSERTED_CARD, TAPPED_CARD } from '../fixtures.ts';
import type { Packet } from '../network.ts';
import { brokenByServer } from '../properties.ts';
import type { Scenario } from '../scenarios.ts';
import { stepServer, type ServerInput } from '../server-model.ts';
import { currentAction, type ServerState } from '../server-state.ts';

const RECEIPT = {
  merchantCopy: 'for the merchant',
  customerCopy: 'for the customer',
  fields: { ApprovalCode: 'A1B2C3', CardholderVerification: 'None' },
};
const REQUEST = { card: TAPPED_CARD, verification: 'None' };

/** Every report of a terminal, in any state. */
const REPORTS: readonly (readonly [string, object])[] = [
  [ActionAccepted.name, {}],
  [AuthoriseAction.name, REQUEST],
  [AuthoriseAction.name, { card: INSERTED_CARD, verification: 'None', chip: CHIP.request }],
  [ReceiptReady.name, { receipt: RECEIPT }],
  [ActionCompleted.name, { failedCopies: [] }],
  [ActionCompleted.name, { failedCopies: [], receipt: RECEIPT }],
  [ActionCompleted.name, { failedCopies: ['merchantCopy'], receipt: RECEIPT }],
  [ActionCompleted.name, { failedCopies: ['customerCopy'], receipt: RECEIPT }],
  [ActionUnsettled.name, { outcome: 'Pending' }],
  [ActionUnsettled.name, { outcome: 'Unknown' }],
  [ActionUnsettled.name, { outcome: 'Unknown', reason: 'no answer' }],
  [ActionAbandoned.name, { code: 'timeout' }],
  [ActionAbandoned.name, { code: 'unexpected_error' }],
  [ActionAbandoned.name, { code: 'unexpected_error', reason: 'broken' }],
];

/** Events of the machine that come from other rules, which hold back what does not belong to the state. */
const EVENTS: readonly ActionEvent[] = [
  { type: 'merchantCopy.confirmed' },
  { type: 'merchantCopy.failed' },
  { type: 'customerCopy.confirmed' },
  { type: 'customerCopy.failed' },
];
/** What a person says of an outcome, where it is not unknown. */
const OUTCOMES: readonly ActionEvent[] = [{ type: 'outcome.charged' }, { type: 'outcome.notCharged' }];
/** A cancel, where it is refused. */
const CANCELLED: ActionEvent = { type: 'action.cancelled' };
/** Decisions of the issuer, where it is not asked any more. */
const DECISIONS: readonly ActionEvent[] = [
  { type: 'issuer.approved' },
  { type: 'issuer.declined', code: 'insufficient_funds' },
];

const SUCCEEDED = { status: 'Succeeded' } as const;
const FAILED = { status: 'Failed' } as const;

/** Returns everything that could happen next to a server, whether it belongs to the state of its action or not. */
export function inputsToServer(state: ServerState): ServerInput[] {
  const { actions } = state;
  const reports = actions.flatMap(({ row }, action) =>
    [row.seen_seq, row.seen_seq + 1, row.seen_seq + 3].flatMap((seq) => reportsOf(action, Math.max(seq, 1))),
  );
  const current = currentAction(state);
  const requested = current ? { requestedActionId: current.row.id } : {};
  const unknown = [
    packetOf(ActionInquired.name, null, 1),
    packetOf(ActionInquired.name, null, 1, requested),
    packetOf(ActionInquired.name, actions.length, 1),
    packetOf(ActionInquired.name, actions.length, 1, requested),
    packetOf(ActionAccepted.name, actions.length, 1),
  ];
  const ownInputs: ServerInput[] = [
    ...[
      ...EVENTS,
      ...(current?.row.decision ? DECISIONS : []),
      ...(current?.row.phase === 'outcomeUnknown' ? [] : OUTCOMES),
      ...(current && isAtPaymentTerminal(current.row) ? [CANCELLED] : []),
    ].map((event) => ({ type: 'event', event }) as const),
    { type: 'settle', outcome: 'Charged' },
    { type: 'settle', outcome: 'NotCharged' },
    { type: 'deadline' },
    { type: 'cancel' },
    ...[undefined, SUCCEEDED, FAILED].flatMap((merchantCopy) =>
      [undefined, SUCCEEDED, FAILED].map((customerCopy): ServerInput => ({
        type: 'confirm',
        confirmation: { ...(merchantCopy && { merchantCopy }), ...(customerCopy && { customerCopy }) },
      })),
    ),
  ];
  const starts: ServerInput[] = [
    { type: 'start' },
    { type: 'start', cardholder: 'walkAway' },
    { type: 'start', cardholder: 'pressCancel' },
  ];
  return [
    { type: 'connect' },
    ...[...reports, ...unknown].flatMap((packet) =>
      (['approved', 'declined'] as const).map((outcome): ServerInput => ({
        type: 'report',
        packet,
        outcome,
      })),
    ),
    ...(currentAction(state) ? ownInputs : actions.length < 2 ? starts : []),
  ];
}

function reportsOf(action: number, seq: number): Packet[] {
  return [
    packetOf(ActionInquired.name, action, seq),
    ...REPORTS.map(([name, body]) => packetOf(name, action, seq, body)),
  ];
}

function packetOf(name: string, action: number | null, seq: number, body: object = {}): Packet {
  return { name, action, seq, body: JSON.stringify(body) };
}

/** The same server after some messages in each direction. */
export function numbered({ actions }: ServerState): ServerState {
  return {
    actions: actions.map((action) => ({ ...action, row: { ...action.row, sent_seq: 3, seen_seq: 3 } })),
  };
}

/** Takes a step of the server by itself; returns the properties that it breaks. */
export function brokenServerStep(state: ServerState, input: ServerInput, scenario: Scenario): string[] {
  const { after, broken } = stepServer(state, input, scenario);
  return [...broken, ...brokenByServer(after, scenario)];
}
