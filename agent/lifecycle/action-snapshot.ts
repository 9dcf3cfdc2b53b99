import type { SnapshotFrom } from 'xstate';
import type { ActionStatus } from '../../protocol/messages/action.messages.ts';
import type { actionMachine } from './action.machine.ts';

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

/** Returns the status of the action in the API, which is the one tag of each state. */
export function statusOf(snapshot: ActionSnapshot): ActionStatus {
  return [...snapshot.tags][0] as ActionStatus;
}
