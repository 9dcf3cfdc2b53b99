import type { StateValue } from 'xstate';
import { Fault } from '../../protocol/failures.ts';
import { transitionsOf } from '../../protocol/machine-transition.ts';
import { isEffectName } from './action-effects.ts';
import type { ActionContext, ActionInput, EffectName, TimedActionEvent } from './action-events.ts';
import type { ActionSnapshot } from './action-snapshot.ts';
import { actionMachine } from './action.machine.ts';

/** A snapshot of the action machine, and the effects of the transition to it, in order. */
export interface ActionTransition {
  snapshot: ActionSnapshot;
  effects: EffectName[];
}

const transitions = transitionsOf(actionMachine);

/** Returns the first snapshot of a new action. */
export function firstTransition(input: ActionInput): ActionTransition {
  const [snapshot, actions] = transitions.initial(input);
  return { snapshot, effects: effectsIn(actions) };
}

/** Returns the result of an event. An event that has no transition returns the same snapshot and no effects. */
export function nextTransition(snapshot: ActionSnapshot, event: TimedActionEvent): ActionTransition {
  if (snapshot.status !== 'active') return { snapshot, effects: [] };
  const [next, actions] = transitions.next(snapshot, event);
  return { snapshot: next, effects: effectsIn(actions) };
}

/** Former names of states, which older journals hold. */
const RENAMED_STATES: Record<string, string> = {
  answeringCard: 'completingCard',
  settling: 'awaitingEnd',
  takingBack: 'reversingAtDevice',
};

/** Restores a persisted snapshot. Returns undefined when it is not one of the action machine. */
export function restoreSnapshot(stored: unknown): ActionSnapshot | undefined {
  const { value, context } = (stored ?? {}) as { value: StateValue; context: ActionContext };
  try {
    return actionMachine.resolveState({ value: currentNames(value), context });
  } catch {
    return undefined;
  }
}

function currentNames(value: StateValue): StateValue {
  if (typeof value === 'string') return RENAMED_STATES[value] ?? value;
  const entries = Object.entries(value).map(([name, inner]) => [
    RENAMED_STATES[name] ?? name,
    inner && currentNames(inner),
  ]);
  return Object.fromEntries(entries) as StateValue;
}

function effectsIn(actions: readonly { type: string }[]): EffectName[] {
  return actions.map(({ type }) => {
    if (isEffectName(type)) return type;
    throw new Fault('internal', `the action machine names an unknown effect ${type}`);
  });
}
