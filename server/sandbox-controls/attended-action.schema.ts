import { CardholderScript } from '../../protocol/messages/cardholder-script.schema.ts';
import { CardholderMembers } from '../../protocol/messages/sandbox.messages.ts';
import { Type, withDescription } from '../../protocol/schema.ts';
import { TerminalPayment, TerminalRefund } from '../api/in-person/actions/action.schema.ts';

const cardholder = Type.Optional(
  Type.Object(
    {
      script: Type.Optional(
        withDescription(CardholderScript, 'What the simulated cardholder does; `tap` by default'),
      ),
      ...CardholderMembers,
    },
    {
      description:
        'What the simulated cardholder does in this action alone. Without it they do what was set for the terminal.',
    },
  ),
);

export const AttendedPayment = Type.Object({ ...TerminalPayment.properties, cardholder });
export const AttendedRefund = Type.Object({ ...TerminalRefund.properties, cardholder });
