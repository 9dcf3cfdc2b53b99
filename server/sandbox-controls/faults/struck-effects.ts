import type { FaultAt } from '../../platform/faults/cut-points.ts';
import type { Services } from '../../platform/services.ts';
import { perform, TERMINAL_FAULTS } from './terminal-acts.ts';

/** An effect of the machine of a terminal, which is about to run. */
interface DueEffect {
  terminalId: string;
  actionId: string;
  effect: string;
}

/** Returns when a fault cuts the power of a terminal around an effect; undefined for none. */
export function strikeEffect(services: Services, { terminalId, actionId, effect }: DueEffect) {
  const { faults } = services;
  if (!faults?.awaits('terminal.effect')) return undefined;
  const strike = faults.strike({ at: 'terminal.effect', effect, ids: [terminalId, actionId] });
  if (!strike) return undefined;
  const what = strike.what as FaultAt<'terminal.effect'>;
  const { undo } = TERMINAL_FAULTS[what];
  return {
    moment: what === 'power-cut-before' ? ('before' as const) : ('after' as const),
    /** To be called when the power is cut: it comes back after the delay of the fault. */
    onCut: () => faults.later(strike.delayMs, () => perform(services, terminalId, undo)),
  };
}
