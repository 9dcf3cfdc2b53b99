import {
  createActor,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type ContextFrom,
  type EventFromLogic,
  type ExecutableActionsFrom,
  type InputFrom,
  type SnapshotFrom,
  type StateMachine,
} from 'xstate';
import { Fault } from './failures.ts';
import { isOneOf } from './tables.ts';

/** A snapshot of a machine, and the actions that lead to it and are for the caller to run, in order. */
type Transition<Machine extends AnyStateMachine> = [SnapshotFrom<Machine>, ExecutableActionsFrom<Machine>[]];

/** `initialTransition` and `transition` of XState for one machine. */
interface Transitions<Machine extends AnyStateMachine> {
  initial(input: InputFrom<Machine>): Transition<Machine>;
  next(snapshot: SnapshotFrom<Machine>, event: EventFromLogic<Machine>): Transition<Machine>;
}

/**
 * Returns the pure transitions of a machine that starts no actors. XState's own functions create an actor for each
 * call, and with it the machine's first snapshot, which takes most of their time; these share one actor.
 */
export function transitionsOf<Machine extends AnyStateMachine>(machine: Machine): Transitions<Machine> {
  const untyped: AnyStateMachine = machine;
  const self = createActor(untyped);
  const run = (take: (scope: Scope) => AnyMachineSnapshot): Transition<Machine> => {
    const actions: ExecutableActionsFrom<Machine>[] = [];
    const snapshot = take({
      self,
      system: self.system,
      id: '',
      sessionId: '',
      logger: ignore,
      defer: ignore,
      stopChild: ignore,
      emit: ignore,
      actionExecutor: (action) => void actions.push(action as ExecutableActionsFrom<Machine>),
    });
    return [snapshot as SnapshotFrom<Machine>, actions];
  };
  return {
    initial: (input) => run((scope) => untyped.getInitialSnapshot(scope, input)),
    next: (snapshot, event) => run((scope) => untyped.transition(snapshot, event, scope)),
  };
}

type Scope = Parameters<AnyStateMachine['transition']>[2];

function ignore(): void {}

/** States as dotted paths: `held.queued`. */
type StatePath<At> = At extends string
  ? At
  : { [Key in keyof At & string]: `${Key}.${StatePath<At[Key]>}` }[keyof At & string];

// oxlint-disable no-explicit-any -- of the parameters of a machine only its actions and its tags are looked at
type ActionOf<Machine extends AnyStateMachine> =
  Machine extends StateMachine<
    any,
    any,
    any,
    any,
    infer Action,
    any,
    any,
    any,
    any,
    any,
    any,
    any,
    any,
    any,
    any
  >
    ? Action
    : never;
type TagOf<Machine extends AnyStateMachine> =
  Machine extends StateMachine<
    any,
    any,
    any,
    any,
    any,
    any,
    any,
    any,
    infer Tag,
    any,
    any,
    any,
    any,
    any,
    any
  >
    ? Tag
    : never;
// oxlint-enable no-explicit-any

type Effect<Machine extends AnyStateMachine, Type extends string> = Extract<
  ActionOf<Machine>,
  { type: Type }
>;

/** Where a machine is after an event, and what it asks to be done. */
export interface Step<Machine extends AnyStateMachine, State extends string, EffectType extends string> {
  /** Dotted path. */
  state: State;
  /** The tag of the state. */
  status: TagOf<Machine>;
  context: ContextFrom<Machine>;
  /** In the order in which the machine names them. */
  effects: Effect<Machine, EffectType>[];
  /** Whether the state is a final one. */
  done: boolean;
}

/** The states in which a machine can come to rest, as dotted paths: all but those that it leaves by itself at once. */
export type StableState<Machine extends AnyStateMachine, Transient extends string = never> = Exclude<
  StatePath<SnapshotFrom<Machine>['value']>,
  Transient
>;

interface StepOptions<Transient extends string, EffectType extends string> {
  /** The states that the machine leaves by itself at once; none by default. */
  transient?: readonly Transient[];
  /** The actions that the caller performs; all others only assign to the context. */
  effects: readonly EffectType[];
}

/**
 * Returns the function that takes one step of a machine: from a state and its context, by an event. The function
 * returns undefined when the event changes nothing there. Each state has one tag, its status.
 * @throws Fault `internal` when the machine ends a step in a transient state, or names an effect that is not listed.
 */
export function stepsOf<
  Machine extends AnyStateMachine,
  const Transient extends StatePath<SnapshotFrom<Machine>['value']> = never,
  const EffectType extends ActionOf<Machine>['type'] = never,
>(machine: Machine, { transient = [], effects }: StepOptions<Transient, EffectType>) {
  type State = StableState<Machine, Transient>;
  const untyped: AnyStateMachine = machine;
  const transitions = transitionsOf(untyped);
  return (
    before: { state: State; context: ContextFrom<Machine> },
    event: EventFromLogic<Machine>,
  ): Step<Machine, State, EffectType> | undefined => {
    const stable = untyped.resolveState({ value: valueOf(before.state), context: before.context });
    if (!stable.can(event)) return undefined;
    const [after, actions] = transitions.next(stable, event);
    const state = pathOf(after.value);
    if (isOneOf(transient, state))
      throw new Fault('internal', `the machine ${machine.id} came to rest in ${state}`);
    return {
      state: state as State,
      status: tagOf<Machine>(after),
      context: after.context as ContextFrom<Machine>,
      effects: actions.map(({ type, params }) => {
        if (isOneOf(effects, type)) return { type, params } as Effect<Machine, EffectType>;
        throw new Fault('internal', `the machine ${machine.id} asks for ${type}`);
      }),
      done: after.status === 'done',
    };
  };
}

/** Returns the status of a machine in a state. */
export function statusOf<Machine extends AnyStateMachine>(
  machine: Machine,
  at: { state: StatePath<SnapshotFrom<Machine>['value']>; context: ContextFrom<Machine> },
): TagOf<Machine> {
  return tagOf<Machine>(machine.resolveState({ value: valueOf(at.state), context: at.context }));
}

function tagOf<Machine extends AnyStateMachine>({ tags }: { tags: Set<string> }): TagOf<Machine> {
  const [tag] = tags;
  return tag as TagOf<Machine>;
}

type Value = string | { [key: string]: Value };

function valueOf(path: string): Value {
  return path
    .split('.')
    .reduceRight<Value | undefined>((inner, key) => (inner ? { [key]: inner } : key), undefined)!;
}

function pathOf(value: Value): string {
  if (typeof value === 'string') return value;
  const [[key, inner]] = Object.entries(value) as [[string, Value]];
  return `${key}.${pathOf(inner)}`;
}
