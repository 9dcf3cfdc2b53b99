import { ID_FORMS } from '../../../protocol/ids.ts';
import { allFaultPlans, latestStrikes } from '../../platform/faults/fault-plan.records.ts';
import { LISTED_STRIKES } from '../../platform/faults/fault-plan.schema.ts';
import { delayOf } from '../../platform/faults/fault-plans.ts';
import type { Services } from '../../platform/services.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import { perform, TERMINAL_FAULTS, type TerminalFault } from './terminal-acts.ts';

/** How long after its time a terminal is still given back what a fault took from it. */
const OVERDUE_MS = 600_000;

/**
 * Gives terminals back what faults took from them before the sandbox was stopped or copied, such as their power: at the time
 * at which it was due, or now.
 */
export async function mendStruckTerminals(services: Services): Promise<void> {
  const { faults, store, clock } = services;
  if (!faults) return;
  const nowMs = clock.nowMs();
  for (const plan of await allFaultPlans(store)) {
    const planned = parseJson(plan.faults);
    for (const { fault, at_ms, what, ids } of await latestStrikes(store, plan.id, LISTED_STRIKES)) {
      const undo = (TERMINAL_FAULTS as Record<string, TerminalFault>)[what]?.undo;
      const dueMs = at_ms + delayOf(planned[fault]!);
      const terminalId = parseJson(ids).find((id) => id.startsWith(ID_FORMS.terminal.prefix));
      if (!undo || terminalId === undefined || dueMs < nowMs - OVERDUE_MS) continue;
      faults.later(Math.max(0, dueMs - nowMs), () => perform(services, terminalId, undo));
    }
  }
}
