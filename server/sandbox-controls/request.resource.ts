import { readPage } from '../platform/http/paging.ts';
import { Page } from '../platform/http/paging.schema.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import type { RequestLog } from '../platform/finished-request.ts';
import type { RequestRow } from '../platform/request-log/request.records.ts';
import type { Services } from '../platform/services.ts';
import {
  eventsOfRequest,
  findRequest,
  LISTED_COLUMNS,
  requestList,
  toRequestSummary,
  toStoredRequest,
} from './request-list.records.ts';
import { RequestQuery, RequestSummary, StoredRequest } from '../platform/request-log/request.schema.ts';

const common = {
  surface: 'sandbox',
  tag: 'Sandbox request',
  section: 'Sandbox',
  access: 'dashboard',
} as const;

const listRequestsRoute = route({
  ...common,
  operation: 'GET /sandbox/requests',
  summary: 'List the requests that the server received',
  query: RequestQuery,
  reply: Page(RequestSummary),
  refusals: ['unknown_token', 'requests_not_stored'],
  async handle({ services, query }) {
    const log = await writtenLog(services);
    const source = requestList(query, log.expiredBeforeMs());
    const page = await readPage<RequestRow>(services.store, source, query, LISTED_COLUMNS);
    return { items: page.rows.map(toRequestSummary), paginationToken: page.paginationToken };
  },
});

const getRequestRoute = route({
  ...common,
  operation: 'GET /sandbox/requests/{id}',
  summary: 'Retrieve a request with its reply',
  reply: StoredRequest,
  refusals: ['requests_not_stored'],
  async find({ services, params }) {
    await writtenLog(services);
    return findRequest(services.store, params.id);
  },
  handle: async ({ services: { store }, found }) =>
    toStoredRequest(found, await eventsOfRequest(store, found)),
});

/**
 * Returns the log once it has stored the requests that were answered.
 * @throws Refusal `requests_not_stored`.
 */
async function writtenLog({ requestLog }: Pick<Services, 'requestLog'>): Promise<RequestLog> {
  if (!requestLog) throw new Refusal('requests_not_stored');
  await requestLog.flush();
  return requestLog;
}

export const requestRoutes: readonly Route[] = [listRequestsRoute, getRequestRoute];
