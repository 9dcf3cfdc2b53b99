import {
  AmountMinor,
  CreatedTimestamp,
  CurrencyText,
  Id,
  Nullable,
  Timestamp,
  Type,
  withDescription,
} from '../../protocol/schema.ts';
import { Action } from '../api/in-person/actions/action.schema.ts';

const DeviceReversal = Type.Object({
  reference: Nullable(
    Type.String(),
    'Reference of the transaction at the terminal: for ZVT its receipt number, and the id of the terminal. Null when the terminal gave none.',
  ),
  outcome: Type.Enum(['Reversed', 'NotReversed'], { description: 'Whether the transaction is reversed' }),
  amount: withDescription(AmountMinor, 'Amount of the transaction, in minor units of `currency`'),
  currency: CurrencyText(
    'ISO 4217 code of the currency of the transaction; `XXX` for one that is not accepted here',
  ),
  reason: Nullable(Type.String(), 'Why it is not reversed, in words; null when it is'),
  createdTimestamp: withDescription(
    CreatedTimestamp,
    'Time at which the terminal answered: a Unix timestamp, in seconds',
  ),
});

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
    deviceReversals: Type.Array(DeviceReversal, {
      description:
        'What its payment terminal reversed at its own bank, or could not, the oldest first. The payment stays as it is.',
    }),
  },
  { title: 'SandboxAction', description: 'A terminal action with its internal state' },
);
