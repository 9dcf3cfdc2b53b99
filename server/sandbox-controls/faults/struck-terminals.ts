import type { ChangeStep, DueStep } from '../../../protocol/cardholder-step.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { DueMessage, MessageFault, StruckMessage } from '../../../protocol/line-faults.ts';
import type { SimulationAct } from '../../../protocol/messages/sandbox.messages.ts';
import type { Taken } from '../../platform/faults/recoveries.ts';
import type { Services } from '../../platform/services.ts';
import type { FaultAt } from '../../platform/faults/cut-points.ts';
import { isKeyOf } from '../../../protocol/tables.ts';
import type { ActivityOf } from '../../platform/activities.ts';

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
function perform({ simulation, log }: Part, terminalId: string, act: SimulationAct): void {
  simulation
    .perform(terminalId, act)
    .catch((thrown: unknown) =>
      log.warn({ terminalId, act: act.act, reason: messageOf(thrown) }, 'a fault did not reach its terminal'),
    );
}

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

/** An effect of the machine of a terminal, which is about to run. */
interface DueEffect {
  terminalId: string;
  actionId: string;
  effect: string;
}

/** Returns when a fault cuts the power of a terminal around an effect; undefined for none. */
function strikeEffect({ faults }: Pick<Services, 'faults'>, { terminalId, actionId, effect }: DueEffect) {
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

const STEPS = {
  leaves: 'nothing',
  cancels: 'pressCancel',
  'wrong-pin': 'typeWrong',
} as const satisfies Record<FaultAt<'cardholder.card'> | FaultAt<'cardholder.pin'>, ReturnType<ChangeStep>>;

/** Returns what a cardholder does in place of a step that a fault strikes; undefined for the step. */
function strikeCardholder(
  { faults }: Pick<Services, 'faults'>,
  { terminalId, actionId, at }: DueStep,
): ReturnType<ChangeStep> {
  const place = `cardholder.${at}` as const;
  if (!faults?.awaits(place)) return undefined;
  const strike = faults.strike({ at: place, ids: [terminalId, actionId] });
  return strike && isKeyOf(STEPS, strike.what) ? STEPS[strike.what] : undefined;
}

/** Faults of a line that have another name in a plan. */
const LINE_FAULTS: Record<FaultAt<'device.message'>, MessageFault> = {
  lost: 'lost',
  delay: 'late',
  twice: 'twice',
  split: 'split',
  corrupt: 'corrupt',
  cut: 'cut',
};

/** Returns what a fault does to a message of a stand-alone payment terminal; undefined for nothing. */
function strikeDeviceMessage(
  { faults }: Pick<Services, 'faults'>,
  { terminalId, actionId, isAfterCharge }: DueMessage,
): StruckMessage | undefined {
  const ids = actionId === undefined ? [terminalId] : [terminalId, actionId];
  const strikeAt = (at: 'device.message' | 'device.charged') =>
    faults?.awaits(at) ? faults.strike({ at, ids }) : undefined;
  const charged = isAfterCharge ? strikeAt('device.charged') : undefined;
  // It is a message all the same: which one is the n-th does not depend on the faults of another place.
  if (charged) faults?.count({ at: 'device.message', ids });
  const strike = charged ?? strikeAt('device.message');
  if (!strike || !isKeyOf(LINE_FAULTS, strike.what)) return undefined;
  const fault = LINE_FAULTS[strike.what];
  if (fault !== 'late') return { fault };
  return { fault, arrives: new Promise((resolve) => void faults!.putOff(strike.delayMs, resolve)) };
}

/** Returns what asks the plans of a sandbox, for a fleet whose terminals they strike. */
export function strikesOf(services: () => Pick<Services, 'faults'>) {
  return {
    cutAround: (due: DueEffect) => strikeEffect(services(), due),
    changeStep: (due: DueStep) => strikeCardholder(services(), due),
    strikeMessage: (due: DueMessage) => strikeDeviceMessage(services(), due),
  };
}
