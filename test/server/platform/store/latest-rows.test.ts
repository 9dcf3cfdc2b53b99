import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import {
  deleteExpiredRequests,
  insertRequests,
  type NewRequestRow,
} from '../../../../server/platform/request-log/request.records.ts';
import { insertTimelines } from '../../../../server/dashboard/history/action-timeline.records.ts';
import type { RowLimits } from '../../../../server/platform/store/latest-rows.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';
import type { JsonText } from '../../../../server/platform/store/json-text.ts';
import type { Store } from '../../../../server/platform/store/store.ts';

let store: Store;
beforeEach(async () => void (store = await openStore({ log: silentLog })));
afterEach(() => store.close());

const text = <T>(characters: number) => JSON.stringify('x'.repeat(characters - 2)) as JsonText<T>;

function request(number: number, answerBytes: number): NewRequestRow {
  const unset = { query: null, body: null, status: 200, key_end: null, account_id: null, request_id: null };
  return {
    ...unset,
    id: `req_${number}`,
    received_ms: number,
    created_ms: number,
    elapsed_us: 1,
    method: '',
    path: '',
    operation: null,
    tag: null,
    refusal: null,
    idempotency_key: null,
    object_ids: '',
    headers: '' as NewRequestRow['headers'],
    answer_headers: '' as NewRequestRow['answer_headers'],
    answer: text(answerBytes),
  };
}

const insert = (rows: NewRequestRow[], limits: RowLimits) =>
  store.transaction((tx) => insertRequests(tx, store.engine, rows, limits), { guardedBy: ['latestRows'] });
const idsIn = async () =>
  (await store.all<{ id: string }>('SELECT id FROM requests ORDER BY seq')).map(({ id }) => id);

test('stored requests: the latest are kept whose texts have the bytes of the limit, the latest one however long it is', async () => {
  const limits = { countMax: 100, bytesMax: 3_000 };
  for (let number = 1; number <= 9; number += 1) await insert([request(number, 995)], limits);
  expect(await idsIn()).toEqual(['req_7', 'req_8', 'req_9']);
  await insert([request(10, 5_000)], limits);
  expect(await idsIn()).toEqual(['req_10']);
  await insert([request(11, 10), request(12, 10)], limits);
  expect((await idsIn()).slice(-2)).toEqual(['req_11', 'req_12']);
});

test('stored requests: those of an earlier version, whose bytes were not counted, are kept until later ones fill the limit', async () => {
  const limits = { countMax: 100, bytesMax: 2_500 };
  await insert([request(1, 9_000), request(2, 9_000)], { countMax: 100 });
  await store.run('UPDATE requests SET total_bytes = 0');
  await insert([request(3, 995), request(4, 995)], limits);
  expect(await idsIn()).toEqual(['req_1', 'req_2', 'req_3', 'req_4']);
  await insert([request(5, 995)], limits);
  expect(await idsIn()).toEqual(['req_4', 'req_5']);
});

test('stored requests: expired ones are deleted, all or up to the first that is not', async () => {
  await insert([request(1, 10), request(2, 10), request(3, 10)], { countMax: 100 });
  await deleteExpiredRequests(store, 1);
  expect(await idsIn()).toEqual(['req_1', 'req_2', 'req_3']);
  await deleteExpiredRequests(store, 3);
  expect(await idsIn()).toEqual(['req_3']);
  await deleteExpiredRequests(store, 4);
  await deleteExpiredRequests(store, 4);
  expect(await idsIn()).toEqual([]);
});

test('stored timelines: the latest are kept that fit into the limits, in number and in bytes', async () => {
  const insertOne = (id: number, bytes: number) =>
    store.transaction(
      (tx) =>
        insertTimelines(tx, store.engine, [{ action_id: `a${id}`, recording: '', entries: text(bytes) }], {
          countMax: 3,
          bytesMax: 2_100,
        }),
      { guardedBy: ['latestRows'] },
    );
  const actions = async () =>
    (await store.all<{ id: string }>('SELECT action_id AS id FROM action_timelines ORDER BY seq')).map(
      ({ id }) => id,
    );
  for (let id = 1; id <= 5; id += 1) await insertOne(id, 100);
  expect(await actions()).toEqual(['a3', 'a4', 'a5']);
  for (let id = 6; id <= 8; id += 1) await insertOne(id, 1_000);
  expect(await actions()).toEqual(['a7', 'a8']);
});
