import type { FaultAt } from '../../platform/faults/cut-points.ts';
import type { Taken } from '../../platform/faults/recoveries.ts';
import type { ActivityOf } from '../../platform/activities.ts';
import type { Services } from '../../platform/services.ts';
import { perform, takeFrom } from './taken-parts.ts';

const TAKEN_BY: Record<Exclude<FaultAt<'terminal.state'>, 'paper-out'>, Taken> = {
  'power-cut': 'power',
  'network-down': 'network',
  'reader-unplugged': 'reader',
};

/** Lets faults strike simulated terminals as they enter the states of their machine. */
export function strikeTerminals(services: Services): void {
  const { faults, activities } = services;
  if (!faults) return;

  function entered({ terminalId, actionId, state }: ActivityOf<'terminal.stepped'>): void {
    const strike = faults!.strike({ at: 'terminal.state', state, ids: [terminalId, actionId] });
    if (!strike) return;
    const what = strike.what as FaultAt<'terminal.state'>;
    if (what === 'paper-out') return perform(services, terminalId, { act: 'paper', sheets: 0 });
    takeFrom(services, terminalId, TAKEN_BY[what]);
    faults!.giveBackLater(terminalId, TAKEN_BY[what], strike.delayMs);
  }

  activities.listen('faults of terminals', (activity) => {
    if (activity.kind === 'terminal.stepped' && faults.awaits('terminal.state')) entered(activity);
  });
}
