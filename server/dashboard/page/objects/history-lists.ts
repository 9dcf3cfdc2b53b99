import type { Route } from '../route.ts';
import type { ObjectDetails } from './stored-object.ts';

type HistoryPart = keyof ObjectDetails['history']['hasMore'];

/** Returns the lists that have the whole of each part of an object's history. */
export function historyLists(id: string) {
  return {
    events: { view: 'objects', filters: { type: 'event', historyOf: id } },
    requests: { view: 'requests', filters: { historyOf: id } },
    entries: { view: 'objects', filters: { type: 'balanceTransaction', historyOf: id } },
  } as const satisfies Record<HistoryPart, Route>;
}
