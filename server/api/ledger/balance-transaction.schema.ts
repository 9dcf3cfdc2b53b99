import { Id, Timestamp, Type, type Static } from '../../../protocol/schema.ts';
import { PageQuery } from '../../platform/http/paging.schema.ts';
import { BALANCE_TRANSACTION_TYPES } from './ledger.ts';

const Money = Type.Integer({ description: 'Minor units; negative for what went' });

/** Something that changed what an account has: Spec §4.7. */
export const BalanceTransaction = Type.Object(
  {
    id: Id('balanceTransaction'),
    type: Type.Enum([...BALANCE_TRANSACTION_TYPES], { description: 'What it records' }),
    amount: Money,
    currency: Type.String({ description: 'ISO 4217' }),
    description: Type.Optional(Type.String({ description: 'What it was, for people' })),
    feeTotal: Type.Integer({ description: 'Processing fees taken from the amount' }),
    net: Type.Integer({ description: 'The amount without the fees: what the balance changed by' }),
    status: Type.Enum(['Pending', 'Cleared', 'Available'], {
      description: 'Moves on by itself: Cleared a day before availableAt, Available from then on',
    }),
    origin: Type.Object(
      {
        id: Type.String({ description: 'A payment transaction, split, fee, transfer, payout, conversion' }),
        amount: Money,
        accountId: Type.Optional(Id('account')),
      },
      { description: 'What caused it, its whole amount and, where it is another, the other account' },
    ),
    availableAt: Type.Integer({ description: 'Epoch seconds; when it becomes Available' }),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'BalanceTransaction' },
);
export type BalanceTransaction = Static<typeof BalanceTransaction>;

export const BalanceTransactionQuery = Type.Object({
  ...PageQuery.properties,
  payoutId: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only what went into this payout; none for an unknown one' }),
  ),
});
