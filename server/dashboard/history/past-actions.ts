import { jsonResponse, plainRoute, type PlainRoute } from '../../platform/http/pages/plain-route.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Services } from '../../platform/services.ts';
import type { Guard } from '../session.ts';
import type { PastActionPage } from '../view.ts';
import { findPastAction, listActionsOf } from './past-action.records.ts';

const PAGE_ITEMS = 25;

/** What the routes need of their server. */
interface PastActionParts {
  services: Pick<Services, 'store'>;
  guard: Guard;
}

/** Routes of the actions of a terminal, from the newest to the first that is stored. */
export const pastActionRoutes: readonly PlainRoute<PastActionParts>[] = [
  plainRoute({
    method: 'GET',
    path: '/dashboard/terminals/{terminalId}/actions',
    async handle(request, { services: { store }, guard }: PastActionParts) {
      await guard(request);
      const before = request.query('before');
      if (before !== undefined && !(await findPastAction(store, before)))
        throw new Refusal('not_found', { what: 'action' });
      const { terminalId } = request.params;
      const found = await listActionsOf(store, terminalId, { before, limit: PAGE_ITEMS + 1 });
      const items = found.slice(0, PAGE_ITEMS);
      const page: PastActionPage = { items, hasOlder: found.length > PAGE_ITEMS };
      return jsonResponse(page);
    },
  }),
  plainRoute({
    method: 'GET',
    path: '/dashboard/actions/{actionId}',
    async handle(request, { services: { store }, guard }: PastActionParts) {
      await guard(request);
      const action = await findPastAction(store, request.params.actionId);
      if (!action) throw new Refusal('not_found', { what: 'action' });
      return jsonResponse(action);
    },
  }),
];
