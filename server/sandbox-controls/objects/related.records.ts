import type { Caller } from '../../platform/http/auth.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries, Row } from '../../platform/store/store.ts';
import { listBalances } from './balances.ts';
import { listObjects } from './object-list.records.ts';
import type { ObjectRow, ObjectType } from './object-type.ts';
import { OBJECT_TYPE_NAMES, OBJECT_TYPES, typeNameOf, type ObjectTypeName } from './object-types.ts';
import type { ObjectDetail } from './object.schema.ts';

const LATEST = 5;

type Names = ObjectDetail['names'];

/** Returns the objects that an object names in its members, in its row, and in other tables, each once. */
export async function namesOf(
  queries: Queries,
  type: ObjectType,
  row: ObjectRow,
  object: object,
): Promise<Names> {
  const found: Names = [];
  const owner = row['of_account'];
  if (typeof owner === 'string') found.push({ member: 'account', id: owner });
  found.push(...idsIn(object, ''));
  for (const { column, named, to } of type.references) {
    const member = column === undefined ? to : memberOf(column);
    const value = column === undefined ? undefined : row[column];
    if (typeof value === 'string') found.push({ member, id: value });
    if (named !== undefined) {
      const rows = await queries.all<Row & { id: string }>(named, row.id);
      found.push(...rows.map(({ id }) => ({ member, id })));
    }
  }
  const isFirst = ({ id }: Names[number], index: number) =>
    id !== row.id && found.findIndex((other) => other.id === id) === index;
  return found.filter(isFirst);
}

/** Returns `latest_session_id` as `latestSession`. */
function memberOf(column: string): string {
  return column.replace(/_id$/, '').replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function idsIn(value: unknown, path: string): Names {
  if (typeof value === 'string') return typeNameOf(value) === undefined ? [] : [{ member: path, id: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    // What a client stored in its metadata is text of its own.
    name === 'metadata' ? [] : idsIn(inner, path === '' ? name : `${path}.${name}`),
  );
}

/** Returns the latest objects that name an object, by their types. */
export async function namedBy(
  services: Services,
  caller: Caller,
  [name, id]: readonly [ObjectTypeName, string],
): Promise<ObjectDetail['namedBy']> {
  const groups: ObjectDetail['namedBy'] = [];
  for (const type of OBJECT_TYPE_NAMES) {
    if (!mayName(type, name)) continue;
    const query = { type, object: id, limit: LATEST };
    const { items, paginationToken } = await listObjects(services, caller, query);
    if (items.length > 0) groups.push({ type, items, hasMore: paginationToken !== null });
  }
  if (name === 'account') {
    const balances = await listBalances(services, caller, id);
    if (balances.length > 0) groups.push({ type: 'balance', items: balances, hasMore: false });
  }
  return groups;
}

function mayName(type: ObjectTypeName, name: ObjectTypeName): boolean {
  const { account, references }: ObjectType = OBJECT_TYPES[type];
  if (name === 'account' && account !== null && account !== 'id') return true;
  return references.some(({ to }) => to === name || to === 'any');
}
