import { randomBytes } from 'node:crypto';
import type { StartedServer } from '../../cli/server/start-server.ts';
import { insertRequests, type NewRequestRow } from '../../server/platform/request-log/request.records.ts';
import type { JsonText } from '../../server/platform/store/json-text.ts';

export interface RequestsOrder {
  count: number;
  /** Characters of the reply of each. */
  characters: number;
}

const AT_ONCE = 200;

/** Stores requests in the log of `default`, as if they had been received. */
export async function fillRequests(
  { server }: StartedServer,
  { count, characters }: RequestsOrder,
): Promise<void> {
  const { store, realClock } = server.services;
  const replyOf = () =>
    JSON.stringify({ items: randomBytes(characters / 2).toString('hex') }) as JsonText<unknown>;
  const noMembers = '{}' as JsonText<Record<string, unknown>>;
  const rowOf = (index: number): NewRequestRow => ({
    id: `req_bench${index}`,
    received_ms: realClock.nowMs(),
    created_ms: realClock.nowMs(),
    elapsed_us: 1_000,
    method: 'GET',
    path: '/v1/payment-sessions',
    status: 200,
    key_end: null,
    account_id: null,
    request_id: null,
    operation: null,
    tag: null,
    refusal: null,
    idempotency_key: null,
    object_ids: '',
    query: null,
    headers: noMembers,
    answer_headers: noMembers,
    body: null,
    answer: replyOf(),
  });
  for (let from = 0; from < count; from += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => rowOf(from + index));
    await store.transaction((tx) => insertRequests(tx, store.engine, rows, { countMax: count }));
  }
}
