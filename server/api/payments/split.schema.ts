import {
  Id,
  Metadata,
  PlatformFeeMinor,
  PositiveAmount,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';

const SPLITS_MAX = 50;
const SPLIT_METADATA_MAX = 10;

/** A fee in a reply. */
const FeeMinor = Type.Integer({ examples: [100] });
const Description = Type.String({ minLength: 1, maxLength: 250 });

/** How a payment is divided between sub accounts when it is captured (Spec §2.2, splits). */
export const SplitRequest = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        accountId: Id('account', 'Unique identifier of the sub account that receives this part'),
        amount: withDescription(
          PositiveAmount,
          'Amount of this part, in minor units of the currency of the session',
        ),
        description: Type.Optional(withDescription(Description, 'Description of this part')),
        fee: Type.Optional(
          Type.Object(
            {
              amount: withDescription(
                PlatformFeeMinor,
                'Fee in minor units of the currency of the session, at most the amount of this part',
              ),
            },
            { description: 'Fee that the platform keeps of this part' },
          ),
        ),
        metadata: Type.Optional(Metadata(SPLIT_METADATA_MAX)),
      }),
      { maxItems: SPLITS_MAX, description: 'Parts of the amount that go to sub accounts' },
    ),
  },
  {
    title: 'SplitRequest',
    description:
      'How to divide the amount between sub accounts. The splits add up to at most the amount; the rest stays with the account.',
  },
);
export type SplitRequest = Static<typeof SplitRequest>;

/** Splits of a captured payment to refund. */
export const SplitRefund = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: Type.String({ description: 'Id of a split of the capture' }),
        amount: Type.Optional(
          withDescription(
            PositiveAmount,
            'Amount to refund of this split, in minor units of the currency of the session. Defaults to all that is left of it.',
          ),
        ),
        fee: Type.Optional(
          Type.Object(
            {
              amount: withDescription(
                PlatformFeeMinor,
                'Fee to refund, in minor units of the currency of the session',
              ),
            },
            { description: 'Part of the platform fee of this split to refund' },
          ),
        ),
      }),
      { minItems: 1, maxItems: SPLITS_MAX, description: 'Splits to refund' },
    ),
  },
  { title: 'SplitRefund', description: 'Splits to refund' },
);
export type SplitRefund = Static<typeof SplitRefund>;

/** One split, as sessions, captures and refunds show it. */
export const Split = Type.Object(
  {
    id: Id('split'),
    accountId: Id('account', 'Unique identifier of the sub account that receives this part'),
    amount: withDescription(
      PositiveAmount,
      'Amount of this part, in minor units of the currency of the session',
    ),
    fee: Type.Optional(
      Type.Object(
        { amount: withDescription(FeeMinor, 'Fee in minor units of the currency of the session') },
        { description: 'Fee that the platform keeps of this part; absent when there is none' },
      ),
    ),
    description: Type.Optional(Type.String({ description: 'Description of this part' })),
    metadata: Type.Optional(Metadata(SPLIT_METADATA_MAX)),
  },
  { title: 'Split', description: 'Part of a payment that goes to a sub account' },
);
export type Split = Static<typeof Split>;

export const SplitPaymentDetail = Type.Object({
  items: Type.Array(Split, { description: 'Parts of the amount that go to sub accounts' }),
});
