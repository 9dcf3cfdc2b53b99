import type { FaultAt } from '../../platform/faults/cut-points.ts';
import type { NoticeOf } from '../../platform/notices.ts';
import type { Services } from '../../platform/services.ts';
import { perform, TERMINAL_FAULTS, type TerminalFault } from './terminal-acts.ts';

/** Lets faults strike simulated terminals as they enter the states of their machine. */
export function strikeTerminals(services: Services): void {
  const { faults, notices } = services;
  if (!faults) return;

  function entered({ terminalId, actionId, state }: NoticeOf<'terminal.stepped'>): void {
    const strike = faults!.strike({ at: 'terminal.state', state, ids: [terminalId, actionId] });
    if (!strike) return;
    const { act, undo }: TerminalFault = TERMINAL_FAULTS[strike.what as FaultAt<'terminal.state'>];
    perform(services, terminalId, act);
    if (undo) faults!.later(strike.delayMs, () => perform(services, terminalId, undo));
  }

  notices.listen('faults of terminals', (notice) => {
    if (notice.kind === 'terminal.stepped' && faults.awaits('terminal.state')) entered(notice);
  });
}

/** Takes a simulated terminal off the network for a while. */
export function cutNetwork(services: Services, terminalId: string, delayMs: number): void {
  const { act, undo } = TERMINAL_FAULTS['network-down'];
  perform(services, terminalId, act);
  services.faults!.later(delayMs, () => perform(services, terminalId, undo));
}
