import { screenOf } from '../../../agent/display.ts';
import * as deadlines from '../../../agent/lifecycle/deadlines.ts';
import { NOW_MS } from '../fixtures.ts';
import { hasPowerReturned, isUnreadable, printing } from './next-state.ts';
import { asksServer } from './reports.ts';
import type { TerminalMove } from './terminal-move.ts';

/** The status that a terminal shows: in progress until the server has ended the action, or decided so. */
export function statusIn(path: string): string {
  if (/^(declined|failed|reversingAtDevice\.failed)$/.test(path)) return 'Failed';
  if (/^(cancelling|cancelled|reversingAtDevice\.cancelled)$/.test(path)) return 'Cancelled';
  return path === 'succeeded' ? 'Succeeded' : 'InProgress';
}

/** Whether the cardholder reads what the event means to them; true where several texts would do. */
export function displayIsRight(move: TerminalMove): boolean {
  const { event, to, from, snapshots, detail } = move;
  const expected = textFor(move);
  if (!to || !expected) return true;
  const [, line] = screenOf(snapshots.after as Parameters<typeof screenOf>[0], true);
  const isAsked = event === 'pin.rejected' && from !== to && to === 'awaitingPin';
  return expected.test(line!) && (!isAsked || line!.includes(`${String(detail['triesLeft'])} `));
}

function textFor(move: TerminalMove): RegExp | undefined {
  const { event, to, from } = move;
  if (to === 'awaitingCard') {
    if (event === 'card.missing') return /^No card at the reader/;
    if (isUnreadable(move)) return /^Card not read, try again$/;
    if (event === 'start') return /^Present card$/;
    return hasPowerReturned(move) ? /^(Present card|Card not read)/ : undefined;
  }
  if (to !== 'awaitingPin' || from === to) return undefined;
  return event === 'pin.rejected' ? /^Wrong PIN/ : /^Enter PIN/;
}

const WAITS_MS: Record<string, number> = {
  reading: deadlines.READ_CARD_MS,
  awaitingPin: deadlines.PIN_ENTRY_MS,
  verifyingPin: deadlines.VERIFY_PIN_MS,
  atDevice: deadlines.DEVICE_OUTCOME_MS,
  authorising: deadlines.AUTHORISE_MS,
  completingCard: deadlines.COMPLETE_CARD_MS,
  'approved.printing.merchantCopy': deadlines.PRINT_COPY_MS,
  'approved.printing.customerCopy': deadlines.PRINT_COPY_MS,
  'approved.awaitingMerchantReceipt': deadlines.CONFIRM_RECEIPT_MS,
  'approved.awaitingCustomerReceipt': deadlines.CONFIRM_RECEIPT_MS,
  'reversingAtDevice.failed': deadlines.REVERSE_MS,
  'reversingAtDevice.cancelled': deadlines.REVERSE_MS,
};

/** Whether a terminal waits as long as agent/lifecycle/deadlines.ts names, and asks again for a decision in time. */
export function waitsAsLong(move: TerminalMove): boolean {
  const { event, from, to, after, before } = move;
  if (!to || !after) return true;
  if (/^(succeeded|failed|cancelled)$/.test(to))
    return after.deadlineMs === null && after.askAgainMs === null;
  const isEntered = from !== to || event === 'start';
  const { deadlineMs, askAgainMs } = after;
  const asksAgain = /^(retry|authorisation\.overdue)$/.test(event);
  if (to === 'authorising' && (isEntered || asksAgain || hasPowerReturned(move))) {
    if (askAgainMs !== NOW_MS + deadlines.AUTHORISE_RETRY_MS) return false;
  } else if (to !== 'authorising' && askAgainMs !== null) return false;
  if (to === 'awaitingCard') {
    const waits = event === 'start' ? NOW_MS + after.start.presentCardMs : before!.cardDeadlineMs;
    return after.cardDeadlineMs === waits && (!isEntered || deadlineMs === waits);
  }
  const isAgain = hasPowerReturned(move) || (event === 'deadline' && to.startsWith('reversingAtDevice'));
  if (isAgain && to.endsWith('Receipt')) return deadlineMs === NOW_MS + deadlines.SERVER_REPLY_MS;
  if (isEntered || isAgain) return deadlineMs === NOW_MS + (WAITS_MS[to] ?? deadlines.SERVER_REPLY_MS);
  // The terminal inquires, and the time doubles each time.
  const asks = event === 'deadline' && asksServer(to) && !printing(to);
  return !asks || deadlineMs === NOW_MS + 2 * deadlines.SERVER_REPLY_MS;
}
