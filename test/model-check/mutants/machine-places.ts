import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { reach } from '../places.ts';

/** Returns the states of a machine, its root included. */
export function statesOf(machine: AnyStateMachine): AnyStateNode[] {
  const below = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(below)];
  return below(machine.root);
}

/** The method by which XState asks a state for the transition of an event. Its types leave it out. */
export interface Asked {
  next(snapshot: unknown, event: { type: string }): AnyTransitionDefinition[] | undefined;
}

/** The place of an event in a state. */
export function eventPlace(node: AnyStateNode, event: string): string {
  return `${node.machine.id} ${node.id} on ${event}`;
}

/** The place of a list of a state. */
export function listPlace(node: AnyStateNode, list: (typeof LISTS)[number]): string {
  return `${node.machine.id} ${node.id} ${list}`;
}

/** The place of an update of the context. */
export function updatePlace(machine: AnyStateMachine, action: string): string {
  return `${machine.id} ${action}`;
}

const LISTS = ['entry', 'exit', 'always', 'tags', 'initial'] as const;

/** Makes a machine note each place that a transition comes to. */
export function notePlaces(machine: AnyStateMachine): void {
  for (const node of statesOf(machine)) {
    for (const list of LISTS) noteReads(node, list, listPlace(node, list));
    const asked = node as unknown as Asked;
    const next = asked.next.bind(node);
    asked.next = (snapshot, event) => {
      reach(eventPlace(node, event.type));
      return next(snapshot, event);
    };
  }
  for (const [name, action] of Object.entries(machine.implementations.actions))
    if (isUpdate(action)) noteReads(action, 'assignment', updatePlace(machine, name));
}

/** What `assign` of XState returns. */
interface Update {
  assignment: ((args: unknown, params: unknown) => object) | Record<string, unknown>;
}

export function isUpdate(action: unknown): action is Update {
  return typeof action === 'function' && 'assignment' in action;
}

function noteReads(target: object, property: string, place: string): void {
  let value = Reflect.get(target, property) as unknown;
  Object.defineProperty(target, property, {
    configurable: true,
    enumerable: true,
    get: () => {
      reach(place);
      return value;
    },
    set: (next) => {
      value = next;
    },
  });
}
