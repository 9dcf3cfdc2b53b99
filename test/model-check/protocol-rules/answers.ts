import {
  ActionAbandoned,
  ActionAccepted,
  ActionCompleted,
  ActionUnsettled,
  AuthoriseAction,
  ReceiptReady,
} from '../../../protocol/messages/action.messages.ts';
import type { answersToInquiry, ReportAnswer } from '../../../server/api/in-person/reports/report-answers.ts';
import type { Packet } from '../network.ts';
import type { ServerAction } from '../server-state.ts';

/**
 * Whether the server answers a report as docs/protocol.md says: a decision is made once, a receipt is kept whenever it
 * comes, and after the end of the action the terminal gets what it may have missed.
 */
export function isAnswerRight(
  { row: { status, decision }, tally }: ServerAction,
  packet: Packet,
  answer: ReportAnswer,
): boolean {
  const { receipt, code, reason, failedCopies, outcome } = JSON.parse(packet.body) as Record<string, unknown>;
  const isOver = status !== 'InProgress';
  const event = 'event' in answer ? (answer.event as Record<string, unknown>) : {};
  if ((isOver || packet.name === ReceiptReady.name) && receipt)
    return answer.type === 'saveReceipt' && isSame(answer.receipt, receipt) && answer.thenRepeat === isOver;
  if (packet.name === ActionUnsettled.name && isOver) {
    // It may have charged for an action that has ended, unless a person has looked, or it was paid.
    const isOpen = outcome === 'Unknown' && status !== 'Succeeded' && !tally.settled;
    return isOpen
      ? answer.type === 'recordUnknown' && answer.reason === reason
      : answer.type === 'repeatCommands';
  }
  if (isOver) return answer.type === 'repeatCommands';
  switch (packet.name) {
    case ActionAccepted.name:
      return answer.type === 'applyEvent' && event['type'] === 'action.accepted';
    case AuthoriseAction.name:
      return answer.type === (decision === null ? 'authorise' : 'repeatCommands');
    case ActionCompleted.name:
      return (
        answer.type === 'applyEvent' &&
        event['type'] === 'action.completed' &&
        isSame(event['failedCopies'], failedCopies) &&
        isSame(answer.receipt, receipt)
      );
    case ActionUnsettled.name:
      return (
        answer.type === 'applyEvent' &&
        event['type'] === (outcome === 'Unknown' ? 'outcome.unknown' : 'outcome.pending') &&
        answer.reason === reason
      );
    case ActionAbandoned.name:
      return (
        answer.type === 'applyEvent' &&
        event['type'] === 'action.abandoned' &&
        event['code'] === code &&
        answer.reason === reason
      );
    default:
      return false;
  }
}

type Rows = Parameters<typeof answersToInquiry>[0];
type Inquiry = Parameters<typeof answersToInquiry>[1];

/** Whether the server answers an inquiry as docs/protocol.md says (The inquiry). */
export function areAnswersRight(
  { inquired, current }: Rows,
  { actionId, seq, requestedActionId }: Inquiry,
  answers: ReturnType<typeof answersToInquiry>,
): boolean {
  const expected: object[] = [];
  if (inquired)
    expected.push({
      type: 'repeatCommands',
      id: inquired.id,
      seen: Math.max(inquired.seen_seq, seq),
    });
  if (!inquired && actionId !== undefined) expected.push({ type: 'endUnknownAction', id: actionId });
  if (current && current.id !== actionId) {
    const { id, seen_seq: seen } = current;
    if (current.phase === 'sent') expected.push({ type: 'repeatCommands', id, seen });
    // An inquiry may be older than the action in progress, unless the terminal was asked for that action.
    else if (requestedActionId !== id) expected.push({ type: 'requestReport', id, seen });
    else
      expected.push({
        type: 'applyEvent',
        id,
        seen,
        ...(['atDevice', 'outcomeUnknown'].includes(current.phase)
          ? {
              event: { type: 'outcome.unknown' },
              reason: 'the terminal has lost its record of the action',
            }
          : { event: { type: 'action.abandoned', code: 'unexpected_error' } }),
      });
  }
  const given = answers.map((answer) =>
    answer.type === 'endUnknownAction'
      ? { type: answer.type, id: answer.actionId }
      : {
          type: answer.type,
          id: answer.action.id,
          seen: answer.action.seen_seq,
          ...(answer.type === 'applyEvent' && { event: answer.event }),
          ...('reason' in answer && { reason: answer.reason }),
        },
  );
  return isSame(given, expected);
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
