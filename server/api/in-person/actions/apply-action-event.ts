import { valueWithoutExtensions } from '../../../platform/http/extensions.ts';
import { emitStep } from '../../../platform/activities.ts';
import type { Transaction } from '../../../platform/store/store.ts';
import { readAccount } from '../../accounts/account.records.ts';
import { raise } from '../../webhooks/event-log.ts';
import type { PaymentSessionRow } from '../../payments/payment-session-row.ts';
import { toTerminal, touchTerminal, type TerminalRow } from '../terminals/terminal.records.ts';
import { Terminal } from '../terminals/terminal.schema.ts';
import { applyMoneyEffect, sessionOf } from './action-money.ts';
import { actionTransition } from './action-transition.ts';
import { ACCEPT_MS, type ActionEvent, type Phase } from './action.machine.ts';
import { type StoredDecision, type ActionRow, actions } from './action.records.ts';
import { sendMessage, type ActionServices } from './terminal-commands.ts';

/** What is known with an event and is no part of it. */
export interface EventFacts {
  storedDecision?: StoredDecision | undefined;
  session?: PaymentSessionRow | undefined;
  /** Why the terminal has given up, in words. */
  reason?: string | undefined;
}

export const DEADLINE_JOB = 'action.deadline';

/**
 * Applies an event to an action and performs the effects of the step: the money, the record, the deadline, the
 * events and the commands to the terminal, all in one transaction. Returns undefined when the event changes nothing.
 */
export async function applyActionEvent(
  tx: Transaction,
  services: ActionServices,
  action: ActionRow,
  event: ActionEvent,
  { storedDecision, session, reason }: EventFacts = {},
): Promise<ActionRow | undefined> {
  const nowMs = services.clock.nowMs();
  const transition = actionTransition(action, event, { nowMs, storedDecision, reason });
  if (!transition) return undefined;
  const { after, effects } = transition;
  actions.save(tx, action, after);
  emitActionStep(tx, services, after, { event: event.type, from: action.phase });
  const isDeadlineMoved = after.deadline_ms === null || after.deadline_ms < latestJobDueMs(action, nowMs);
  const isChanged = changedForApi(action, after);
  const movesMoney = effects.some(({ type }) => type === 'money');
  // Together, since each is a round trip on PostgreSQL. The account is read for the events.
  const [terminal, locked] = await Promise.all([
    isChanged ? touchTerminal(tx, after.terminal_id, nowMs) : undefined,
    movesMoney ? (session ?? sessionOf(tx, after)) : undefined,
    isChanged || movesMoney ? readAccount(tx, after.account_id) : undefined,
    isDeadlineMoved ? moveDeadline(tx, services, after) : undefined,
  ]);
  if (terminal) raiseTerminalEvent(tx, services, after, terminal);
  let current = locked;
  for (const effect of effects) {
    if (effect.type === 'money') {
      const moved = { action: after, effect: effect.effect, session: current! };
      current = (await applyMoneyEffect(tx, services, moved)) ?? current;
    } else sendMessage(tx, services, after.terminal_id, effect.message);
  }
  return after;
}

/**
 * Returns when the job of the deadline is due, at the latest. A job that is due before the deadline reads it when it
 * runs, and is rescheduled to it, so the job is moved only to an earlier time. In the first seconds it is still due at
 * the first deadline. This holds because each later wait is longer than the first, and a deadline that passes ends the
 * action, or is extended together with its job. An action without a deadline has no job: entering its state cancels it.
 */
function latestJobDueMs(
  { created_ms: createdMs, deadline_ms: deadlineMs }: ActionRow,
  nowMs: number,
): number {
  if (deadlineMs === null) return Infinity;
  return nowMs < createdMs + ACCEPT_MS ? nowMs + ACCEPT_MS : deadlineMs;
}

/** Emits that an action took a step. */
export function emitActionStep(
  tx: Transaction,
  services: ActionServices,
  { id, phase, deadline_ms: deadlineMs, terminal_id: terminalId, session_id: paymentSessionId }: ActionRow,
  step: { event: string; from: Phase | null },
): void {
  const action = { terminalId, paymentSessionId };
  emitStep(tx, services, {
    machineId: 'serverAction',
    objectId: id,
    ...step,
    state: phase,
    deadlineMs,
    action,
  });
}

function changedForApi(before: ActionRow, after: ActionRow): boolean {
  return (
    before.status !== after.status ||
    before.merchant_copy !== after.merchant_copy ||
    before.customer_copy !== after.customer_copy
  );
}

export async function moveDeadline(
  tx: Transaction,
  services: ActionServices,
  action: ActionRow,
): Promise<void> {
  const { id: key, deadline_ms: dueMs } = action;
  if (dueMs === null) await services.jobs.cancel(tx, DEADLINE_JOB, key);
  else await services.jobs.reschedule(tx, { kind: DEADLINE_JOB, key, dueMs });
}

/** Raises `Terminal.action_updated` with the terminal and this action. */
export function raiseTerminalEvent(
  tx: Transaction,
  services: ActionServices,
  action: ActionRow,
  terminal: TerminalRow,
): void {
  const whole = toTerminal(terminal, action);
  raise(tx, services, {
    type: 'Terminal.action_updated',
    accountId: action.account_id,
    data: services.settings.strict === 'on' ? valueWithoutExtensions(Terminal, whole) : whole,
  });
  tx.afterCommit(() =>
    services.activities.emit({
      kind: 'action.updated',
      terminalId: action.terminal_id,
      actionId: action.id,
      type: action.type,
      status: action.status,
      detail: detailOf(action),
    }),
  );
}

function detailOf(action: ActionRow): string {
  if (action.error_code)
    return action.error_reason ? `${action.error_code} (${action.error_reason})` : action.error_code;
  if (action.customer_copy === 'Required') return 'customer copy required';
  if (action.merchant_copy === 'Required') return 'merchant copy required';
  return '';
}
