import {
  ActionAbandoned,
  ActionAccepted,
  ActionCompleted,
  ActionInquired,
  ActionUnsettled,
  AuthoriseAction,
  ReceiptReady,
} from '../../../protocol/messages/action.messages.ts';
import type { Packet } from '../network.ts';
import { hasPowerReturned, printing } from './next-state.ts';
import { AT_DEVICE, BEFORE_ISSUER, type TerminalMove } from './terminal-move.ts';

const [accepted, authorise, ready, completed, abandoned, inquired, unsettled] = [
  ActionAccepted.name,
  AuthoriseAction.name,
  ReceiptReady.name,
  ActionCompleted.name,
  ActionAbandoned.name,
  ActionInquired.name,
  ActionUnsettled.name,
];

/** Returns the names of the reports that a terminal sends in a step, in order (docs/protocol.md). */
export function reportsOf(move: TerminalMove): string[] {
  if (!move.states.after.online) return [];
  const last = move.gap && move.states.after.host!.action ? [inquired, ...repeatedIn(move.to!)] : [];
  return [...reportsOfEvent(move), ...last];
}

function reportsOfEvent(move: TerminalMove): string[] {
  const { event, from, to } = move;
  switch (event) {
    case 'start':
      return [accepted];
    case 'repeatedStart':
      return from === 'authorising' || isGivenUp(from!) || AT_DEVICE.test(from!)
        ? repeatedIn(from!)
        : [accepted];
    case 'retry':
    case 'authorisation.overdue':
      return from === 'authorising' ? [authorise] : [];
    case 'inquiry.sent':
      return repeatedIn(from!);
    case 'online':
      return [
        inquired,
        ...(from ? repeatedIn(from) : []),
        ...(move.wasDormant ? reportsOnEntry(from, to) : []),
      ];
    case 'reportRequest':
    case 'startTooEarly':
      return [inquired, ...repeatedIn(from!)];
    case 'deadline':
      return asksServer(from!) ? [inquired, ...repeatedIn(from!)] : reportsOnEntry(from, to);
    case 'device.unknown':
      return AT_DEVICE.test(from!) ? [unsettled] : [];
    default:
      return reportsOnEntry(from, to);
  }
}

/** Whether a terminal that has waited too long in a state inquires, since only the server can end the action. */
export function asksServer(from: string): boolean {
  const isWaiting = /^(approved\..*|abandoning|reversing|declined|cancelling|outcomeUnknown)$/.test(from);
  return isWaiting && !printing(from);
}

/** The reports of a state that are sent again after an inquiry: what the server may have missed. */
function repeatedIn(path: string): string[] {
  if (BEFORE_ISSUER.test(path)) return [accepted];
  if (path === 'atDevice') return [accepted, unsettled];
  if (path === 'outcomeUnknown') return [unsettled];
  if (path === 'authorising') return [accepted, authorise];
  if (path === 'approved.completing') return [ready, completed];
  if (path.startsWith('approved.')) return [ready];
  return isGivenUp(path) ? [abandoned] : [];
}

function reportsOnEntry(from: string | null, to: string | null): string[] {
  if (from === to || !to) return [];
  if (to === 'authorising') return [authorise];
  if (AT_DEVICE.test(to)) return [unsettled];
  if (isGivenUp(to)) return [abandoned];
  if (to.startsWith('approved.') && !from?.startsWith('approved.')) return [ready];
  return to === 'approved.completing' ? [completed] : [];
}

function isGivenUp(path: string): boolean {
  return path === 'abandoning' || path === 'reversing';
}

/** Returns what the reader, the printer and the bank of a device are asked to do in a step, besides that the reader stops. */
export function tasksOf(move: TerminalMove): string[] {
  const { event, from, to, states } = move;
  const start = ['starts the reader', 'looks for a card'];
  if (event === 'start') return start;
  const hasReturned = hasPowerReturned(move);
  if (from && BEFORE_ISSUER.test(from) && hasReturned) return start;
  // It may have got the request before the power was cut, so it gets it in no case again.
  if (from && AT_DEVICE.test(from) && hasReturned) return ['starts the reader', 'asks for the outcome'];
  if (to === 'awaitingCard' && /^card\.(unreadable|removed)$/.test(event) && isCounted(move))
    return ['looks for a card'];
  // A cancel has crossed the request: a person has to look, and the reader says so as it stops.
  if (from === 'cancelling' && hasReturned && move.before!.openAtDevice)
    return ['starts the reader', 'asks for the outcome'];
  const isEntered = from !== to || hasReturned;
  const copy = printing(to);
  if (copy && isEntered) return [`prints the ${copy}`];
  if (to?.startsWith('reversingAtDevice') && (isEntered || event === 'deadline'))
    return ['reverses at the device'];
  // After a power cut the reader has no card any more.
  const hasReader = states.before.reader !== 'off' || event.includes('.');
  return isEntered && hasReader ? tasksOfCard(move) : [];
}

function isCounted({ before, after }: TerminalMove): boolean {
  return before!.unreadableCards !== after!.unreadableCards;
}

function tasksOfCard({ from, to, before, detail }: TerminalMove): string[] {
  const response = detail['chip'] as { emv?: string } | undefined;
  const withResponse = response?.emv ? `, ${response.emv}` : '';
  if (to === 'atDevice') return ['sends the request'];
  if (to === 'awaitingPin') return ['asks for the PIN'];
  if (to === 'verifyingPin') return ['verifies the PIN'];
  if (to === 'completingCard') return [`completes the card: approved${withResponse}`];
  const chip = before?.chip as { awaitsAnswer: boolean } | null | undefined;
  return from === 'authorising' && to === 'declined' && chip?.awaitsAnswer
    ? [`completes the card: declined${withResponse}`]
    : [];
}

/** Returns the reports that were sent in a step. */
export function sentIn({ trace }: TerminalMove): Packet[] {
  return trace.flatMap((item) => ('sent' in item ? [item.sent] : []));
}
