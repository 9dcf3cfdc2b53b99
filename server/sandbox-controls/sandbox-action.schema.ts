import { Id, Nullable, Timestamp, Type } from '../../protocol/schema.ts';
import { Action } from '../api/in-person/action.schema.ts';

/** An action as the server sees it: the fields of the API, and the state of its machine. */
export const SandboxAction = Type.Object(
  {
    ...Action.properties,
    terminalId: Id('terminal'),
    accountId: Id('account'),
    phase: Type.String({ description: "State of the action's state machine on the server" }),
    deadlineTimestamp: Nullable(
      Timestamp,
      'Time at which the current state times out: a Unix timestamp, in seconds. Null when it does not.',
    ),
  },
  { title: 'SandboxAction', description: 'A terminal action with its internal state' },
);
