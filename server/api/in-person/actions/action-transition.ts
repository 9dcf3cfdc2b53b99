import { jsonText } from '../../../platform/store/json-text.ts';
import { actionStep, isMoneyEffect, waitMsIn, type ActionEvent, type MoneyEffect } from './action.machine.ts';
import type { StoredDecision, ActionRow } from './action.records.ts';
import { messageOf, numbered, type NumberedMessage } from './command-messages.ts';

/** What a step does besides changing the action: it moves money or sends the terminal a message. */
type TransitionEffect = { type: 'money'; effect: MoneyEffect } | { type: 'send'; message: NumberedMessage };

/** Whether an action in this state has a reason: for its failure, or for an outcome that is not known. */
function hasReason({ state, context }: NonNullable<ReturnType<typeof actionStep>>): boolean {
  return context.errorCode !== null || state === 'outcomeUnknown';
}

/**
 * Returns an action after an event, with the effects to perform in their order; undefined when the event changes
 * nothing. The messages among the effects are numbered, and `sent_seq` is the number of the last one.
 */
export function actionTransition(
  action: ActionRow,
  event: ActionEvent,
  {
    nowMs,
    storedDecision,
    reason,
  }: { nowMs: number; storedDecision?: StoredDecision | undefined; reason?: string | undefined },
): { after: ActionRow; effects: TransitionEffect[] } | undefined {
  const step = actionStep(action, event);
  if (!step) return undefined;
  const waitMs = waitMsIn(step.state);
  const stepped: ActionRow = {
    ...action,
    phase: step.state,
    status: step.status,
    merchant_copy: step.context.merchantCopy,
    customer_copy: step.context.customerCopy,
    error_code: step.context.errorCode,
    error_reason: hasReason(step) ? (reason ?? null) : null,
    decision: storedDecision ? jsonText(storedDecision) : action.decision,
    deadline_ms: waitMs === null ? null : nowMs + waitMs,
    completed_ms: step.done ? nowMs : null,
  };
  const commands = step.effects.flatMap((effect) =>
    isMoneyEffect(effect) ? [] : [messageOf(stepped, effect)],
  );
  const { messages, sentSeq } = numbered(action, commands);
  const inOrder = messages.values();
  const effects = step.effects.map((effect): TransitionEffect =>
    isMoneyEffect(effect)
      ? { type: 'money', effect: effect.type }
      : { type: 'send', message: inOrder.next().value! },
  );
  return { after: { ...stepped, sent_seq: sentSeq }, effects };
}
