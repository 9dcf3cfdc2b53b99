import { MachineStepped } from '../../../protocol/messages/inspection.messages.ts';
import type { Gateway } from '../gateway.ts';
import type { Notices } from '../notices.ts';

/**
 * Keeps the last state that each terminal's machine reported to this process, by terminal id, and emits a notice of
 * each step.
 */
export function watchTerminalStates(gateway: Gateway, notices: Notices): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  gateway.onReport(MachineStepped, (terminalId, { actionId, event, state, deadlineMs, device }) => {
    states.set(terminalId, state);
    notices.emit({ kind: 'terminal.stepped', terminalId, actionId, event, state, deadlineMs, device });
  });
  notices.listen('states of terminals', (notice) => {
    if (notice.kind === 'terminal.removed') states.delete(notice.terminalId);
  });
  return states;
}
