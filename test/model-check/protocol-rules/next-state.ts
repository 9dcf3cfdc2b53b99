import { AT_DEVICE, BEFORE_ISSUER, type StoredContext, type TerminalMove } from './terminal-move.ts';

/** The codes with which a terminal gives up, by the event. */
const REASONS: Record<string, string> = {
  'cancel.pressed': 'cancelled_on_terminal',
  'reader.failed': 'unexpected_error',
  'card.declined': 'card_declined',
  'card.refused': 'card_declined',
  deadline: 'timeout',
};
/** An action is given up with the third card that cannot be read. */
const LAST_CARD = 2;

/** Returns the code with which a terminal must give up; undefined if it must not. */
export function reasonToGiveUp(move: TerminalMove): string | undefined {
  const { from, event, before } = move;
  if (!from || !before) return undefined;
  if (BEFORE_ISSUER.test(from)) {
    if (isUnreadable(move)) return before.unreadableCards >= LAST_CARD ? 'bad_track_data' : undefined;
    if (event === 'device.declined') return readsCard(from) ? 'card_declined' : undefined;
    return event === 'card.refused' ? undefined : REASONS[event];
  }
  if (AT_DEVICE.test(from)) return giveUpAtDevice(event);
  if (from === 'authorising')
    return event === 'deadline' || event === 'reader.failed' ? REASONS[event] : undefined;
  if (from === 'completingCard') {
    // Whether the card has completed is not known after a power cut.
    if (hasPowerReturned(move)) return 'unexpected_error';
    if (event === 'card.removed') return 'card_declined';
    return /^(card\.refused|reader\.failed|deadline)$/.test(event) ? REASONS[event] : undefined;
  }
  return from.startsWith('approved.') && event === 'reader.failed' ? 'unexpected_error' : undefined;
}

/** Only the payment terminal ends what it has: neither a time-out nor a power cut does. */
function giveUpAtDevice(event: string): string | undefined {
  if (event === 'device.declined') return 'card_declined';
  return event === 'cancel.pressed' || event === 'reader.failed' ? REASONS[event] : undefined;
}

function readsCard(from: string): boolean {
  return from === 'awaitingCard' || from === 'reading';
}

/** Whether a card could not be read: also one that was taken away too early. A tapped card is not needed for a PIN. */
export function isUnreadable({ from, event, before }: TerminalMove): boolean {
  if (!from || !BEFORE_ISSUER.test(from)) return false;
  if (event === 'card.unreadable') return true;
  if (event !== 'card.removed' || from === 'awaitingCard') return false;
  return from === 'reading' || before!.card?.entryMode === 'Contact';
}

/** Whether a terminal continues an action after a power cut. */
export function hasPowerReturned({ event, wasDormant }: TerminalMove): boolean {
  return event === 'power.returned' || (event === 'online' && wasDormant);
}

/**
 * Returns the state to which docs/protocol.md leads from a state, which may be the same; undefined for an event that does
 * not belong to the state, and for an event without an action.
 */
export function nextState(move: TerminalMove): string | undefined {
  const { from, event, before } = move;
  if (event === 'start') return 'awaitingCard';
  if (!from || !before) return undefined;
  if (reasonToGiveUp(move))
    return BEFORE_ISSUER.test(from) || AT_DEVICE.test(from) ? 'abandoning' : 'reversing';
  if (from === 'atDevice' && (hasPowerReturned(move) || event === 'deadline')) return 'outcomeUnknown';
  if (hasPowerReturned(move)) return BEFORE_ISSUER.test(from) ? 'awaitingCard' : from;
  if (/^(repeatedStart|reportRequest|startTooEarly|online|inquiry\.sent|deadline|retry)$/.test(event))
    return printing(from) && event === 'deadline' ? afterCopy(from) : from;
  return withCard(move) ?? withDecision(move) ?? withCopies(move) ?? withEnd(move);
}

function withCard(move: TerminalMove): string | undefined {
  const { from, event, detail } = move;
  if (isUnreadable(move)) return 'awaitingCard';
  switch (event) {
    case 'card.missing':
      return from === 'awaitingCard' ? from : undefined;
    case 'card.presented':
      return from === 'awaitingCard' ? 'reading' : undefined;
    case 'card.read':
      if (!readsCard(from!)) return undefined;
      return detail['pin'] === 'pin' ? 'awaitingPin' : 'authorising';
    case 'device.ready':
      return from === 'awaitingCard' ? 'atDevice' : undefined;
    case 'device.unknown':
      return AT_DEVICE.test(from!) ? 'outcomeUnknown' : undefined;
    case 'device.approved':
      return readsCard(from!) || AT_DEVICE.test(from!) ? 'authorising' : undefined;
    case 'pin.entered':
      return from === 'awaitingPin' ? 'verifyingPin' : undefined;
    case 'pin.accepted':
      return from === 'verifyingPin' ? 'authorising' : undefined;
    case 'pin.rejected':
      if (from !== 'verifyingPin') return undefined;
      return Number(detail['triesLeft']) > 0 ? 'awaitingPin' : 'authorising';
    default:
      return undefined;
  }
}

function withDecision({ from, event, before }: TerminalMove): string | undefined {
  if (event === 'authorisation.overdue' && from === 'authorising') return from;
  if (event === 'decline') return from === 'authorising' ? 'declined' : undefined;
  if (event === 'approve' && from === 'authorising')
    return awaitsAnswer(before!) ? 'completingCard' : afterApproval(before!);
  return event === 'card.completed' && from === 'completingCard' ? afterApproval(before!) : undefined;
}

/** Whether the card stays for the response of the issuer. */
function awaitsAnswer({ chip }: StoredContext): boolean {
  return (chip as { awaitsAnswer: boolean } | null)?.awaitsAnswer === true;
}

function afterApproval({ start }: StoredContext): string {
  return start.receiptPrintingSource === 'Terminal'
    ? 'approved.printing.merchantCopy'
    : 'approved.awaitingMerchantReceipt';
}

/** The copy that a terminal waits for. */
export function printing(from: string | null): string | undefined {
  return /^approved\.printing\.(.*)$/.exec(from ?? '')?.[1];
}

function afterCopy(from: string): string {
  return printing(from) === 'merchantCopy' ? 'approved.printing.customerCopy' : 'approved.completing';
}

function withCopies({ from, event, detail: { copy, status } }: TerminalMove): string | undefined {
  if (event === 'copy.printed' || event === 'copy.failed')
    return printing(from) === copy ? afterCopy(from!) : undefined;
  if (event !== 'confirm') return undefined;
  // The merchant copy comes first. After a copy that has failed only the end of the action is left.
  if (from === 'approved.awaitingMerchantReceipt')
    return copy === 'merchantCopy' && status === 'Succeeded'
      ? 'approved.awaitingCustomerReceipt'
      : 'approved.awaitingEnd';
  return from === 'approved.awaitingCustomerReceipt' && copy === 'customerCopy'
    ? 'approved.awaitingEnd'
    : undefined;
}

function withEnd({ from, event, before, detail: { status } }: TerminalMove): string | undefined {
  const isReversing = /^reversingAtDevice\.(.*)$/.exec(from!);
  if (isReversing) return event === 'device.reversed' ? isReversing[1] : undefined;
  if (event === 'cancel') return from === 'cancelling' ? undefined : 'cancelling';
  if (event !== 'end') return undefined;
  const end = String(status).toLowerCase();
  return before!.device !== null && status !== 'Succeeded' ? `reversingAtDevice.${end}` : end;
}
