import {
  Currency,
  SignedAmount,
  Timestamp,
  Type,
  withDescription,
  type Static,
  Id,
  LastUpdatedTimestamp,
} from '../../../protocol/schema.ts';
import { CREATED, ObjectSchema } from '../../platform/http/openapi/object-schemas.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import type { Properties } from '../../platform/store/stored-property.ts';
import { BALANCE_TRANSACTION_TYPES } from './ledger.ts';

const Held = (description: string) =>
  Type.Object(
    {
      amount: withDescription(
        SignedAmount,
        'Amount in minor units of `currency`: negative when the account owes it',
      ),
    },
    { description },
  );

/** What an account has in one currency: Spec §4.7. */
export const Balance = Type.Object(
  {
    currency: Currency,
    pending: Held('Captured and not cleared yet'),
    cleared: Held('Cleared and not available yet'),
    available: Held('Available to pay out, transfer and convert'),
    lastUpdatedTimestamp: withDescription(
      Timestamp,
      'Time of the last change of the balance, or of the creation of the account when there was none: a Unix timestamp, in seconds',
    ),
  },
  { title: 'Balance', description: 'Balance of an account in one currency' },
);
export type Balance = Static<typeof Balance>;

const Money = withDescription(
  SignedAmount,
  'Amount in minor units of `currency`: negative when it leaves the balance',
);

/** Something that changed what an account has: Spec §4.7. */
export const BALANCE_TRANSACTION = {
  /** The entry of the ledger that it is a line of. */
  entryId: { schema: Type.String(), column: 'entry_id', always: true, reply: 'hidden' },
  type: {
    schema: Type.Enum([...BALANCE_TRANSACTION_TYPES], { description: 'What changed the balance' }),
    column: 'type',
    always: true,
  },
  amount: { schema: Money, column: 'amount_minor', always: true },
  currency: { schema: Currency, column: 'currency', always: true },
  description: {
    schema: Type.String({ description: 'Explanation of the balance transaction; absent when there is none' }),
    column: 'description',
    searched: true,
  },
  feeTotal: {
    schema: Type.Integer({ description: 'Processing fees that were deducted, in minor units of `currency`' }),
    column: 'fee_minor',
    initial: 0,
  },
  net: {
    schema: Type.Integer({
      description: 'Change of the balance, in minor units of `currency`: `amount` less `feeTotal`',
    }),
    column: 'net_minor',
    always: true,
  },
  status: {
    reply: Type.Enum(['Pending', 'Cleared', 'Available'], {
      description: '`Pending`, then `Cleared` one day before `availableAt`, then `Available`',
    }),
  },
  originId: { schema: Type.String(), column: 'origin_id', always: true, reply: 'hidden' },
  originAmount: { schema: Money, column: 'origin_amount_minor', always: true, reply: 'hidden' },
  originAccountId: { schema: Id('account'), column: 'origin_account_id', reply: 'hidden' },
  origin: {
    reply: Type.Object(
      {
        id: Type.String({
          description: 'Id of the payment transaction, split, platform fee, transfer, payout or conversion',
        }),
        amount: withDescription(Money, 'Whole amount of that object, in minor units of `currency`'),
        accountId: Type.Optional(
          Id('account', 'Id of the other account that takes part; absent when there is none'),
        ),
      },
      { description: 'Object that caused the balance transaction' },
    ),
  },
  availableAt: {
    schema: withDescription(
      Timestamp,
      'Time at which the money becomes `Available`: a Unix timestamp, in seconds',
    ),
    column: 'available_ms',
    instant: true,
    always: true,
  },
  payoutId: { schema: Id('payout'), column: 'payout_id', reply: 'hidden' },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: { reply: LastUpdatedTimestamp },
} as const satisfies Properties;

export const BalanceTransaction = ObjectSchema('balanceTransaction', BALANCE_TRANSACTION, {
  title: 'BalanceTransaction',
  description: 'A change of the balance of an account',
});
export type BalanceTransaction = Static<typeof BalanceTransaction>;

export const BalanceTransactionQuery = Type.Object({
  ...PageQuery.properties,
  payoutId: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Return only balance transactions that were paid out by this payout. The list is empty for an unknown id.',
    }),
  ),
});
