import { encode, type Envelope } from '../protocol/message.ts';
import { DisplayShown } from '../protocol/messages/inspection.messages.ts';
import { formatMinor } from '../protocol/money.ts';
import { pathOf, type ActionSnapshot } from './lifecycle/action-transition.ts';

export interface DisplayParts {
  terminalId: string;
  readLines(): string[];
  /** Id of the current action, or of the last one. */
  actionId(): string | undefined;
  isOnline(): boolean;
  publish(envelope: Envelope): void;
  /** Called whenever the display changes. */
  onScreen?: ((lines: string[]) => void) | undefined;
}

/** Publishes the lines of the display when they change. */
interface Display {
  /** Publishes the lines if they have changed. */
  show(): void;
  /** Publishes the lines again, after a reconnection. */
  connected(): void;
}

export function createDisplay({
  terminalId,
  readLines,
  actionId,
  isOnline,
  publish,
  onScreen,
}: DisplayParts): Display {
  let seen = '';
  let told = '';
  let due = false;

  const tell = () => {
    due = false;
    if (!isOnline()) return;
    const id = actionId();
    const body = { lines: readLines(), ...(id !== undefined && { actionId: id }) };
    const text = JSON.stringify(body);
    if (text === told) return;
    told = text;
    publish(encode(DisplayShown, terminalId, body));
  };
  // Publish once for all steps of one turn of the event loop.
  const tellSoon = () => {
    if (due) return;
    due = true;
    setImmediate(tell);
  };
  return {
    show() {
      const lines = readLines();
      if (lines.join('\n') === seen) return;
      seen = lines.join('\n');
      onScreen?.(lines);
      tellSoon();
    },
    connected() {
      told = '';
      tellSoon();
    },
  };
}

type Line = (context: ActionSnapshot['context']) => string;

/** Second line of the display, by state of the action. */
const LINES: Record<string, Line> = {
  awaitingCard: ({ unreadableCards, cardMissing }) => {
    if (cardMissing) return 'No card at the reader, present card';
    return unreadableCards > 0 ? 'Card not read, try again' : 'Present card';
  },
  atDevice: () => 'Pay at the payment terminal',
  outcomeUnknown: () => 'Outcome unknown, ask for help',
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
