import type { Static } from '../../../protocol/schema.ts';
import type { Ids } from '../../../protocol/ids.ts';
import { findAccount } from '../accounts/account.records.ts';
import type { FeeAllocation } from '../ledger/fee-allocation.schema.ts';
import type { Queries } from '../../platform/store/store.ts';
import { PaymentSettings, type FEE_SPELLINGS } from './payment-settings.schema.ts';
import type { Split, SplitRequest } from './split.schema.ts';

/** Returns the requested splits, each with a new id. */
export function createSplits(ids: Ids, items: SplitRequest['items']): Split[] {
  return items.map(({ accountId, amount, description, fee, metadata }) => ({
    id: ids.make('split'),
    accountId,
    amount,
    ...(fee && { fee }),
    ...(description !== undefined && { description }),
    ...(metadata && { metadata }),
  }));
}

/** Returns the first of these accounts that is not linked to the platform; undefined when all are. */
export async function findUnlinkedAccount(
  queries: Queries,
  platformId: string,
  accountIds: readonly string[],
): Promise<string | undefined> {
  for (const id of new Set(accountIds)) {
    if (id === platformId) continue;
    if ((await findAccount(queries, id))?.platformId !== platformId) return id;
  }
  return undefined;
}

type FeeSpellings = { [K in keyof typeof FEE_SPELLINGS]?: Static<(typeof FEE_SPELLINGS)[K]> };

/** Returns the fee allocation of a request, from any of the members that may hold it; undefined when there is none. */
export function feeAllocationOf({
  paymentSettings,
  platformSettings,
  settings,
}: FeeSpellings): FeeAllocation | undefined {
  const given = [
    platformSettings?.paymentFees,
    settings?.platform?.paymentFees,
    paymentSettings?.platform?.paymentFees,
  ].filter((fees) => fees !== undefined);
  return given.length === 0 ? undefined : Object.assign({}, ...given);
}

/** Returns the payment settings of a request, with its fee allocation where the API shows it. */
export function paymentSettingsOf(body: FeeSpellings): PaymentSettings | undefined {
  const paymentFees = feeAllocationOf(body);
  if (!paymentFees) return body.paymentSettings;
  return { ...body.paymentSettings, platform: { paymentFees } };
}

/** Returns the ids of the accounts that a fee allocation names. */
export function feePayerIds(fees: FeeAllocation | undefined): string[] {
  return Object.values(fees ?? {}).map(({ bookTo }) => bookTo);
}
