import { CurrencyCode, Id, Metadata, Timestamp, Type, type Static } from '../../../protocol/schema.ts';

const METADATA_MAX = 5; // as on payouts, Spec §2.1

const Side = (description: string) => Type.Object({ accountId: Id('account') }, { description });
const Source = Side('The sub account that the platform pulls from; not together with destination');
const Destination = Side('The sub account that the platform pushes to; not together with source');
const Reason = Type.String({ minLength: 1, maxLength: 250, description: 'What it is for, for people' });

const Money = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Minor units' });

/** Money moved between the platform and one of its sub accounts: Spec §4.7. */
export const Transfer = Type.Object(
  {
    id: Id('transfer'),
    status: Type.Enum(['Pending', 'Declined', 'Completed'], {
      description: 'Completed at once, or Declined: errors says why',
    }),
    amount: Money,
    currency: Type.String({ description: 'ISO 4217' }),
    source: Type.Optional(Source),
    destination: Type.Optional(Destination),
    reason: Type.Optional(Reason),
    metadata: Type.Optional(Metadata(METADATA_MAX)),
    errors: Type.Optional(
      Type.Array(Type.Object({ code: Type.Enum(['InsufficientSourceBalance']), description: Type.String() })),
    ),
    createdTimestamp: Timestamp,
    lastUpdatedTimestamp: Timestamp,
  },
  { title: 'Transfer' },
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
