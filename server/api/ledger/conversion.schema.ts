import {
  CurrencyCode,
  explained,
  Id,
  Metadata,
  Timestamp,
  Type,
  type Static,
} from '../../../protocol/schema.ts';

const METADATA_MAX = 10; // docs/choices.md, Conversions

const RANGE = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const Minor = Type.Integer({ ...RANGE, description: 'Minor units' });
const Currency = Type.String({ description: 'ISO 4217' });
const Reason = Type.String({ minLength: 1, maxLength: 250, description: 'What it is for, for people' });

const FeeMinor = Type.Integer({ description: 'Minor units of the bought currency' });

const ConversionFees = Type.Object({
  total: explained(FeeMinor, 'Minor units of the bought currency, already taken from its amount'),
  ryft: Type.Optional(
    Type.Object({ amount: FeeMinor }, { description: 'What the service charges; absent for a sub account' }),
  ),
  platform: Type.Optional(
    Type.Object(
      {
        amount: explained(FeeMinor, "Minor units of the bought currency, the service's fee included"),
        ryftFee: Type.Object(
          { amount: FeeMinor },
          { description: 'The part of it that the service charges' },
        ),
      },
      { description: 'What the platform charges its sub account; present for a sub account alone' },
    ),
  ),
});
export type ConversionFees = Static<typeof ConversionFees>;

const Rate = Type.Number({ description: 'Units of the bought currency for one of the sold' });

/** One currency of an account sold for another: Spec §4.7. */
export const Conversion = Type.Object(
  {
    id: Id('conversion'),
    sell: Type.Object({ amount: Minor, currency: Currency }),
    buy: Type.Object({
      amount: Type.Optional(Type.Integer({ description: 'After fees; absent until priced' })),
      currency: Currency,
      fees: Type.Optional(ConversionFees),
    }),
    reason: Type.Optional(Reason),
    metadata: Type.Optional(Metadata(METADATA_MAX)),
    status: Type.Enum(['InProgress', 'Settled'], {
      description: 'Settled when what is bought is on the balance',
    }),
    rate: Type.Optional(Rate),
    estimatedSettlementDate: Type.Optional(Type.String({ description: 'yyyy-MM-dd; absent until priced' })),
    settledTimestamp: Type.Optional(Timestamp),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Conversion' },
);
export type Conversion = Static<typeof Conversion>;

export const ConversionCreate = Type.Object({
  sell: Type.Object({ amount: Minor, currency: CurrencyCode }),
  buy: Type.Object({ currency: CurrencyCode }),
  termAgreement: Type.Boolean({ description: 'Must be true' }),
  reason: Type.Optional(Reason),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});

export const RateQuery = Type.Object({
  sellCurrency: CurrencyCode,
  sellAmount: Type.Optional(Minor),
  amount: Type.Optional(
    Type.Integer({ ...RANGE, description: 'Another name of sellAmount; one of the two is needed' }),
  ),
  buyCurrency: CurrencyCode,
});

export const IndicativeRate = Type.Object(
  {
    sell: Type.Object({ amount: Minor, currency: Currency }),
    buy: Type.Object({
      amount: Type.Integer({ description: 'After fees' }),
      currency: Currency,
      fees: ConversionFees,
    }),
    rate: Rate,
    fees: ConversionFees,
    estimatedSettlementDate: Type.String({ description: 'yyyy-MM-dd' }),
  },
  { title: 'IndicativeRate' },
);
