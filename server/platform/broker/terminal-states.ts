import { MachineStepped } from '../../../protocol/messages/inspection.messages.ts';
import type { Gateway } from '../gateway.ts';
import type { Activities } from '../activities.ts';

/**
 * Keeps the last state that each terminal's machine reported to this process, by terminal id, and emits an activity of
 * each step.
 */
export function watchTerminalStates(gateway: Gateway, activities: Activities): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  gateway.onReport(MachineStepped, (terminalId, { actionId, event, state, deadlineMs, device }) => {
    states.set(terminalId, state);
    activities.emit({ kind: 'terminal.stepped', terminalId, actionId, event, state, deadlineMs, device });
  });
  activities.listen('states of terminals', (activity) => {
    if (activity.kind === 'terminal.removed') states.delete(activity.terminalId);
  });
  return states;
}
