import type { Clock, Timer } from '../../protocol/clock.ts';
import type { ActionContext, ActionEvent } from './action-events.ts';

/**
 * Timeouts of a terminal, in milliseconds of sandbox time (docs/choices.md, Deadlines). The timeout for presenting a
 * card comes with `action.start`. The machine keeps its deadline in the context, and ActionRun sends `deadline.passed`.
 */

/** From the detection of a card until it is read. */
export const READ_CARD_MS = 30_000;

/** For entering a PIN; restarts after a wrong one. */
export const PIN_ENTRY_MS = 60_000;

/** For the reader or the card to verify the PIN. */
export const VERIFY_PIN_MS = 30_000;

/** From `action.authorise` to `action.decision`; after it the terminal asks for a reversal. */
export const AUTHORISE_MS = 30_000;

/** From `action.authorise` until it is sent again; doubles each time. */
export const AUTHORISE_RETRY_MS = 2_000;

/** For a payment terminal to report the outcome of a request: longer than its driver waits. */
export const DEVICE_OUTCOME_MS = 240_000;

/** For a contact card to process the issuer's response (EMV 4.4 Book 3 §10.11). */
export const COMPLETE_CARD_MS = 10_000;

/** For a payment terminal to reverse an approval, and between two attempts. */
export const REVERSE_MS = 60_000;

/** For printing one copy; two copies fit into the minute that the server allows. */
export const PRINT_COPY_MS = 20_000;

/** For the point of sale to confirm a copy: the server's 60 s, plus 15 s for the message to arrive. */
export const CONFIRM_RECEIPT_MS = 75_000;

/** For the server to end the action. Then the terminal inquires, and the time doubles each time. */
export const SERVER_REPLY_MS = 15_000;

/** Number of doublings of that time, up to 16 minutes. */
export const SERVER_REPLY_DOUBLINGS_MAX = 6;

/** From an inquiry after a gap to the next: where a link loses one of each two answers, each inquiry leads to the next. */
export const GAP_INQUIRY_MS = 1_000;

/** Number of unreadable cards before the terminal abandons the action with `bad_track_data` (docs/choices.md, Unreadable cards). */
export const UNREADABLE_CARDS_MAX = 3;

/** The timers of an action: for its deadline or the next authorisation request, whichever is earlier, and for inquiries. */
export interface ActionTimer {
  /** Sets the timer to the times in the context. Does nothing when the time is unchanged. */
  update(context: ActionContext): void;
  /** Calls `inquire` after a gap: at once, or `GAP_INQUIRY_MS` after the last time. */
  inquireAfterGap(inquire: () => void): void;
  cancel(): void;
}

/** @param send called when the timer expires. */
export function createActionTimer(clock: Clock, send: (event: ActionEvent) => void): ActionTimer {
  let current: { atMs: number; timer: Timer } | undefined;
  let inquiryDueMs = -Infinity;
  let inquiryTimer: Timer | undefined;
  const cancel = () => {
    current?.timer.cancel();
    current = undefined;
  };
  return {
    update({ deadlineMs, askAgainMs }) {
      const retriesFirst = askAgainMs != null && (deadlineMs === null || askAgainMs < deadlineMs);
      const atMs = retriesFirst ? askAgainMs : deadlineMs;
      if (current && current.atMs === atMs) return;
      cancel();
      if (atMs === null) return;
      const timer = clock.at(atMs, () => {
        current = undefined;
        send({ type: retriesFirst ? 'authorisation.overdue' : 'deadline.passed' });
      });
      current = { atMs, timer };
    },
    inquireAfterGap(inquire) {
      if (inquiryTimer) return;
      const inquireNow = () => {
        inquiryTimer = undefined;
        inquiryDueMs = clock.nowMs() + GAP_INQUIRY_MS;
        inquire();
      };
      if (clock.nowMs() >= inquiryDueMs) inquireNow();
      else inquiryTimer = clock.at(inquiryDueMs, inquireNow);
    },
    cancel() {
      cancel();
      inquiryTimer?.cancel();
    },
  };
}
