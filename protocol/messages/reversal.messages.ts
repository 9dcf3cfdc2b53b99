import { defineMessage } from '../message.ts';
import { AmountMinor, Id, Type, withDescription, type Static } from '../schema.ts';
import { Reason } from './action.messages.ts';

/** Identifies one outcome of one reversal. Neither message is numbered: most follow the end of their action. */
const reversal = {
  actionId: Id('action'),
  reference: Type.Optional(
    Type.String({
      pattern: '^[ -~]{1,40}$',
      description:
        'Reference of the transaction at the device, such as its receipt number. Absent when the device gave none.',
    }),
  ),
  outcome: Type.Enum(['Reversed', 'NotReversed'], {
    description: 'Whether the transaction is reversed at the bank of the device',
  }),
  atMs: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'When the device answered: epoch milliseconds, sandbox time',
  }),
};

export const ReportedReversal = Type.Object({
  ...reversal,
  amountMinor: withDescription(AmountMinor, 'Amount of the transaction, in minor units of the currency'),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'ISO 4217 code of the currency of the transaction; `XXX` for one that is not accepted here',
  }),
  reason: Type.Optional(
    withDescription(Reason, 'Why it is not reversed, in words: one printable line, without card numbers'),
  ),
});
export type ReportedReversal = Static<typeof ReportedReversal>;

export const ReversalReported = defineMessage({
  name: 'reversal.reported',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary:
    'A payment terminal reversed a transaction at its own bank, or refused to. Repeated until the server has recorded it. It moves no money at the server.',
  body: ReportedReversal,
});

export const ReversalRecorded = defineMessage({
  name: 'reversal.recorded',
  audience: 'terminals',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'The server has recorded a `reversal.reported`, which the terminal does not repeat any more.',
  body: Type.Object(reversal),
});
