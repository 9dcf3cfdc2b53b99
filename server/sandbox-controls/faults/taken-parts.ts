import { messageOf } from '../../../protocol/failures.ts';
import type { SimulationAct } from '../../../protocol/messages/sandbox.messages.ts';
import type { Taken } from '../../platform/faults/recoveries.ts';
import type { Services } from '../../platform/services.ts';

type Part = Pick<Services, 'simulation' | 'log'>;

const NETWORK = {
  take: { act: 'network', state: 'off' },
  giveBack: { act: 'network', state: 'on' },
} as const;

/** What takes something from a simulated terminal, and what gives it back. */
const ACTS: Record<Taken, { take: SimulationAct; giveBack: SimulationAct }> = {
  power: { take: { act: 'power', state: 'off' }, giveBack: { act: 'power', state: 'on' } },
  network: NETWORK,
  messages: NETWORK,
  reader: {
    take: { act: 'reader', state: 'unplugged' },
    giveBack: { act: 'reader', state: 'plugged-in' },
  },
};

/** Takes something from a simulated terminal. */
export function takeFrom(services: Part, terminalId: string, what: Taken): void {
  perform(services, terminalId, ACTS[what].take);
}

/** Gives a simulated terminal back what was taken from it. */
export function giveBackTo(services: Part, terminalId: string, what: Taken): void {
  perform(services, terminalId, ACTS[what].giveBack);
}

/** Lets a fault act on a terminal. One that is not simulated is logged. */
export function perform({ simulation, log }: Part, terminalId: string, act: SimulationAct): void {
  simulation
    .perform(terminalId, act)
    .catch((thrown: unknown) =>
      log.warn({ terminalId, act: act.act, reason: messageOf(thrown) }, 'a fault did not reach its terminal'),
    );
}
