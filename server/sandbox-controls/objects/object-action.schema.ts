import { CurrencyText, Id, Nullable, Type, type Static } from '../../../protocol/schema.ts';

/** A member of the body that the caller of an action chooses. */
const ActionField = Type.Object({
  member: Type.String({ description: 'Member of the body, as a dotted path', examples: ['amount'] }),
  label: Type.String({ description: 'What a form calls it', examples: ['Amount'] }),
  type: Type.Enum(['amount', 'choice', 'text', 'boolean', 'timestamp'], {
    description:
      '`amount` in minor units, `choice` one of `options`, `timestamp` in seconds. Others are as in JSON.',
  }),
  required: Type.Boolean({ description: 'Whether the body must have it' }),
  options: Type.Optional(Type.Array(Type.String(), { description: 'Values of a choice' })),
  optionLabels: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What a form calls the values of a choice, where not by themselves',
    }),
  ),
  maxLength: Type.Optional(Type.Integer({ description: 'Most characters of a text', examples: [250] })),
  maximum: Type.Optional(
    Type.Integer({
      description: 'Largest amount, in minor units of `currency`, which is the default',
      examples: [1742],
    }),
  ),
  currency: Type.Optional(CurrencyText('ISO 4217 code of an amount')),
});
export type ActionField = Static<typeof ActionField>;

/** An operation that an object allows in its present state. */
export const ObjectAction = Type.Object(
  {
    name: Type.String({ description: 'Name of the action', examples: ['refund'] }),
    label: Type.String({ description: 'What a button calls it', examples: ['Refund'] }),
    method: Type.Enum(['POST', 'PATCH', 'DELETE'], { description: 'HTTP method' }),
    path: Type.String({ description: 'Path', examples: ['/v1/payment-sessions/ps_1/refunds'] }),
    accountId: Nullable(Id('account'), 'Value of the Account header; null where the operation has none'),
    body: Type.Object({}, { additionalProperties: true, description: 'Members that the body always has' }),
    fields: Type.Array(ActionField, { description: 'Members of the body that the caller chooses' }),
  },
  { title: 'ObjectAction', description: 'An operation that an object allows in its present state' },
);
export type ObjectAction = Static<typeof ObjectAction>;
