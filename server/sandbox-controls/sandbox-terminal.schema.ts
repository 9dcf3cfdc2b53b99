import { ActionStatus, ActionType } from '../../protocol/messages/action.messages.ts';
import { Id, Nullable, Type } from '../../protocol/schema.ts';

/** A terminal as the sandbox shows it, real or simulated. */
export const SandboxTerminal = Type.Object(
  {
    id: Id('terminal'),
    serialNumber: Type.String(),
    name: Type.String(),
    accountId: Id('account'),
    online: Type.Boolean(),
    simulatedBy: Nullable(Type.String({ description: 'Who simulates it, where it was said' })),
    action: Nullable(Type.Object({ id: Id('action'), type: ActionType, status: ActionStatus })),
    state: Nullable(Type.String({ description: "Where the terminal's machine was last seen, if it was" })),
  },
  { title: 'SandboxTerminal' },
);
