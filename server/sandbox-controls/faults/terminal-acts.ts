import { messageOf } from '../../../protocol/failures.ts';
import type { SimulationAct } from '../../../protocol/messages/sandbox.messages.ts';
import type { Services } from '../../platform/services.ts';

/** What a fault does to a simulated terminal, and what undoes it. */
export interface TerminalFault {
  act: SimulationAct;
  undo?: SimulationAct;
}

const POWER_CUT = { act: { act: 'power', state: 'off' }, undo: { act: 'power', state: 'on' } } as const;

/** What each fault does that strikes a simulated terminal, wherever it strikes. */
export const TERMINAL_FAULTS = {
  'power-cut': POWER_CUT,
  'power-cut-before': POWER_CUT,
  'power-cut-after': POWER_CUT,
  'network-down': { act: { act: 'network', state: 'off' }, undo: { act: 'network', state: 'on' } },
  'reader-unplugged': {
    act: { act: 'reader', state: 'unplugged' },
    undo: { act: 'reader', state: 'plugged-in' },
  },
  'paper-out': { act: { act: 'paper', sheets: 0 } },
} satisfies Record<string, TerminalFault>;

/** Lets a fault act on a terminal. One that nobody simulates is logged. */
export function perform(
  { simulation, log }: Pick<Services, 'simulation' | 'log'>,
  terminalId: string,
  act: SimulationAct,
): void {
  simulation
    .perform(terminalId, act)
    .catch((thrown: unknown) =>
      log.warn({ terminalId, act: act.act, reason: messageOf(thrown) }, 'a fault did not reach its terminal'),
    );
}
