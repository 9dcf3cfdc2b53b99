import {
  Currency,
  CurrencyCode,
  Id,
  Metadata,
  PositiveAmount,
  Type,
  withDescription,
  type Static,
} from '../../../protocol/schema.ts';
import { CREATED, CreateSchema, ObjectSchema, UPDATED } from '../../platform/http/openapi/object-schemas.ts';
import type { Properties } from '../../platform/store/stored-property.ts';

const METADATA_MAX = 5; // as on payouts, Spec §2.1

/** The sub account on one side of a transfer, of which the id is stored. */
function side<const C extends string>(column: C, description: string) {
  const reply = Type.Object({ accountId: Id('account', 'Id of the sub account') }, { description });
  const toReply = (accountId: string) => ({ accountId });
  return { schema: Id('account'), column, create: Type.Optional(reply), reply, toReply } as const;
}

/** Money moved between the platform and one of its sub accounts: Spec §4.7. */
export const TRANSFER = {
  status: {
    schema: Type.Enum(['Pending', 'Declined', 'Completed'], {
      description: '`Completed` at once, or `Declined`: see `errors`',
    }),
    column: 'status',
    always: true,
  },
  amount: {
    schema: withDescription(PositiveAmount, 'Amount to transfer, in minor units of `currency`'),
    column: 'amount_minor',
    create: 'required',
  },
  currency: { schema: CurrencyCode, column: 'currency', create: 'required', reply: Currency },
  source: side('source_id', 'Sub account to transfer from, to the platform. Exclusive with `destination`.'),
  destination: side(
    'destination_id',
    'Sub account to transfer to, from the platform. Exclusive with `source`.',
  ),
  reason: {
    schema: Type.String({ minLength: 1, maxLength: 250, description: 'Reason for the transfer' }),
    column: 'reason',
    create: 'optional',
    searched: true,
  },
  metadata: { schema: Metadata(METADATA_MAX), column: 'metadata', create: 'optional', searched: true },
  errors: {
    schema: Type.Array(
      Type.Object({
        code: Type.Enum(['InsufficientSourceBalance'], { description: 'Reason code' }),
        description: Type.String({ description: 'Reason in words' }),
      }),
      { description: 'Reasons why the transfer is `Declined`; absent otherwise' },
    ),
    column: 'errors',
  },
  createdTimestamp: CREATED,
  lastUpdatedTimestamp: UPDATED,
} as const satisfies Properties;

export const Transfer = ObjectSchema('transfer', TRANSFER, {
  title: 'Transfer',
  description: 'A transfer of money between a platform and one of its sub accounts',
});
export type Transfer = Static<typeof Transfer>;

export const TransferCreate = CreateSchema(TRANSFER);
