import { jsonText } from '../../platform/store/json-text.ts';
import { actionStep, isMoneyEffect, type ActionEffect, type ActionEvent } from './action.machine.ts';
import type { ActionRow, Phase, StoredDecision } from './action.records.ts';
import { PRESENT_CARD_MS } from './command-messages.ts';

/** How long a terminal has to accept an action (docs/choices.md, Offline). */
export const ACCEPT_MS = 10_000;
/** How long the terminal then waits for a PIN: its own deadline too (docs/choices.md, Deadlines). */
const TYPE_PIN_MS = 60_000;
/** The server's deadline for card and PIN: a minute beyond both, in case the terminal does not report. */
const CARD_PHASE_MS = PRESENT_CARD_MS + TYPE_PIN_MS + 60_000;
/** How long a terminal may print, and how long a copy may wait for its confirmation (docs/choices.md, Receipts). */
const PRINTING_MS = 60_000;
const CONFIRM_COPY_MS = 60_000;

const DEADLINES: Record<Phase, number | null> = {
  sent: ACCEPT_MS,
  awaitingCard: CARD_PHASE_MS,
  printing: PRINTING_MS,
  awaitingMerchantCopy: CONFIRM_COPY_MS,
  awaitingCustomerCopy: CONFIRM_COPY_MS,
  succeeded: null,
  failed: null,
  cancelled: null,
};

/**
 * Returns an action after an event, with the effects to perform in their order; undefined when the event changes
 * nothing. `sent_seq` counts the commands among the effects.
 */
export function actionTransition(
  action: ActionRow,
  event: ActionEvent,
  {
    nowMs,
    storedDecision,
    reason,
  }: { nowMs: number; storedDecision?: StoredDecision | undefined; reason?: string | undefined },
): { after: ActionRow; effects: readonly ActionEffect[] } | undefined {
  const step = actionStep(action, event);
  if (!step) return undefined;
  const waitMs = DEADLINES[step.state];
  const after: ActionRow = {
    ...action,
    phase: step.state,
    status: step.status,
    merchant_copy: step.context.merchantCopy,
    customer_copy: step.context.customerCopy,
    error_code: step.context.errorCode,
    error_reason: step.context.errorCode === null ? null : (reason ?? action.error_reason),
    decision: storedDecision ? jsonText(storedDecision) : action.decision,
    deadline_ms: waitMs === null ? null : nowMs + waitMs,
    completed_ms: step.done ? nowMs : null,
    sent_seq: action.sent_seq + step.effects.filter((effect) => !isMoneyEffect(effect)).length,
  };
  return { after, effects: step.effects };
}
