import type { OwnsAction } from '../../../platform/broker/report-intake.ts';
import { setBounded } from '../../../platform/bounded-map.ts';
import type { Activities } from '../../../platform/activities.ts';
import type { Queries } from '../../../platform/store/store.ts';
import { actions } from '../actions/action.records.ts';

// More than are in progress at once; others are read from the store again.
const REMEMBERED_MAX = 5_000;

/**
 * Returns a function that checks whether an action belongs to a terminal. It caches the terminal of each action, which
 * never changes, from the activity of the start and from the store.
 */
export function actionOwners(store: Queries, activities: Activities): OwnsAction {
  const owners = new Map<string, string>();
  activities.listen('owners of actions', (activity) => {
    if (activity.kind === 'machine.stepped' && activity.action && activity.from === null)
      setBounded(owners, REMEMBERED_MAX, activity.objectId, activity.action.terminalId);
  });
  return async (terminalId, actionId) => {
    const known = owners.get(actionId) ?? (await actions.findAny(store, actionId))?.terminal_id;
    if (known !== undefined) setBounded(owners, REMEMBERED_MAX, actionId, known);
    return known === terminalId;
  };
}
