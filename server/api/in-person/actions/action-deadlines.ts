import type { Services } from '../../../platform/services.ts';
import type { Transaction } from '../../../platform/store/store.ts';
import { terminals } from '../terminals/terminal.records.ts';
import { ACCEPT_MS } from './action.machine.ts';
import { applyActionEvent, DEADLINE_JOB, moveDeadline } from './apply-action-event.ts';
import {
  listActionsInProgress,
  type ActionRow,
  lockAction,
  ACTION_GUARDS,
  actions,
} from './action.records.ts';
import { isStartCommandDropped } from './magic-amounts.ts';
import { repeatCommands, type ActionServices } from './terminal-commands.ts';

/** Registers the job that applies `deadline.passed` to actions that are not completed in time. */
export function registerActionDeadlines(services: ActionServices): void {
  const { clock, jobs, store } = services;
  jobs.handle(DEADLINE_JOB, (job) =>
    store.transaction(
      async (tx) => {
        const action = await lockAction(tx, job.key);
        const dueMs = action?.deadline_ms ?? undefined;
        if (dueMs !== undefined && dueMs > clock.nowMs()) return jobs.finish(tx, job, { again: dueMs });
        if (action && couldNotBeAccepted(services, action))
          return jobs.finish(tx, job, { again: clock.nowMs() + CHECK_AGAIN_MS });
        if (action && (await mayBeReconnecting(tx, services, action)))
          return jobs.finish(tx, job, { again: await extendAcceptance(tx, services, action) });
        await jobs.finish(tx, job, 'done');
        if (!action || dueMs === undefined) return;
        await applyActionEvent(tx, services, action, { type: 'deadline.passed' });
      },
      { guardedBy: ACTION_GUARDS },
    ),
  );
}

/** How long an action may wait for a server that is away from its broker, and how often the server looks. */
export const BROKER_AWAY_MS = 60_000;
const CHECK_AGAIN_MS = 1_000;

/** Returns whether no terminal can accept the action, because the server itself is not connected to the broker. */
function couldNotBeAccepted(
  { gateway, clock }: Pick<Services, 'gateway' | 'clock'>,
  { phase, created_ms: createdMs }: ActionRow,
): boolean {
  return phase === 'sent' && !gateway.online && clock.nowMs() < createdMs + BROKER_AWAY_MS;
}

/**
 * Returns whether the terminal may be connecting again although its broker takes it as connected: when a node of a cluster
 * dies, its terminals are away until the others have a new leader, and no last will is published. Not so where a
 * magic amount makes the terminal miss the command.
 */
async function mayBeReconnecting(
  tx: Transaction,
  { clock, gateway, settings }: Pick<Services, 'clock' | 'gateway' | 'settings'>,
  { phase, terminal_id: terminalId, amount_minor: amountMinor, created_ms: createdMs }: ActionRow,
): Promise<boolean> {
  const { lossDetectedMs = 0 } = gateway;
  if (phase !== 'sent' || clock.nowMs() >= createdMs + lossDetectedMs) return false;
  const terminal = await terminals.findAny(tx, terminalId);
  if (terminal?.online !== 1) return false;
  return !isStartCommandDropped({ amountMinor, settings });
}

/**
 * Gives a terminal more time to accept an action, and sends it the start again: the one that it was sent has expired, and
 * may be lost. Returns the new deadline.
 */
async function extendAcceptance(
  tx: Transaction,
  services: ActionServices,
  action: ActionRow,
): Promise<number> {
  const { clock, gateway } = services;
  const lastMs = action.created_ms + (gateway.lossDetectedMs ?? 0);
  const deadlineMs = Math.min(clock.nowMs() + ACCEPT_MS, lastMs);
  await repeatCommands(tx, services, { ...action, deadline_ms: deadlineMs });
  return deadlineMs;
}

/**
 * Restarts the accept deadlines when the server starts, and when it connects to its broker: no terminal could accept an
 * action before.
 * @param createdAfterMs leaves out actions that were created earlier; none by default
 */
export async function renewAcceptance(
  tx: Transaction,
  services: ActionServices,
  createdAfterMs = -Infinity,
): Promise<void> {
  const listed = await listActionsInProgress(tx);
  // In one order, so that two servers do not lock each other out.
  for (const { id } of listed.sort((a, b) => (a.terminal_id < b.terminal_id ? -1 : 1))) {
    const action = await lockAction(tx, id);
    if (action?.status !== 'InProgress') continue;
    if (action.phase !== 'sent' || action.created_ms < createdAfterMs) continue;
    const after = { ...action, deadline_ms: services.clock.nowMs() + ACCEPT_MS };
    actions.save(tx, action, after);
    await moveDeadline(tx, services, after);
  }
}
