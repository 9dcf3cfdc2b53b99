import {
  AmountMinor,
  Currency,
  CurrencyCode,
  DateText,
  Id,
  Metadata,
  Nullable,
  PositiveAmount,
  Timestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { CalendarDate } from '../accounts/details.schema.ts';
import { PayoutCalculation } from './payout-calculation.schema.ts';
import { BankAccount } from '../accounts/payout-method.schema.ts';
import { CREATED, CreateSchema, ObjectSchema } from '../../platform/http/openapi/object-schemas.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { TimeWindow } from '../../platform/http/time-window.ts';
import type { Properties } from '../../platform/store/stored-property.ts';

const PAYOUT_METADATA_MAX = 5; // Spec §2.1

const { bankIdType, bankId, bankName, accountNumberType, last4 } = BankAccount.properties;

export const PayoutStatus = Type.Enum(
  [
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
  ],
  {
    description:
      '`InProgress` until the bank accepts it (`Completed`) or refuses it (`Failed`). `Pending` and the other `Pending` statuses wait for what they name. `Cancelled`, `Expired`, `Recalled` and `Returned` payouts give the money back to the balance.',
  },
);

const takenDate = (description: string) => DateText(description, { format: 'date', deprecated: true });

/** Money that went from an account to its bank account: Spec §2.6. */
export const PAYOUT = {
  /** Days on which its payments were taken. */
  takenFrom: { schema: CalendarDate, column: 'taken_from', reply: 'hidden' },
  takenTo: { schema: CalendarDate, column: 'taken_to', reply: 'hidden' },
  paymentsTakenDate: {
    reply: Type.Optional(
      takenDate(
        'Date on which the payments were taken, when it is a single day, in the form `yyyy-MM-dd`. Use `payoutId` of the balance transactions instead.',
      ),
    ),
  },
  paymentsTakenDateFrom: {
    reply: takenDate(
      'First date on which payments of this payout were taken, in the form `yyyy-MM-dd`. Use `payoutId` of the balance transactions instead.',
    ),
  },
  paymentsTakenDateTo: {
    reply: takenDate(
      'Last date on which payments of this payout were taken, in the form `yyyy-MM-dd`. Use `payoutId` of the balance transactions instead.',
    ),
  },
  amount: {
    schema: withDescription(AmountMinor, 'Amount paid out, in minor units of `currency`'),
    column: 'amount_minor',
    always: true,
    create: withDescription(PositiveAmount, 'Amount to pay out, in minor units of `currency`'),
  },
  currency: { schema: Currency, column: 'currency', always: true, create: CurrencyCode },
  status: { schema: PayoutStatus, column: 'status', initial: 'InProgress' },
  scheduleType: {
    schema: Type.Enum(['Automatic', 'Manual'], {
      description: '`Automatic` for a payout that the schedule made, `Manual` for one that a request made',
    }),
    column: 'schedule_type',
    always: true,
  },
  payoutMethodId: {
    schema: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Id of a `Valid` payout method of the account, in the same currency',
    }),
    column: 'method_id',
    create: 'required',
    reply: 'hidden',
  },
  /** As it was when the payout was made. Earlier versions stored no type of its bank id. */
  bankAccount: {
    schema: Type.Object({
      bankIdType: Type.Optional(bankIdType),
      bankId,
      bankName,
      accountNumberType,
      last4,
    }),
    column: 'method',
    always: true,
    reply: 'hidden',
  },
  payoutMethod: {
    reply: Type.Object(
      {
        id: Id('payoutMethod'),
        bankAccount: Type.Object(
          { bankIdType, bankId, bankName, accountNumberType, last4 },
          { description: 'Bank account that is paid to' },
        ),
      },
      { description: 'Payout method, as it was when the payout was made' },
    ),
  },
  failureReason: {
    schema: Type.Enum(['InvalidPayoutMethod'], {
      description: 'Reason why the payout is `Failed`; absent otherwise',
    }),
    column: 'failure_reason',
  },
  payoutCalculation: { schema: PayoutCalculation, column: 'calculation', always: true },
  scheme: {
    schema: Type.Enum(['Ach', 'Bacs', 'Chaps', 'Fps', 'Swift', 'Sepa', 'SepaInstant'], {
      description: 'Bank network that carries the payout',
    }),
    column: 'scheme',
    always: true,
  },
  metadata: {
    schema: Metadata(PAYOUT_METADATA_MAX),
    column: 'metadata',
    create: 'optional',
    searched: true,
  },
  createdTimestamp: CREATED,
  scheduledTimestamp: {
    schema: withDescription(Timestamp, 'Time at which the payout is due: a Unix timestamp, in seconds'),
    column: 'scheduled_ms',
    instant: true,
    always: true,
  },
  completedTimestamp: {
    schema: withDescription(
      Timestamp,
      'Time at which the payout became `Completed`: a Unix timestamp, in seconds. Absent until then.',
    ),
    column: 'completed_ms',
    instant: true,
  },
} as const satisfies Properties;

export const Payout = ObjectSchema('payout', PAYOUT, {
  title: 'Payout',
  description: 'A payment from the balance of an account to its bank account',
});
export type Payout = Static<typeof Payout>;

export const PayoutCreate = CreateSchema(PAYOUT);

// Client libraries differ in what they call things: the specification says paginationToken and payouts, newer
// ones startsAfter and items; one writes start and end (docs/choices.md, Payouts).
export const PayoutQuery = Type.Object({
  ...PageQuery.properties,
  paginationToken: Type.Optional(
    Type.String({ description: 'Alternative name of `startsAfter`, which takes precedence' }),
  ),
  ...TimeWindow,
  start: Type.Optional(
    withDescription(Timestamp, 'Alternative name of `startTimestamp`, which takes precedence'),
  ),
  end: Type.Optional(
    withDescription(Timestamp, 'Alternative name of `endTimestamp`, which takes precedence'),
  ),
  startDate: Type.Optional(
    withDescription(
      CalendarDate,
      'Return only payouts of payments taken on or after this date, in the form `yyyy-MM-dd`',
    ),
  ),
  endDate: Type.Optional(
    withDescription(
      CalendarDate,
      'Return only payouts of payments taken on or before this date, in the form `yyyy-MM-dd`',
    ),
  ),
});

export const PayoutPage = Type.Object({
  payouts: Type.Array(Payout, { description: 'Payouts of this page' }),
  items: Type.Array(Payout, { description: 'Same as `payouts`' }),
  paginationToken: Nullable(
    Type.String(),
    'Value of `startsAfter` that returns the next page; null on the last page',
  ),
});
