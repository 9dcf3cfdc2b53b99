import {
  CreatedTimestamp,
  Currency,
  Id,
  LastUpdatedTimestamp,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { BALANCE_TRANSACTION_TYPES } from './ledger.ts';

const Money = Type.Integer({
  description: 'Amount in minor units of `currency`: negative when it leaves the balance',
});

/** Something that changed what an account has: Spec §4.7. */
export const BalanceTransaction = Type.Object(
  {
    id: Id('balanceTransaction'),
    type: Type.Enum([...BALANCE_TRANSACTION_TYPES], { description: 'What changed the balance' }),
    amount: Money,
    currency: Currency,
    description: Type.Optional(
      Type.String({ description: 'Explanation of the balance transaction; absent when there is none' }),
    ),
    feeTotal: Type.Integer({
      description: 'Processing fees that were deducted, in minor units of `currency`',
    }),
    net: Type.Integer({
      description: 'Change of the balance, in minor units of `currency`: `amount` less `feeTotal`',
    }),
    status: Type.Enum(['Pending', 'Cleared', 'Available'], {
      description: '`Pending`, then `Cleared` one day before `availableAt`, then `Available`',
    }),
    origin: Type.Object(
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
    availableAt: Type.Integer({
      description: 'Time at which the money becomes `Available`: a Unix timestamp, in seconds',
    }),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'BalanceTransaction', description: 'A change of the balance of an account' },
);
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
