import { idPattern } from '../../../protocol/ids.ts';
import type { Caller } from '../../platform/http/auth.ts';
import type { Services } from '../../platform/services.ts';
import { readPage } from '../../platform/http/paging.ts';
import { BATCH_ROWS, type Condition, type PageSource } from '../../platform/store/page-source.ts';
import type { Row } from '../../platform/store/store.ts';
import { findBalance } from './balances.ts';
import { columnsOf, findObject, ownedBy } from './object-list.records.ts';
import { OBJECT_TYPES, type ObjectTypeName } from './object-types.ts';
import type { ObjectRow } from './object-type.ts';
import type { SearchResult } from './object.schema.ts';

const RESULTS_MAX = 10;
const SPLIT_ID = new RegExp(idPattern('split'));

/** Returns what has an id, a serial number or an e-mail address, among what a caller controls. */
export async function search(services: Services, caller: Caller, text: string): Promise<SearchResult[]> {
  const object = await withId(services, caller, text);
  if (object) return [object];
  const find = (type: ObjectTypeName, where: string, parameter: string) =>
    matching(services, caller, type, { where, parameters: [parameter] });
  return [
    ...(await requestsWithId(services, text)),
    ...(await find('terminal', 'serial_number = ?', text)),
    ...(await find('customer', 'email_key = ?', text.toLowerCase())),
    // A split is a part of a payment session, which no index finds by it.
    ...(SPLIT_ID.test(text)
      ? await matching(
          services,
          caller,
          'paymentSession',
          { where: 'splits LIKE ?', parameters: [`%"${text}"%`] },
          { of: 'payment_sessions', rows: BATCH_ROWS },
        )
      : []),
  ];
}

async function withId(services: Services, caller: Caller, id: string): Promise<SearchResult | undefined> {
  const found = await findObject(services.store, caller, id);
  if (found) return { id, type: found.name, label: found.type.label?.(found.row) ?? null };
  const balance = await findBalance(services, caller, id);
  return balance && { id, type: 'balance', label: balance.summary.label };
}

async function requestsWithId(
  { store, requestLog }: Pick<Services, 'store' | 'requestLog'>,
  id: string,
): Promise<SearchResult[]> {
  if (!requestLog) return [];
  await requestLog.flush();
  const rows = await store.all<Row & { id: string; method: string; path: string }>(
    'SELECT id, method, path FROM requests WHERE (id = ? OR request_id = ?) AND received_ms >= ? LIMIT ?',
    id,
    id,
    requestLog.expiredBeforeMs(),
    RESULTS_MAX,
  );
  return rows.map((row) => ({ id: row.id, type: 'request', label: `${row.method} ${row.path}` }));
}

async function matching(
  { store }: Pick<Services, 'store'>,
  caller: Caller,
  name: ObjectTypeName,
  shown: Condition,
  batches?: PageSource['batches'],
): Promise<SearchResult[]> {
  const type = OBJECT_TYPES[name];
  const source = { table: type.table, owned: ownedBy(caller, type), shown, ...(batches && { batches }) };
  const { rows } = await readPage<ObjectRow>(store, source, { limit: RESULTS_MAX }, columnsOf(type));
  return rows.map((row) => ({ id: row.id, type: name, label: type.label?.(row) ?? null }));
}
