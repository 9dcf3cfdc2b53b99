import type { OwnsAction } from '../../platform/broker/report-intake.ts';
import { setBounded } from '../../platform/bounded-map.ts';
import type { Queries } from '../../platform/store/store.ts';
import { findAction } from './action.records.ts';

// More than are under way at once; of others the store is asked again.
const REMEMBERED_MAX = 5_000;

/** Returns whether an action is one of a terminal. Remembers whose an action is, since that never changes. */
export function actionOwners(store: Queries): OwnsAction {
  const owners = new Map<string, string>();
  return async (terminalId, actionId) => {
    const known = owners.get(actionId) ?? (await findAction(store, actionId))?.terminal_id;
    if (known !== undefined) setBounded(owners, REMEMBERED_MAX, actionId, known);
    return known === terminalId;
  };
}
