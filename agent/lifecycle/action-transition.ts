import { initialTransition, transition } from 'xstate';
import { Fault } from '../../protocol/failures.ts';
import { isEffectName } from './action-effects.ts';
import type { ActionInput, EffectName, TimedActionEvent } from './action-events.ts';
import type { ActionSnapshot } from './action-snapshot.ts';
import { actionMachine } from './action.machine.ts';

/** A snapshot of the action machine, and the effects of the transition to it, in order. */
export interface ActionTransition {
  snapshot: ActionSnapshot;
  effects: EffectName[];
}

/** Returns the first snapshot of a new action. */
export function firstTransition(input: ActionInput): ActionTransition {
  const [snapshot, actions] = initialTransition(actionMachine, input);
  return { snapshot, effects: effectsIn(actions) };
}

/** Returns the result of an event. An event that has no transition returns the same snapshot and no effects. */
export function nextTransition(snapshot: ActionSnapshot, event: TimedActionEvent): ActionTransition {
  if (snapshot.status !== 'active') return { snapshot, effects: [] };
  const [next, actions] = transition(actionMachine, snapshot, event);
  return { snapshot: next, effects: effectsIn(actions) };
}

/** Restores a persisted snapshot. Returns undefined when it is not one of the action machine. */
export function restoreSnapshot(stored: unknown): ActionSnapshot | undefined {
  const { value, context } = (stored ?? {}) as ActionSnapshot;
  try {
    return actionMachine.resolveState({ value, context });
  } catch {
    return undefined;
  }
}

function effectsIn(actions: readonly { type: string }[]): EffectName[] {
  return actions.map(({ type }) => {
    if (isEffectName(type)) return type;
    throw new Fault('internal', `the action machine names an unknown effect ${type}`);
  });
}
