import {
  AmountMinor,
  CurrencyCode,
  Id,
  Metadata,
  Nullable,
  Timestamp,
  Type,
  type Static,
} from '../../../protocol/schema.ts';
import { CalendarDate } from '../accounts/details.schema.ts';
import { PAYOUT_COUNTS, PAYOUT_SUMS } from './payout-calculation.ts';
import { BankAccount } from './payout-method.schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.schema.ts';

export const PAYOUT_METADATA_MAX = 5; // Spec §2.1

const { bankIdType, bankId, bankName, accountNumberType, last4 } = BankAccount.properties;

const Sum = Type.Integer({ description: 'Minor units' });
const Count = Type.Integer({ minimum: 0 });

/** What a payout is made of, each sum without its sign: Spec §2.6. */
export const PayoutCalculation = Type.Object(
  {
    ...(Object.fromEntries(PAYOUT_SUMS.map((name) => [name, Sum])) as Record<
      (typeof PAYOUT_SUMS)[number],
      typeof Sum
    >),
    payoutAmount: Type.Integer({
      description:
        'The amount of the payout: what came less what went, with what was carried over, adjusted or returned',
    }),
    currency: Type.String({ description: 'ISO 4217' }),
    ...(Object.fromEntries(PAYOUT_COUNTS.map((name) => [name, Count])) as Record<
      (typeof PAYOUT_COUNTS)[number],
      typeof Count
    >),
  },
  { title: 'PayoutCalculation' },
);

export const PayoutStatus = Type.Enum([
  'Pending',
  'InProgress',
  'Completed',
  'Failed',
  'PendingAccountVerification',
  'PendingTransactionVerification',
  'PendingPayoutMethodAction',
  'PendingAccountAction',
  'Cancelled',
  'Expired',
  'Recalled',
  'Returned',
]);

const Taken = { ...CalendarDate, deprecated: true };

const takenDates = {
  paymentsTakenDate: Type.Optional(Taken),
  paymentsTakenDateFrom: Taken,
  paymentsTakenDateTo: Taken,
};

/** Money that went from an account to its bank account: Spec §2.6. */
export const Payout = Type.Object(
  {
    id: Id('payout'),
    ...takenDates,
    amount: AmountMinor,
    currency: Type.String({ description: 'ISO 4217' }),
    status: PayoutStatus,
    scheduleType: Type.Enum(['Automatic', 'Manual']),
    payoutMethod: Type.Object({
      id: Id('payoutMethod'),
      bankAccount: Type.Object({ bankIdType, bankId, bankName, accountNumberType, last4 }),
    }),
    failureReason: Type.Optional(Type.Enum(['InvalidPayoutMethod'])),
    payoutCalculation: PayoutCalculation,
    scheme: Type.Enum(['Ach', 'Bacs', 'Chaps', 'Fps', 'Swift', 'Sepa', 'SepaInstant']),
    metadata: Type.Optional(Metadata(PAYOUT_METADATA_MAX)),
    createdTimestamp: Timestamp,
    scheduledTimestamp: Type.Integer({ description: 'Epoch seconds: when it is due' }),
    completedTimestamp: Type.Optional(
      Type.Integer({ description: 'Epoch seconds: when it moved to Completed' }),
    ),
  },
  { title: 'Payout' },
);
export type Payout = Static<typeof Payout>;

export const PayoutCreate = Type.Object({
  amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Minor units' }),
  currency: CurrencyCode,
  payoutMethodId: Type.String({ minLength: 1, maxLength: 100 }),
  metadata: Type.Optional(Metadata(PAYOUT_METADATA_MAX)),
});

// Client libraries differ in what they call things: the specification says paginationToken and payouts, newer
// ones startsAfter and items; one writes start and end (docs/choices.md, Payouts).
export const PayoutQuery = Type.Object({
  ...PageQuery.properties,
  paginationToken: Type.Optional(
    Type.String({ description: 'Another name of startsAfter, which goes first' }),
  ),
  ...TimeWindow,
  start: Type.Optional({ ...Timestamp, description: 'Another name of startTimestamp, which goes first' }),
  end: Type.Optional({ ...Timestamp, description: 'Another name of endTimestamp, which goes first' }),
  startDate: Type.Optional({
    ...CalendarDate,
    description: 'Payments taken on this day or later, yyyy-MM-dd',
  }),
  endDate: Type.Optional({
    ...CalendarDate,
    description: 'Payments taken on this day or before, yyyy-MM-dd',
  }),
});

export const PayoutPage = Type.Object({
  payouts: Type.Array(Payout),
  items: Type.Array(Payout, { description: 'The same as payouts' }),
  paginationToken: Nullable(Type.String()),
});
