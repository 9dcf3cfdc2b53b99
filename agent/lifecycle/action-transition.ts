import type { SnapshotFrom, StateValue } from 'xstate';
import { Fault } from '../../protocol/failures.ts';
import { transitionsOf } from '../../protocol/machine-step.ts';
import type { ActionStatus } from '../../protocol/messages/action.messages.ts';
import { isEffectName } from './action-effects.ts';
import type { ActionContext, ActionInput, EffectName, TimedActionEvent } from './action-events.ts';
import { actionMachine } from './action.machine.ts';

/** Snapshot of the action machine. */
export type ActionSnapshot = SnapshotFrom<typeof actionMachine>;

/** Returns the active leaf state as a dotted path. */
export function pathOf(snapshot: ActionSnapshot): string {
  const names: string[] = [];
  let value: unknown = snapshot.value;
  while (typeof value === 'object' && value !== null) {
    const [name, inner] = Object.entries(value)[0]!;
    names.push(name);
    value = inner;
  }
  return [...names, String(value)].join('.');
}

/** Whether a payment terminal has charged the card, or may have, and that is not settled yet. */
export function isUnsettled(snapshot: ActionSnapshot): boolean {
  return snapshot.context.device !== null || ['atDevice', 'outcomeUnknown'].includes(pathOf(snapshot));
}

/** Returns the status of the action in the API, which is the one tag of each state. */
function statusOf(snapshot: ActionSnapshot): ActionStatus {
  return [...snapshot.tags][0] as ActionStatus;
}

/** One step of the action machine, for inspection. */
export interface ActionStep {
  actionId: string;
  /** Type of the event, or `action.started`. */
  event: string;
  /** Dotted paths of the previous state, null for the first step, and of the new state. */
  from: string | null;
  state: string;
  status: ActionStatus;
  /** Deadline of the new state, epoch milliseconds; null when it has none. */
  deadlineMs: number | null;
}

/** Returns the step of an event that led to a snapshot from the state of this path. */
export function stepTo(snapshot: ActionSnapshot, event: string, from: string | null): ActionStep {
  const { start, deadlineMs } = snapshot.context;
  const [state, status] = [pathOf(snapshot), statusOf(snapshot)];
  return { actionId: start.actionId, event, from, state, status, deadlineMs };
}

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
