import type { BodyOf, DeclaredMessage } from '../../../../protocol/message.ts';
import {
  ActionAbandoned,
  ActionAccepted,
  ActionCompleted,
  ActionUnsettled,
  AuthoriseAction,
  ReceiptReady,
  type ActionInquired,
  type Receipt,
} from '../../../../protocol/messages/action.messages.ts';
import { reasonText } from '../../../../protocol/reason.ts';
import type { Decision } from '../../../bank/issuer/issuer.ts';
import type { ActionEvent } from '../actions/action.machine.ts';
import type { ActionRow } from '../actions/action.records.ts';
import { isAtPaymentTerminal } from '../actions/action.rules.ts';
import { isSettled } from '../actions/settlement.rules.ts';

/** What the server does with a report that is not a repeat. */
export type ReportAnswer =
  /** The reason is beside the event, since the server keeps the steps of events. */
  | { type: 'applyEvent'; event: ActionEvent; receipt?: Receipt | undefined; reason?: string | undefined }
  | { type: 'authorise'; request: BodyOf<typeof AuthoriseAction> }
  | { type: 'saveReceipt'; receipt: Receipt; thenRepeat: boolean }
  /** An action that has ended may have been charged. */
  | { type: 'recordUnknown'; reason?: string | undefined }
  | { type: 'repeatCommands' };

const REPEAT: ReportAnswer = { type: 'repeatCommands' };

/** A report about an action of its terminal, and what the server does with it. */
interface AnsweredReport {
  message: DeclaredMessage;
  answer(action: ActionRow, body: unknown): ReportAnswer;
}

function report<M extends DeclaredMessage>(
  message: M,
  answer: (action: ActionRow, body: BodyOf<M>) => ReportAnswer,
): AnsweredReport {
  return { message, answer: (action, body) => answer(action, body as BodyOf<M>) };
}

/** A report that does not matter after the end of its action: the end is sent again. */
function reportInProgress<M extends DeclaredMessage>(
  message: M,
  answer: (action: ActionRow, body: BodyOf<M>) => ReportAnswer,
): AnsweredReport {
  return report(message, (action, body) => (action.status === 'InProgress' ? answer(action, body) : REPEAT));
}

function applyEvent(event: ActionEvent): ReportAnswer {
  return { type: 'applyEvent', event };
}

/** A late receipt is saved too: the money of a refund has moved even when its action timed out. */
function saveReceipt(receipt: Receipt, status: ActionRow['status']): ReportAnswer {
  return { type: 'saveReceipt', receipt, thenRepeat: status !== 'InProgress' };
}

/** The reports about an action of their terminal. */
export const ANSWERED_REPORTS: readonly AnsweredReport[] = [
  reportInProgress(ActionAccepted, () => applyEvent({ type: 'action.accepted' })),
  // A repeated request gets the stored decision; the issuer does not decide twice.
  reportInProgress(AuthoriseAction, (action, request) =>
    action.decision === null ? { type: 'authorise', request } : REPEAT,
  ),
  report(ReceiptReady, ({ status }, { receipt }) => saveReceipt(receipt, status)),
  // It has the receipt too, so a payment is not captured without one if the report of the receipt was lost.
  report(ActionCompleted, ({ status }, { failedCopies, receipt }) => {
    if (status === 'InProgress')
      return { type: 'applyEvent', event: { type: 'action.completed', failedCopies }, receipt };
    return receipt ? saveReceipt(receipt, status) : REPEAT;
  }),
  report(ActionUnsettled, (action, { outcome, reason }) => {
    const words = reason === undefined ? {} : { reason: reasonText(reason) };
    if (action.status === 'InProgress')
      return {
        ...applyEvent({ type: outcome === 'Unknown' ? 'outcome.unknown' : 'outcome.pending' }),
        ...words,
      };
    // It ended while the server did not know that its terminal may have charged.
    return outcome === 'Unknown' && !isSettled(action) ? { type: 'recordUnknown', ...words } : REPEAT;
  }),
  reportInProgress(ActionAbandoned, (_, { code, reason }) => ({
    ...applyEvent({ type: 'action.abandoned', code }),
    // Masked again: the terminal may run other firmware.
    ...(reason !== undefined && { reason: reasonText(reason) }),
  })),
];

/** Returns whether a report of an action was received before. */
export function isRepeat({ seen_seq: seen }: ActionRow, seq: number): boolean {
  return seq <= seen;
}

/** Returns the event of the issuer's decision. */
export function eventOf(decision: Decision): ActionEvent {
  return decision.outcome === 'approved'
    ? { type: 'issuer.approved' }
    : { type: 'issuer.declined', code: decision.code };
}

/** What the server does with an inquiry. */
type InquiryAnswer =
  | { type: 'repeatCommands'; action: ActionRow }
  | { type: 'endUnknownAction'; actionId: string }
  | { type: 'requestReport'; action: ActionRow }
  | { type: 'applyEvent'; action: ActionRow; event: ActionEvent; reason?: string };

/**
 * Returns what the server does with the inquiry of a terminal that has reconnected, in order (docs/protocol.md).
 * @param actions.inquired the action that the inquiry names, if it is one of the terminal
 * @param actions.current the action in progress on the terminal
 */
export function answersToInquiry(
  { inquired, current }: { inquired: ActionRow | undefined; current: ActionRow | undefined },
  { actionId, seq, requestedActionId }: BodyOf<typeof ActionInquired>,
): InquiryAnswer[] {
  const answers: InquiryAnswer[] = [];
  if (inquired) {
    const seen = { ...inquired, seen_seq: Math.max(inquired.seen_seq, seq) };
    answers.push({ type: 'repeatCommands', action: seen });
  } else if (actionId !== undefined) answers.push({ type: 'endUnknownAction', actionId });
  if (!current || current.id === actionId) return answers;
  if (current.phase === 'sent') return [...answers, { type: 'repeatCommands', action: current }];
  // An inquiry may be older than the action, as when a broker delivers it late or twice, so the terminal is asked.
  if (requestedActionId !== current.id) return [...answers, { type: 'requestReport', action: current }];
  // The terminal accepted this action and does not know it any more, so it cannot complete.
  return [...answers, { type: 'applyEvent', action: current, ...eventOfLost(current) }];
}

/** A payment terminal may have charged the card for an action that its terminal has lost: a person finds it out. */
function eventOfLost(action: ActionRow): { event: ActionEvent; reason?: string } {
  return isAtPaymentTerminal(action)
    ? { event: { type: 'outcome.unknown' }, reason: 'the terminal has lost its record of the action' }
    : { event: { type: 'action.abandoned', code: 'unexpected_error' } };
}
