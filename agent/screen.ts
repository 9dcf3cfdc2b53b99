import { formatMinor } from '../protocol/money.ts';
import { pathOf, type ActionSnapshot } from './lifecycle/action-snapshot.ts';

type Line = (context: ActionSnapshot['context']) => string;

/** Second line of the display, by state of the action. */
const LINES: Record<string, Line> = {
  awaitingCard: ({ unreadableCards, cardMissing }) => {
    if (cardMissing) return 'No card at the reader, present card';
    return unreadableCards > 0 ? 'Card not read, try again' : 'Present card';
  },
  reading: () => 'Reading card, do not remove',
  awaitingPin: ({ pinTriesLeft }) =>
    pinTriesLeft === null
      ? 'Enter PIN'
      : `Wrong PIN, ${pinTriesLeft} ${pinTriesLeft === 1 ? 'try' : 'tries'} left`,
  verifyingPin: () => 'Checking PIN',
  authorising: () => 'Authorising',
  completingCard: () => 'Approved, do not remove card',
  'approved.printing.merchantCopy': () => 'Approved, printing merchant copy',
  'approved.printing.customerCopy': () => 'Approved, printing customer copy',
  'approved.completing': () => 'Approved, one moment',
  'approved.awaitingMerchantReceipt': () => 'Approved, merchant copy at the till',
  'approved.awaitingCustomerReceipt': () => 'Approved, customer copy at the till',
  'approved.awaitingEnd': () => 'Approved, one moment',
  abandoning: ({ code }) => REASONS[code ?? ''] ?? 'Not completed',
  reversing: () => 'Not completed, nothing is charged',
  declined: () => 'Declined',
  cancelling: () => 'Cancelled',
  'reversingAtDevice.failed': () => 'Taking the payment back',
  'reversingAtDevice.cancelled': () => 'Taking the payment back',
  succeeded: ({ start }) => (start.type === 'Refund' ? 'Refunded' : 'Approved'),
  failed: ({ code, authorisationCode }) =>
    REASONS[code ?? ''] ?? (authorisationCode === null ? 'Declined' : 'Not completed, nothing is charged'),
  cancelled: () => 'Cancelled',
};

/** Display texts of error codes. Codes of the issuer are not shown to the cardholder. */
const REASONS: Record<string, string> = {
  terminal_offline: 'Not completed',
  timeout: 'Timed out',
  cancelled_on_terminal: 'Cancelled',
  bad_track_data: 'Card not readable',
  card_declined: 'Card declined',
  receipt_not_confirmed: 'Not completed, nothing is charged',
  receipt_failed: 'Not completed, nothing is charged',
  unexpected_error: 'Not completed',
};

/**
 * Returns the lines of the display. The result of an action stays until the next one starts.
 * @param snapshot of the action under way or the last one; undefined when there was none.
 * @param typedDigits number of PIN digits typed so far: a star for each
 */
export function screenOf(snapshot: ActionSnapshot | undefined, online: boolean, typedDigits = 0): string[] {
  if (!snapshot) return [online ? 'Ready' : 'Connecting'];
  const { context } = snapshot;
  const amount = formatMinor(context.start.amountMinor, context.start.currency);
  const first = context.start.type === 'Refund' ? `Refund ${amount}` : amount;
  const path = pathOf(snapshot);
  const lines = [first, LINES[path]?.(context) ?? ''];
  return path === 'awaitingPin' && typedDigits > 0 ? [...lines, '*'.repeat(typedDigits)] : lines;
}
