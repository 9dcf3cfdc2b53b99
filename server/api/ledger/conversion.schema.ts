import {
  CreatedTimestamp,
  Currency,
  CurrencyCode,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { asExtension } from '../../platform/http/extensions.ts';

const METADATA_MAX = 10; // docs/choices.md, Conversions

const RANGE = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const Minor = Type.Integer({ ...RANGE, description: 'Amount to sell, in minor units of its currency' });
const Reason = Type.String({ minLength: 1, maxLength: 250, description: 'Reason for the conversion' });

const FeeMinor = Type.Integer({ description: 'Amount in minor units of the bought currency' });

const ConversionFees = Type.Object({
  total: asExtension(
    'conversion-total',
    withDescription(
      FeeMinor,
      'All fees, in minor units of the bought currency. The bought amount is net of them.',
    ),
  ),
  ryft: Type.Optional(
    Type.Object({ amount: FeeMinor }, { description: 'Fee of the service; absent for a sub account' }),
  ),
  platform: Type.Optional(
    Type.Object(
      {
        amount: withDescription(
          FeeMinor,
          'Fee of the platform, including that of the service, in minor units of the bought currency',
        ),
        ryftFee: Type.Object(
          { amount: FeeMinor },
          { description: 'Part of the fee that goes to the service' },
        ),
      },
      { description: 'Fee of the platform; present only for a sub account' },
    ),
  ),
});
export type ConversionFees = Static<typeof ConversionFees>;

const Rate = Type.Number({
  description: 'Exchange rate: units of the bought currency for one unit of the sold currency',
});

/** The sale of one currency of an account for another: Spec §4.7. */
export const Conversion = Type.Object(
  {
    id: Id('conversion'),
    sell: Type.Object({ amount: Minor, currency: Currency }, { description: 'Money that is sold' }),
    buy: Type.Object(
      {
        amount: Type.Optional(
          Type.Integer({
            description:
              'Bought amount, net of fees, in minor units of its currency. Absent until the conversion is priced.',
          }),
        ),
        currency: Currency,
        fees: Type.Optional(
          withDescription(ConversionFees, 'Fees of the conversion; absent until it is priced'),
        ),
      },
      { description: 'Money that is bought' },
    ),
    reason: Type.Optional(Reason),
    metadata: Type.Optional(Metadata(METADATA_MAX)),
    status: Type.Enum(['InProgress', 'Settled'], {
      description: '`InProgress` until the bought money is on the balance, then `Settled`',
    }),
    rate: Type.Optional(
      withDescription(
        Rate,
        'Exchange rate: units of the bought currency for one unit of the sold currency. Absent until the conversion is priced.',
      ),
    ),
    estimatedSettlementDate: Type.Optional(
      Type.String({
        description:
          'Date on which the conversion is expected to settle, in the form `yyyy-MM-dd`. Absent until it is priced.',
      }),
    ),
    settledTimestamp: Type.Optional(
      withDescription(
        Timestamp,
        'Time at which the bought money was added to the balance: a Unix timestamp, in seconds. Absent until then.',
      ),
    ),
    createdBy: Type.Optional(
      Type.Object(
        {
          id: Type.String({ description: 'Id of the account whose API key created the conversion' }),
          name: Type.Optional(Type.String({ description: 'Name of that account' })),
        },
        { description: 'Who created the conversion; absent for one that an earlier version created' },
      ),
    ),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: asExtension('conversion-update', LastUpdatedTimestamp),
  },
  { title: 'Conversion', description: 'A conversion of a balance from one currency to another' },
);
export type Conversion = Static<typeof Conversion>;

export const ConversionCreate = Type.Object({
  sell: Type.Object({ amount: Minor, currency: CurrencyCode }, { description: 'Money to sell' }),
  buy: Type.Object({ currency: CurrencyCode }, { description: 'Money to buy' }),
  termAgreement: Type.Boolean({
    description: 'Whether you agree to the terms of currency conversion; must be true',
  }),
  reason: Type.Optional(Reason),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});

export const RateQuery = Type.Object({
  sellCurrency: withDescription(
    CurrencyCode,
    'Three-letter ISO 4217 code of the currency to sell, in uppercase',
  ),
  sellAmount: Type.Optional(withDescription(Minor, 'Amount to sell, in minor units of `sellCurrency`')),
  amount: Type.Optional(
    Type.Integer({ ...RANGE, description: 'Alternative name of `sellAmount`. One of the two is required.' }),
  ),
  buyCurrency: withDescription(
    CurrencyCode,
    'Three-letter ISO 4217 code of the currency to buy, in uppercase',
  ),
});

export const IndicativeRate = Type.Object(
  {
    sell: Type.Object({ amount: Minor, currency: Currency }, { description: 'Money that would be sold' }),
    buy: Type.Object(
      {
        amount: Type.Integer({
          description: 'Amount that would be bought, net of fees, in minor units of its currency',
        }),
        currency: Currency,
        fees: withDescription(ConversionFees, 'Fees that would apply'),
      },
      { description: 'Money that would be bought' },
    ),
    rate: Rate,
    fees: asExtension(
      'rate-fees',
      withDescription(ConversionFees, 'Fees that would apply, as in `buy.fees`'),
    ),
    estimatedSettlementDate: Type.String({
      description: 'Date on which a conversion made now is expected to settle, in the form `yyyy-MM-dd`',
    }),
  },
  { title: 'IndicativeRate', description: 'An estimate of a conversion. The rate is not guaranteed.' },
);
