import { ActionStatus, ActionType } from '../../protocol/messages/action.messages.ts';
import { Id, Nullable, Type, withDescription } from '../../protocol/schema.ts';
import { SerialNumber } from '../platform/http/text.schema.ts';

/** A terminal as the sandbox shows it, real or simulated. */
export const SandboxTerminal = Type.Object(
  {
    id: Id('terminal'),
    serialNumber: SerialNumber('Serial number of the terminal'),
    name: Type.String({ description: 'Name of the terminal' }),
    accountId: Id('account', 'Unique identifier of the account that the terminal belongs to'),
    online: Type.Boolean({ description: 'Whether the terminal is connected' }),
    simulatedBy: Nullable(
      Type.String(),
      'Name of the simulator that runs the terminal; null when it did not give one',
    ),
    action: Nullable(
      Type.Object({
        id: Id('action'),
        type: withDescription(ActionType, 'Whether the action takes a payment or refunds one'),
        status: withDescription(
          ActionStatus,
          '`InProgress` until the action ends `Succeeded`, `Failed` or `Cancelled`',
        ),
      }),
      'Latest action of the terminal; null before the first',
    ),
    state: Nullable(
      Type.String(),
      "Last known state of the terminal's state machine; null when none is known",
    ),
  },
  { title: 'SandboxTerminal', description: 'A terminal with its connection and state' },
);
