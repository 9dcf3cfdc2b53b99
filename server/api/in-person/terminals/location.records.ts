import { Refusal } from '../../../platform/http/refusals.ts';
import type { Context } from '../../../platform/context.ts';
import { storedObjects } from '../../../platform/store/stored-objects.ts';
import type { NewOf, RowOf } from '../../../platform/store/stored-property.ts';
import type { Queries, Transaction } from '../../../platform/store/store.ts';
import { keepCallerAccount } from '../../accounts/account.records.ts';
import { LOCATION } from './location.schema.ts';

export type LocationRow = RowOf<typeof LOCATION>;

export const locations = storedObjects({ table: 'locations', deletable: {} }, LOCATION);

/** Creates a location of an account. @throws Refusal `account_not_linked` when a reset has deleted the account */
export function createLocation(
  { clock, store }: Pick<Context, 'clock' | 'store'>,
  location: NewOf<typeof LOCATION>,
): Promise<LocationRow> {
  return store.transaction(
    async (tx) => {
      await keepCallerAccount(tx, location.accountId);
      return locations.insert(tx, location, clock.nowMs());
    },
    { guardedBy: [] },
  );
}

export async function hasTerminal(queries: Queries, locationId: string): Promise<boolean> {
  return (
    (await queries.get(
      `SELECT id FROM terminals WHERE location_id = ? AND deleted = 0 LIMIT 1`,
      locationId,
    )) !== undefined
  );
}

/**
 * Locks a location, before a terminal is put there.
 * @throws Refusal `not_found` when it is deleted, or of another account
 */
export async function lockLocation(tx: Transaction, accountId: string, id: string): Promise<void> {
  tx.lockRow('locations', id);
  if (!(await locations.find(tx, accountId, id))) throw new Refusal('not_found', { what: 'location' });
}
