import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** One way out of a state: where to, when, and what is done on the way; names only. */
export interface DescribedTransition {
  target?: string[];
  guard?: string;
  actions?: string[];
  reenter?: true;
}

/** The shape of a state, as XState's own configuration writes it. Members that would be empty are left out. */
export interface DescribedState {
  initial?: string;
  type?: 'final' | 'parallel' | 'history' | undefined;
  /** Of a history state: it remembers how deep the machine stood; else only the child. */
  history?: 'deep';
  /** Of a history state: where it leads while there is nothing to remember. */
  target?: string;
  tags?: string[];
  entry?: string[];
  on?: Record<string, DescribedTransition[]>;
  /** Taken by itself as soon as the state is entered. */
  always?: DescribedTransition[];
  states?: Record<string, DescribedState>;
}

export interface MachineDescription {
  machineId: string;
  definition: DescribedState & { id: string };
}

/**
 * What a machine looks like, as JSON. Not `machine.toJSON()`: that is 31 kB for the machine of a terminal, and the
 * broker keeps one for each terminal. `createMachine(definition)` makes a machine of the same states from it.
 */
export function describeMachine(machine: AnyStateMachine): MachineDescription {
  return { machineId: machine.id, definition: { id: machine.id, ...describeState(machine.root) } };
}

function describeState(node: AnyStateNode): DescribedState {
  const initial = node.initial?.target?.[0]?.key;
  const on = [...node.transitions].map(([event, transitions]) => [
    event,
    transitions.map(describeTransition),
  ]);
  const always = (node.always ?? []).map(describeTransition);
  const states = Object.entries(node.states).map(([key, child]) => [key, describeState(child)]);
  return {
    ...(initial && { initial }),
    ...describeKind(node),
    ...(node.tags.length > 0 && { tags: [...node.tags] }),
    ...(node.entry.length > 0 && { entry: node.entry.map(nameOf) }),
    ...(on.length > 0 && { on: Object.fromEntries(on) as Record<string, DescribedTransition[]> }),
    ...(always.length > 0 && { always }),
    ...(states.length > 0 && { states: Object.fromEntries(states) as Record<string, DescribedState> }),
  };
}

function describeKind({ type, history, config }: AnyStateNode): DescribedState {
  const { target } = config as { target?: unknown };
  return {
    ...((type === 'final' || type === 'parallel' || type === 'history') && { type }),
    ...(type === 'history' && history === 'deep' && { history: 'deep' as const }),
    ...(type === 'history' && typeof target === 'string' && { target }),
  };
}

function describeTransition(
  transition: AnyStateNode['transitions'] extends Map<string, (infer T)[]> ? T : never,
): DescribedTransition {
  const { target, guard, actions, reenter } = transition;
  return {
    ...(target && { target: target.map((state: AnyStateNode) => `#${state.id}`) }),
    ...(guard && { guard: nameOf(guard) }),
    ...(actions.length > 0 && { actions: actions.map(nameOf) }),
    ...(reenter && { reenter: true as const }),
  };
}

/** XState lets actions and guards be named, named with parameters, or written in place; ours are all named. */
function nameOf(thing: unknown): string {
  if (typeof thing === 'string') return thing;
  const { type, name } = thing as { type?: string; name?: string };
  return type ?? name ?? '(unnamed)';
}
