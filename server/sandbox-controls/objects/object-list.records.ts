import { accountScopeOf } from '../../api/accounts/account.records.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { readPage } from '../../platform/http/paging.ts';
import { BATCH_ROWS, type PageSource, contains, pattern } from '../../platform/store/page-source.ts';
import { createdWithin } from '../../platform/http/time-window.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries } from '../../platform/store/store.ts';
import { findBalance } from './balances.ts';
import {
  eventsAbout,
  NONE,
  transactionsOf,
  transactionsOfBalance,
  type Condition,
} from './history.records.ts';
import { summaryOf } from './object-summary.ts';
import type { ObjectRow, ObjectType, Reference } from './object-type.ts';
import { OBJECT_TYPES, typeNameOf, type ObjectTypeName } from './object-types.ts';
import type { ObjectQuery, ObjectSummary } from './object.schema.ts';

/** Columns of a row, with the account that it belongs to. */
export function columnsOf({ account }: ObjectType): string {
  return `*, ${account ?? 'NULL'} AS of_account`;
}

/**
 * Returns the SQL condition for the rows of a type that a caller controls. For a platform it is asked of each row: a list of its
 * accounts would be joined with the table, and all their rows be sorted for one page. The OFFSET keeps PostgreSQL from the join.
 */
export function ownedBy(caller: Caller, { account, table }: ObjectType): PageSource['owned'] {
  if (account === null) return { where: '1 = 1', parameters: [] };
  const { accountId, platformId } = caller;
  if (accountId !== platformId) return accountScopeOf(caller, account);
  const owner = /^\w+$/.test(account) ? `${table}.${account}` : account;
  return {
    where: `EXISTS (SELECT 1 FROM accounts AS owner
      WHERE owner.id = ${owner} AND (owner.id = ? OR owner.platform_id = ?) LIMIT 1 OFFSET 0)`,
    parameters: [platformId, platformId],
  };
}

/** Returns the SQL condition for the rows that name an object; undefined where rows of the type name none of its type. */
function namingCondition(references: readonly Reference[], id: string): Condition | undefined {
  const to = typeNameOf(id);
  const conditions = references
    .filter((reference) => reference.to === to || reference.to === 'any')
    .map(({ column, where, inText }): Condition => [where ?? `${column} = ?`, inText ? `%"${id}"%` : id]);
  if (conditions.length === 0) return undefined;
  // Two columns of a row may be found by one condition, and PostgreSQL uses no index for it twice.
  const unique = new Map(conditions.map((condition) => [condition[0], condition]));
  const [wheres, parameters] = [[...unique.keys()], [...unique.values()].flatMap(([, ...values]) => values)];
  return [`(${wheres.join(' OR ')})`, ...parameters];
}

/** Returns the condition for the rows that belong to an account or name an object. */
function relatedTo(type: ObjectType, id: string): Condition {
  const owner: Condition[] =
    typeNameOf(id) === 'account' && type.account !== null && type.account !== 'id'
      ? [[`${type.account} = ?`, id]]
      : [];
  const naming = namingCondition(type.references, id);
  const either = [...owner, ...(naming ? [naming] : [])];
  if (either.length === 0) return NONE;
  return [`(${either.map(([where]) => where).join(' OR ')})`, ...either.flatMap(([, ...values]) => values)];
}

/** Returns the condition for the events, or the balance transactions, of the history of an object. */
async function inHistory(
  services: Services,
  caller: Caller,
  { listed, of }: { listed: ObjectTypeName; of: string },
): Promise<Condition> {
  const found = await findObject(services.store, caller, of);
  if (listed === 'event') return found ? eventsAbout(found.type, found.row) : NONE;
  if (listed !== 'balanceTransaction') return NONE;
  if (found) return transactionsOf(found.type, found.row);
  const balance = await findBalance(services, caller, of);
  return balance ? transactionsOfBalance(balance.summary.accountId!, balance.balance.currency) : NONE;
}

function conditionsOf(type: ObjectType, query: Omit<ObjectQuery, 'type' | 'historyOf'>): Condition[] {
  const { account, status, category, object, text } = query;
  const conditions: Condition[] = type.listed === undefined ? [] : [[type.listed]];
  if (account !== undefined) conditions.push(type.account === null ? NONE : [`${type.account} = ?`, account]);
  if (status !== undefined) conditions.push(type.status ? [`${type.status} = ?`, status] : NONE);
  if (category !== undefined) conditions.push(type.category ? [`${type.category} = ?`, category] : NONE);
  if (object !== undefined) conditions.push(relatedTo(type, object));
  if (text !== undefined) {
    const searched = pattern(text);
    conditions.push([`(${type.searched.map(contains).join(' OR ')})`, ...type.searched.map(() => searched)]);
  }
  if (type.hasTime !== false) {
    const { where, parameters } = createdWithin(query);
    conditions.push([where, ...parameters]);
  }
  return conditions;
}

/** Returns whether no index finds the objects that fit a query. */
function isReadWhole(caller: Caller, { references }: ObjectType, query: ObjectQuery): boolean {
  const { account, status, category, text, startTimestamp, endTimestamp, object, historyOf } = query;
  const filters = [account, status, category, text, startTimestamp, endTimestamp];
  if (filters.some((filter) => filter !== undefined)) return true;
  if (object === undefined) return historyOf === undefined && caller.accountId !== caller.platformId;
  const to = typeNameOf(object);
  // Its own objects, and those that name it.
  if (to === 'account') return true;
  return references.some(
    (reference) =>
      (reference.inText || reference.readWhole) && (reference.to === to || reference.to === 'any'),
  );
}

/** Returns a page of the objects of a type that a caller controls and that fit a query. */
export async function listObjects(
  services: Services,
  caller: Caller,
  asked: ObjectQuery & { type: ObjectTypeName },
): Promise<{ items: ObjectSummary[]; paginationToken: string | null }> {
  const { type: name, historyOf, ...query } = asked;
  const type = OBJECT_TYPES[name];
  const conditions = conditionsOf(type, query);
  if (historyOf !== undefined)
    conditions.push(await inHistory(services, caller, { listed: name, of: historyOf }));
  if (conditions.includes(NONE)) return { items: [], paginationToken: null };
  const source: PageSource = {
    table: type.table,
    ...(isReadWhole(caller, type, asked) && { batches: { of: type.table, rows: BATCH_ROWS } }),
    owned: ownedBy(caller, type),
    shown: {
      where: ['1 = 1', ...conditions.map(([where]) => where)].join(' AND '),
      parameters: conditions.flatMap(([, ...values]) => values),
    },
  };
  const page = await readPage<ObjectRow>(services.store, source, query, columnsOf(type));
  const objects = await type.show(services, page.rows);
  return {
    items: page.rows.map((row, index) => summaryOf([name, type], row, objects[index]!)),
    paginationToken: page.paginationToken,
  };
}

/** Returns the row of an object that a caller controls, also of a deleted one. */
export async function findObject(
  queries: Queries,
  caller: Caller,
  id: string,
): Promise<{ name: ObjectTypeName; type: ObjectType; row: ObjectRow } | undefined> {
  const name = typeNameOf(id);
  if (name === undefined) return undefined;
  const type = OBJECT_TYPES[name];
  const { where, parameters } = ownedBy(caller, type);
  const row = await queries.get<ObjectRow>(
    `SELECT ${columnsOf(type)} FROM ${type.table} WHERE id = ? AND ${where}`,
    id,
    ...parameters,
  );
  return row && { name, type, row };
}
