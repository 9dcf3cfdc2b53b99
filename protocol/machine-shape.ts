import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** A transition: target, guard and actions, by name. */
export interface DescribedTransition {
  target?: string[];
  guard?: string;
  actions?: string[];
  reenter?: true;
}

/** A state in XState's configuration format. Empty properties are left out. */
export interface DescribedState {
  initial?: string;
  type?: 'final' | 'parallel' | 'history' | undefined;
  /** `deep` for a deep history state; otherwise it is shallow. */
  history?: 'deep';
  /** Default target of a history state. */
  target?: string;
  tags?: string[];
  entry?: string[];
  on?: Record<string, DescribedTransition[]>;
  /** Eventless transitions. */
  always?: DescribedTransition[];
  states?: Record<string, DescribedState>;
}

export interface MachineDescription {
  machineId: string;
  definition: DescribedState & { id: string };
}

/**
 * Returns a JSON description of a machine's states. Smaller than `machine.toJSON()`, which is 31 kB for a terminal's
 * machine, of which the broker retains one per terminal. `createMachine(definition)` creates a machine with the same
 * states.
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

/** Returns the name of an action or guard. XState also allows inline functions; ours are all named. */
function nameOf(thing: unknown): string {
  if (typeof thing === 'string') return thing;
  const { type, name } = thing as { type?: string; name?: string };
  return type ?? name ?? '(unnamed)';
}
