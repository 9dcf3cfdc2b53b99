import { accountScopeOf } from '../api/accounts/account.records.ts';
import type { Caller } from '../platform/http/auth.ts';
import { Refusal } from '../platform/http/refusals.ts';
import type { ActionRow } from '../api/in-person/actions/action.records.ts';
import type { Queries } from '../platform/store/store.ts';

/**
 * Returns an action in the caller's scope.
 * @throws Refusal `not_found`.
 */
export async function findControlledAction(queries: Queries, caller: Caller, id: string): Promise<ActionRow> {
  const scope = accountScopeOf(caller);
  const row = await queries.get<ActionRow>(
    `SELECT * FROM actions WHERE id = ? AND ${scope.where}`,
    id,
    ...scope.parameters,
  );
  if (!row) throw new Refusal('not_found', { what: 'action' });
  return row;
}
