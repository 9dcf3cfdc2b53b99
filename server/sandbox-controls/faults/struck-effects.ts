import type { FaultAt } from '../../platform/faults/cut-points.ts';
import type { Services } from '../../platform/services.ts';

/** An effect of the machine of a terminal, which is about to run. */
interface DueEffect {
  terminalId: string;
  actionId: string;
  effect: string;
}

/** Returns when a fault cuts the power of a terminal around an effect; undefined for none. */
export function strikeEffect({ faults }: Services, { terminalId, actionId, effect }: DueEffect) {
  if (!faults?.awaits('terminal.effect')) return undefined;
  const strike = faults.strike({ at: 'terminal.effect', effect, ids: [terminalId, actionId] });
  if (!strike) return undefined;
  const what = strike.what as FaultAt<'terminal.effect'>;
  return {
    moment: what === 'power-cut-before' ? ('before' as const) : ('after' as const),
    /** To be called when the power is cut: it comes back after the delay of the fault. */
    onCut: () => faults.giveBackLater(terminalId, 'power', strike.delayMs),
  };
}
