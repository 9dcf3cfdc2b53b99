import type { SnapshotFrom } from 'xstate';
import type { ActionStatus } from '../../protocol/messages/action.messages.ts';
import type { actionMachine } from './action.machine.ts';

/** Where the machine of an action stands. */
export type ActionSnapshot = SnapshotFrom<typeof actionMachine>;

/** The one leaf of the active states, as a dotted path. */
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

/** The status of the action, as the API calls it: each state carries exactly one. */
export function statusOf(snapshot: ActionSnapshot): ActionStatus {
  return [...snapshot.tags][0] as ActionStatus;
}
