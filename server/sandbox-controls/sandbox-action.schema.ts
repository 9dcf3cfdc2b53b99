import { Id, Nullable, Timestamp, Type } from '../../protocol/schema.ts';
import { Action } from '../api/in-person/action.schema.ts';

/** An action as the server sees it: what the API shows of it, and where it stands. */
export const SandboxAction = Type.Object(
  {
    ...Action.properties,
    terminalId: Id('terminal'),
    accountId: Id('account'),
    phase: Type.String({ description: "The state of the server's machine of the action" }),
    deadlineTimestamp: Nullable(Timestamp),
  },
  { title: 'SandboxAction' },
);
