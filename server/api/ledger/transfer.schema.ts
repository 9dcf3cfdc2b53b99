import {
  CreatedTimestamp,
  Currency,
  CurrencyCode,
  Id,
  LastUpdatedTimestamp,
  Metadata,
  Type,
  type Static,
} from '../../../protocol/schema.ts';

const METADATA_MAX = 5; // as on payouts, Spec §2.1

const Side = (description: string) =>
  Type.Object({ accountId: Id('account', 'Id of the sub account') }, { description });
const Source = Side('Sub account to transfer from, to the platform. Exclusive with `destination`.');
const Destination = Side('Sub account to transfer to, from the platform. Exclusive with `source`.');
const Reason = Type.String({ minLength: 1, maxLength: 250, description: 'Reason for the transfer' });

const Money = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Amount to transfer, in minor units of `currency`',
});

/** Money moved between the platform and one of its sub accounts: Spec §4.7. */
export const Transfer = Type.Object(
  {
    id: Id('transfer'),
    status: Type.Enum(['Pending', 'Declined', 'Completed'], {
      description: '`Completed` at once, or `Declined`: see `errors`',
    }),
    amount: Money,
    currency: Currency,
    source: Type.Optional(Source),
    destination: Type.Optional(Destination),
    reason: Type.Optional(Reason),
    metadata: Type.Optional(Metadata(METADATA_MAX)),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          code: Type.Enum(['InsufficientSourceBalance'], { description: 'Reason code' }),
          description: Type.String({ description: 'Reason in words' }),
        }),
        { description: 'Reasons why the transfer is `Declined`; absent otherwise' },
      ),
    ),
    createdTimestamp: CreatedTimestamp,
    lastUpdatedTimestamp: LastUpdatedTimestamp,
  },
  { title: 'Transfer', description: 'A transfer of money between a platform and one of its sub accounts' },
);
export type Transfer = Static<typeof Transfer>;

export const TransferCreate = Type.Object({
  amount: Money,
  currency: CurrencyCode,
  source: Type.Optional(Source),
  destination: Type.Optional(Destination),
  reason: Type.Optional(Reason),
  metadata: Type.Optional(Metadata(METADATA_MAX)),
});
