import {
  CancelAction,
  ConfirmReceipt,
  DecideAction,
  EndAction,
  RequestReport,
  StartAction,
} from '../../../protocol/messages/action.messages.ts';
import type { ActionEvent, Phase } from '../../../server/api/in-person/actions/action.machine.ts';
import type { StoredDecision, ActionRow } from '../../../server/api/in-person/actions/action.records.ts';
import { jsonText, parseJson } from '../../../server/platform/store/json-text.ts';
import { NOW_MS } from '../fixtures.ts';
import type { Packet } from '../network.ts';
import type { ServerAction } from '../server-state.ts';
import type { StepProperty } from '../step-properties.ts';

/** What the server does when an event of an action has come: docs/protocol.md and docs/choices/in-person.md. */
interface Outcome {
  phase: Phase;
  /** What happens to the money, by the names of the effects. */
  money?: string[];
  commands?: string[];
}

const [cancel, confirm, decide, end] = [
  CancelAction.name,
  ConfirmReceipt.name,
  DecideAction.name,
  EndAction.name,
];

const BEFORE_APPROVAL: readonly Phase[] = ['sent', 'awaitingCard'];
const AT_DEVICE: readonly Phase[] = ['atDevice', 'outcomeUnknown'];
const AFTER_APPROVAL: readonly Phase[] = ['printing', 'awaitingMerchantCopy', 'awaitingCustomerCopy'];

/** Returns what an event does to an action; undefined if it does not belong to its state. */
function outcomeOf(row: ActionRow, event: ActionEvent): Outcome | undefined {
  if (BEFORE_APPROVAL.includes(row.phase)) return beforeApproval(row, event) ?? atDevice(row, event);
  if (AT_DEVICE.includes(row.phase)) return atDevice(row, event);
  return AFTER_APPROVAL.includes(row.phase) ? afterApproval(row, event) : undefined;
}

function beforeApproval({ type, phase, receipt_source: source }: ActionRow, event: ActionEvent) {
  const isPayment = type === 'Payment';
  const outcomes: Partial<Record<ActionEvent['type'], Outcome>> = {
    'issuer.approved': {
      phase: source === 'PointOfSale' ? 'awaitingMerchantCopy' : 'printing',
      money: [isPayment ? 'approve' : 'refund'],
      commands: [decide],
    },
    'issuer.declined': {
      phase: 'failed',
      money: [isPayment ? 'decline' : 'failRefund'],
      commands: [decide, end],
    },
    'action.abandoned': { phase: 'failed', commands: [end] },
    'action.cancelled': { phase: 'cancelled', commands: [cancel, end] },
    'deadline.passed': { phase: 'failed', commands: [end] },
    ...(phase === 'sent' && { 'action.accepted': { phase: 'awaitingCard' } }),
  };
  return outcomes[event.type];
}

/** A request that a payment terminal has: its outcome ends it, or a person who found it out, and nothing else. */
function atDevice(row: ActionRow, event: ActionEvent): Outcome | undefined {
  const { type, phase } = row;
  const isUnknown = phase === 'outcomeUnknown';
  const outcomes: Partial<Record<ActionEvent['type'], Outcome>> = {
    ...(BEFORE_APPROVAL.includes(phase) && { 'outcome.pending': { phase: 'atDevice' } }),
    ...(!isUnknown && { 'outcome.unknown': { phase: 'outcomeUnknown' } }),
    ...(phase === 'atDevice' && { 'deadline.passed': { phase: 'outcomeUnknown' } }),
    ...(isUnknown && {
      'outcome.charged': {
        phase: 'succeeded',
        money: type === 'Payment' ? ['approve', 'capture'] : ['refund'],
        commands: [end],
      },
      'outcome.notCharged': { phase: 'failed', commands: [end] },
    }),
  };
  const byReport = ['issuer.approved', 'issuer.declined', 'action.abandoned'].includes(event.type);
  return byReport ? beforeApproval(row, event) : outcomes[event.type];
}

function afterApproval({ type, phase }: ActionRow, event: ActionEvent) {
  const isPayment = type === 'Payment';
  // The money of a refund has moved and is not taken back.
  const notCompleted: Outcome = isPayment
    ? { phase: 'failed', money: ['void'], commands: [end] }
    : { phase: 'succeeded', commands: [end] };
  const money = isPayment ? ['capture'] : [];
  const outcomes: Partial<Record<ActionEvent['type'], Outcome>> = {
    'action.abandoned': notCompleted,
    'deadline.passed': notCompleted,
    'action.cancelled': {
      ...notCompleted,
      phase: isPayment ? 'cancelled' : 'succeeded',
      commands: [cancel, end],
    },
    ...(phase === 'printing' && { 'action.completed': { phase: 'succeeded', money, commands: [end] } }),
    ...(phase === 'awaitingMerchantCopy' && {
      'merchantCopy.confirmed': { phase: 'awaitingCustomerCopy', commands: [confirm] },
      'merchantCopy.failed': notCompleted,
    }),
    ...(phase === 'awaitingCustomerCopy' && {
      'customerCopy.confirmed': { phase: 'succeeded', money, commands: [confirm, end] },
      'customerCopy.failed': notCompleted,
    }),
  };
  return outcomes[event.type];
}

const STATUSES: Record<Phase, ActionRow['status']> = {
  sent: 'InProgress',
  awaitingCard: 'InProgress',
  atDevice: 'InProgress',
  outcomeUnknown: 'InProgress',
  printing: 'InProgress',
  awaitingMerchantCopy: 'InProgress',
  awaitingCustomerCopy: 'InProgress',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** How long the server waits in each phase (docs/choices/in-person.md, Deadlines). */
const WAITS_MS: Record<Phase, number | null> = {
  sent: 10_000,
  awaitingCard: 240_000,
  atDevice: 300_000,
  outcomeUnknown: null,
  printing: 60_000,
  awaitingMerchantCopy: 60_000,
  awaitingCustomerCopy: 60_000,
  succeeded: null,
  failed: null,
  cancelled: null,
};

interface ServerMove {
  before: ActionRow;
  /** The same as before if the event has changed nothing. */
  after: ActionRow;
  event: ActionEvent;
  money: string[];
  sent: Packet[];
  /** The decision of the issuer that comes with the event. */
  storedDecision: StoredDecision | undefined;
  /** What the reader reported, which comes with the event. */
  reason: string | undefined;
}

/** Returns the names of the rules that the server breaks when an event of an action has come. */
export function brokenServerRules(move: ServerMove): string[] {
  const { before, after, event, money, sent, storedDecision, reason } = move;
  const outcome = outcomeOf(before, event);
  if (!outcome) return after === before && sent.length === 0 && money.length === 0 ? [] : ['ignoresForeign'];
  const waitMs = WAITS_MS[outcome.phase];
  const isOver = STATUSES[outcome.phase] !== 'InProgress';
  const rules: Partial<Record<StepProperty, boolean>> = {
    decidesRight: after.phase === outcome.phase && after.status === STATUSES[outcome.phase],
    movesMoney: money.join() === (outcome.money ?? []).join(),
    commandsInOrder: sent.map(({ name }) => name).join() === (outcome.commands ?? []).join(),
    commandsTrue: sent.every((packet) => isCommandTrue(after, packet, event)),
    copiesRight: copiesOf(before, after, event) === `${after.merchant_copy},${after.customer_copy}`,
    waitsAsLong:
      after.deadline_ms === (waitMs === null ? null : NOW_MS + waitMs) &&
      after.completed_ms === (isOver ? NOW_MS : null),
    keepsDecision: after.decision === (storedDecision ? jsonText(storedDecision) : before.decision),
    keepsReason:
      after.error_reason ===
      (after.error_code === null && after.phase !== 'outcomeUnknown' ? null : (reason ?? null)),
    keepsRow: textOfRest(before) === textOfRest(after),
  };
  return Object.entries(rules).flatMap(([name, holds]) => (holds ? [] : [name]));
}

/** Returns what must be known of both copies after an event: a copy that was not confirmed has failed at the end. */
function copiesOf(before: ActionRow, after: ActionRow, event: ActionEvent): string {
  let [merchant, customer] = [before.merchant_copy, before.customer_copy];
  if (event.type === 'issuer.approved' && before.receipt_source === 'PointOfSale') merchant = 'Required';
  if (event.type === 'merchantCopy.confirmed') [merchant, customer] = ['Succeeded', 'Required'];
  if (event.type === 'customerCopy.confirmed') customer = 'Succeeded';
  if (event.type === 'action.completed') {
    if (event.failedCopies.includes('merchantCopy')) merchant = 'Failed';
    if (event.failedCopies.includes('customerCopy')) customer = 'Failed';
  }
  const failed = (copy: typeof merchant) =>
    copy === 'Required' && after.status !== 'InProgress' ? 'Failed' : copy;
  return `${failed(merchant)},${failed(customer)}`;
}

/** What no event changes. */
function textOfRest(row: ActionRow): string {
  const {
    status: _status,
    phase: _phase,
    merchant_copy: _merchant,
    customer_copy: _customer,
    error_code: _code,
    error_reason: _reason,
    decision: _decision,
    deadline_ms: _deadline,
    completed_ms: _completed,
    sent_seq: _sent,
    ...rest
  } = row;
  return JSON.stringify(rest);
}

/** Whether a command says what the server has recorded. */
function isCommandTrue(row: ActionRow, { name, body }: Packet, event?: ActionEvent): boolean {
  const sent = JSON.parse(body) as Record<string, unknown>;
  switch (name) {
    case DecideAction.name: {
      const { decision, chip } = parseJson(row.decision!);
      return JSON.stringify(sent) === JSON.stringify({ ...decision, ...(chip && { chip }) });
    }
    case EndAction.name:
      return sent['status'] === row.status && (sent['code'] ?? null) === row.error_code;
    case ConfirmReceipt.name:
      return sent['status'] === 'Succeeded' && (!event || `${String(sent['copy'])}.confirmed` === event.type);
    default:
      return true;
  }
}

/** Returns the commands that the server repeats, since the terminal may have missed them, with their content. */
function repeatedFor({ row, tally }: ServerAction, requestReport: boolean): string[] {
  const confirmed = (copy: 'merchantCopy' | 'customerCopy') =>
    row.receipt_source === 'PointOfSale' &&
    row[copy === 'merchantCopy' ? 'merchant_copy' : 'customer_copy'] === 'Succeeded';
  return [
    ...(row.phase === 'sent' ? [StartAction.name] : []),
    // What a person has settled no issuer has decided.
    ...(row.decision === null || tally.settled ? [] : [decide]),
    ...(confirmed('merchantCopy') ? [`${confirm} merchantCopy`] : []),
    ...(confirmed('customerCopy') ? [`${confirm} customerCopy`] : []),
    ...(row.status === 'InProgress' ? [] : [end]),
    ...(row.status === 'InProgress' && row.phase !== 'sent' && requestReport ? [RequestReport.name] : []),
  ];
}

/** Whether the server has repeated what a terminal may have missed, and nothing else. */
export function isRepeatRight(
  action: ServerAction,
  sent: readonly Packet[],
  requestReport: boolean,
): boolean {
  const names = sent.map(({ name, body }) => {
    const { copy } = JSON.parse(body) as { copy?: string };
    return copy ? `${name} ${copy}` : name;
  });
  return (
    names.join() === repeatedFor(action, requestReport).join() &&
    sent.every((packet) => isCommandTrue(action.row, packet))
  );
}

type CopyResult = { status: 'Succeeded' | 'Failed' } | undefined;

/**
 * Whether a confirmation is refused exactly if a copy is not required, or none is named, and has an event for each copy
 * otherwise, the merchant copy first. Both may be confirmed at once while the merchant copy is required.
 */
export function isConfirmationRight(
  { merchant_copy: merchant, customer_copy: customer }: ActionRow,
  { merchantCopy, customerCopy }: { merchantCopy?: CopyResult; customerCopy?: CopyResult },
  events: readonly ActionEvent[] | undefined,
): boolean {
  const isOpen = merchantCopy ? merchant === 'Required' : customerCopy && customer === 'Required';
  if (!isOpen) return events === undefined;
  const expected = Object.entries({ merchantCopy, customerCopy }).flatMap(([copy, result]) =>
    result ? [`${copy}.${result.status === 'Succeeded' ? 'confirmed' : 'failed'}`] : [],
  );
  return events?.map(({ type }) => type).join() === expected.join();
}

/** Whether the message that starts an action has what the point of sale has asked for, and when it expires. */
export function isStartTrue(
  row: ActionRow,
  sent: readonly Packet[],
  cardholder: string | undefined,
): boolean {
  const expected = {
    type: row.type,
    paymentSessionId: row.session_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    receiptPrintingSource: row.receipt_source,
    expiresAtMs: row.deadline_ms,
    presentCardMs: 120_000,
    merchantName: 'Shop',
    ...(cardholder && { cardholder }),
  };
  return (
    sent.length === 1 && sent[0]!.name === StartAction.name && sent[0]!.body === JSON.stringify(expected)
  );
}
