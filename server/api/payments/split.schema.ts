import { Id, Metadata, Type, type Static } from '../../../protocol/schema.ts';

export const SPLITS_MAX = 50;
const SPLIT_METADATA_MAX = 10;

const PositiveAmount = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const Description = Type.String({ minLength: 1, maxLength: 250 });

/** How a payment is divided between sub accounts when it is captured (Spec §2.2, splits). */
export const SplitRequest = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        accountId: Id('account'),
        amount: PositiveAmount,
        description: Type.Optional(Description),
        fee: Type.Optional(
          Type.Object(
            { amount: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
            { description: 'What of this part the platform keeps, at most all of it' },
          ),
        ),
        metadata: Type.Optional(Metadata(SPLIT_METADATA_MAX)),
      }),
      { maxItems: SPLITS_MAX },
    ),
  },
  { title: 'SplitRequest', description: 'The parts add up to at most the amount; the rest stays' },
);
export type SplitRequest = Static<typeof SplitRequest>;

/** Which parts of a captured payment are given back. */
export const SplitRefund = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Type.String({ description: 'A part of the capture' }),
        amount: Type.Optional(PositiveAmount),
        fee: Type.Optional(
          Type.Object(
            { amount: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
            { description: 'What the platform gives back of its fee on this part' },
          ),
        ),
      }),
      { minItems: 1, maxItems: SPLITS_MAX },
    ),
  },
  { title: 'SplitRefund', description: 'A part without an amount is given back whole' },
);
export type SplitRefund = Static<typeof SplitRefund>;

/** One part of a payment, as sessions, captures and refunds show it. */
export const Split = Type.Object(
  {
    id: Id('split'),
    accountId: Id('account'),
    amount: PositiveAmount,
    fee: Type.Optional(Type.Object({ amount: Type.Integer() })),
    description: Type.Optional(Type.String()),
    metadata: Type.Optional(Metadata(SPLIT_METADATA_MAX)),
  },
  { title: 'Split' },
);
export type Split = Static<typeof Split>;

export const SplitPaymentDetail = Type.Object({ items: Type.Array(Split) });
