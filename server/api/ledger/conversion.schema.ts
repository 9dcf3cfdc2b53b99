import {
  Currency,
  CurrencyCode,
  Metadata,
  PositiveAmount,
  SignedAmount,
  Timestamp,
  Type,
  withDescription,
  withExample,
  type Static,
} from '../../../protocol/schema.ts';
import { asExtension } from '../../platform/http/extensions.ts';
import { CREATED, CreateSchema, ObjectSchema, UPDATED } from '../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../platform/store/stored-property.ts';

const METADATA_MAX = 10; // docs/choices.md, Conversions

const Minor = withDescription(PositiveAmount, 'Amount to sell, in minor units of its currency');

const FeeMinor = withExample(
  withDescription(SignedAmount, 'Amount in minor units of the bought currency'),
  10,
);

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
export const CONVERSION = {
  sell: {
    create: Type.Object({ amount: Minor, currency: CurrencyCode }, { description: 'Money to sell' }),
    reply: Type.Object({ amount: Minor, currency: Currency }, { description: 'Money that is sold' }),
  },
  sellMinor: { schema: Minor, column: 'sell_minor', always: true, reply: 'hidden' },
  sellCurrency: { schema: CurrencyCode, column: 'sell_currency', always: true, reply: 'hidden' },
  buy: {
    create: Type.Object({ currency: CurrencyCode }, { description: 'Money to buy' }),
    reply: Type.Object(
      {
        amount: Type.Optional(
          withDescription(
            SignedAmount,
            'Bought amount, net of fees, in minor units of its currency. Absent until the conversion is priced.',
          ),
        ),
        currency: Currency,
        fees: Type.Optional(
          withDescription(ConversionFees, 'Fees of the conversion; absent until it is priced'),
        ),
      },
      { description: 'Money that is bought' },
    ),
  },
  buyMinor: { schema: Type.Integer(), column: 'buy_minor', reply: 'hidden' },
  buyCurrency: { schema: CurrencyCode, column: 'buy_currency', always: true, reply: 'hidden' },
  feeMinor: { schema: Type.Integer(), column: 'fee_minor', reply: 'hidden' },
  termAgreement: {
    create: Type.Boolean({
      description: 'Whether you agree to the terms of currency conversion; must be true',
    }),
    reply: 'hidden',
  },
  reason: {
    schema: Type.String({ minLength: 1, maxLength: 250, description: 'Reason for the conversion' }),
    column: 'reason',
    create: 'optional',
    searched: true,
  },
  metadata: { schema: Metadata(METADATA_MAX), column: 'metadata', create: 'optional', searched: true },
  status: {
    schema: Type.Enum(['InProgress', 'Settled'], {
      description: '`InProgress` until the bought money is on the balance, then `Settled`',
    }),
    column: 'status',
    initial: 'InProgress',
  },
  rateMillionths: { schema: Type.Integer(), column: 'rate_millionths', reply: 'hidden' },
  rate: {
    reply: Type.Optional(
      withDescription(
        Rate,
        'Exchange rate: units of the bought currency for one unit of the sold currency. Absent until the conversion is priced.',
      ),
    ),
  },
  estimatedSettlementDate: {
    schema: Type.String({
      description:
        'Date on which the conversion is expected to settle, in the form `yyyy-MM-dd`. Absent until it is priced.',
    }),
    column: 'settlement_date',
  },
  settledTimestamp: {
    reply: Type.Optional(
      withDescription(
        Timestamp,
        'Time at which the bought money was added to the balance: a Unix timestamp, in seconds. Absent until then.',
      ),
    ),
  },
  createdBy: {
    schema: Type.Object(
      {
        id: Type.String({ description: 'Id of the account whose API key created the conversion' }),
        name: Type.Optional(Type.String({ description: 'Name of that account' })),
      },
      { description: 'Who created the conversion; absent for one that an earlier version created' },
    ),
    column: 'created_by',
  },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: { ...UPDATED, schema: asExtension('conversion-update', UPDATED.schema) },
} as const satisfies Properties;

export const Conversion = ObjectSchema('conversion', CONVERSION, {
  title: 'Conversion',
  description: 'A conversion of a balance from one currency to another',
});
export type Conversion = Static<typeof Conversion>;

export const ConversionCreate = CreateSchema(CONVERSION);

export const RateQuery = Type.Object({
  sellCurrency: withDescription(
    CurrencyCode,
    'Three-letter ISO 4217 code of the currency to sell, in uppercase',
  ),
  sellAmount: Type.Optional(withDescription(Minor, 'Amount to sell, in minor units of `sellCurrency`')),
  amount: Type.Optional(
    withDescription(PositiveAmount, 'Alternative name of `sellAmount`. One of the two is required.'),
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
        amount: withDescription(
          SignedAmount,
          'Amount that would be bought, net of fees, in minor units of its currency',
        ),
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
