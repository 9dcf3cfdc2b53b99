import { toTimestamp } from '../../../protocol/clock.ts';
import { takesNull, type TSchema } from '../../../protocol/schema.ts';
import { insertStatement } from './insert-row.ts';
import { parseJson, type JsonText } from './json-text.ts';
import type { PageSource } from './page-source.ts';
import type { Queries, Row, SqlValue, Transaction } from './store.ts';
import type {
  ChangeOf,
  ComputedOf,
  NewOf,
  Properties,
  RowOf,
  ShownOf,
  StoredProperty,
} from './stored-property.ts';

/** What is special about the table of some objects. */
interface TableOptions {
  table: string;
  /** Whether an object that is deleted keeps its row, with `deleted` set. Without, objects are never deleted. */
  deletable?: {
    /** Columns that are erased with it, and what they have then. */
    erased?: Readonly<Record<string, string | number>>;
  };
}

interface Column {
  name: string;
  column: string;
  stored: StoredProperty;
}

/** Returns how objects with these properties are stored, found, changed and shown. */
export function storedObjects<const P extends Properties>(options: TableOptions, properties: P) {
  type R = RowOf<P>;
  const { table, deletable } = options;
  const columns = columnsOf(properties);
  const inserted = ['id', 'account_id', ...columns.map(({ column }) => column), 'created_ms', 'updated_ms'];
  const insertSql = insertStatement(table, inserted);
  const insertUnlessTakenSql = `${insertSql} ON CONFLICT DO NOTHING`;
  const live = deletable ? ' AND deleted = 0' : '';
  const findSql = `SELECT * FROM ${table} WHERE id = ? AND account_id = ?${live}`;
  const findAnySql = `SELECT * FROM ${table} WHERE id = ?${live}`;
  const erased = Object.entries(deletable?.erased ?? {}).map(([column]) => `, ${column} = ?`);
  const deleteSql = `UPDATE ${table} SET deleted = 1${erased.join('')}, updated_ms = ? WHERE id = ? AND deleted = 0`;
  const updateSql = updateStatements(table, live);

  function newRow(object: NewOf<P>, nowMs: number): R {
    const row: Row = { id: object.id, account_id: object.accountId };
    const given = object as Readonly<Record<string, unknown>>;
    for (const { name, column, stored } of columns) row[column] = toColumn(given[name] ?? stored.initial);
    row['created_ms'] = nowMs;
    row['updated_ms'] = nowMs;
    return row as R;
  }

  return {
    table,

    /** The columns that the search of the dashboard reads. */
    searched: ['id', ...columns.flatMap(({ column, stored }) => (stored.searched ? [column] : []))],

    /** The condition on rows whose object is not deleted. */
    listed: deletable ? 'deleted = 0' : '1 = 1',

    /** Returns an object of an account, unless it is deleted. */
    find: (queries: Queries, accountId: string, id: string): Promise<R | undefined> =>
      queries.get<R>(findSql, id, accountId),

    /** Returns an object of any account, unless it is deleted. */
    findAny: (queries: Queries, id: string): Promise<R | undefined> => queries.get<R>(findAnySql, id),

    /** The objects of an account. */
    listOf: (accountId: string): PageSource => ({
      table,
      owned: { where: 'account_id = ?', parameters: [accountId] },
      ...(deletable && { shown: { where: 'deleted = 0', parameters: [] } }),
    }),

    /**
     * Inserts an object and returns its row, which has the columns of the properties.
     * @throws UniqueViolation when a unique index refuses it.
     */
    async insert(tx: Transaction, object: NewOf<P>, nowMs: number): Promise<R> {
      const row = newRow(object, nowMs);
      await tx.run(insertSql, ...inserted.map((column) => row[column]!));
      return row;
    },

    /** Inserts an object and returns its row; returns undefined when a unique index refuses it. */
    async insertUnlessTaken(tx: Transaction, object: NewOf<P>, nowMs: number): Promise<R | undefined> {
      const row = newRow(object, nowMs);
      const values = inserted.map((column) => row[column]!);
      const { changes } = await tx.run(insertUnlessTakenSql, ...values);
      return changes === 1 ? row : undefined;
    },

    /** Changes the given properties of an object; returns undefined when it is deleted. */
    update(tx: Transaction, id: string, change: ChangeOf<P>, nowMs: number): Promise<R | undefined> {
      const given = change as Readonly<Record<string, unknown>>;
      const changed = columns.filter(({ name }) => given[name] !== undefined);
      const values = changed.map(({ name }) => toColumn(given[name]));
      return tx.get<R>(updateSql(changed), ...values, nowMs, id);
    },

    /** Deletes an object; returns false when it was already deleted. */
    async delete(tx: Transaction, id: string, nowMs: number): Promise<boolean> {
      const values = Object.values(deletable?.erased ?? {});
      const { changes } = await tx.run(deleteSql, ...values, nowMs, id);
      return changes === 1;
    },

    /** Returns an object as replies show it. */
    show: shownAs(properties),
  };
}

function columnsOf(properties: Properties): Column[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    if (property.column === undefined || ['created_ms', 'updated_ms'].includes(property.column)) return [];
    return [{ name, column: property.column, stored: property }];
  });
}

/** Returns the function that returns the UPDATE of some columns. Each is written once, so that it is prepared once. */
function updateStatements(table: string, live: string): (changed: readonly Column[]) => string {
  const statements = new Map<string, string>();
  return (changed) => {
    const assignments = changed.map(({ column }) => `${column} = ?, `).join('');
    let sql = statements.get(assignments);
    if (sql === undefined) {
      sql = `UPDATE ${table} SET ${assignments}updated_ms = ? WHERE id = ?${live} RETURNING *`;
      statements.set(assignments, sql);
    }
    return sql;
  };
}

function toColumn(value: unknown): SqlValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' ? JSON.stringify(value) : (value as SqlValue);
}

/** A property of a reply: its value, of a row and of what the caller computed. Undefined leaves it out. */
type Member = [name: string, read: (row: Row, computed: Readonly<Record<string, unknown>>) => unknown];

function shownAs<const P extends Properties>(properties: P) {
  const members = Object.entries(properties).flatMap(([name, property]): Member[] => {
    if (property.reply === 'hidden') return [];
    if (property.column === undefined) return [[name, (_, computed) => computed[name]]];
    const { column } = property;
    const read = reader(property);
    const ofNull = property.reply !== undefined && takesNull(property.reply) ? null : undefined;
    return [[name, (row) => (row[column] === null ? ofNull : read(row[column]!))]];
  });
  return (row: RowOf<P>, ...computed: {} extends ComputedOf<P> ? [] : [ComputedOf<P>]): ShownOf<P> => {
    const shown: Record<string, unknown> = { id: row.id };
    for (const [name, read] of members) {
      const value = read(row, computed[0] ?? {});
      if (value !== undefined) shown[name] = value;
    }
    return shown as ShownOf<P>;
  };
}

/** Returns the function that returns the value of a column. */
function reader(property: StoredProperty): (value: string | number) => unknown {
  const { schema, instant, toReply } = property;
  if (toReply) {
    const read = reader({ schema, column: property.column, ...(instant && { instant }) });
    return (value) => toReply(read(value) as never);
  }
  if (instant) return (value) => toTimestamp(value as number);
  if (isStructured(schema)) return (value) => parseJson(value as JsonText<unknown>);
  return isBoolean(schema) ? (value) => value === 1 : (value) => value;
}

function isStructured(schema: TSchema & { type?: unknown; anyOf?: TSchema[] }): boolean {
  return schema.type === 'object' || schema.type === 'array' || (schema.anyOf?.some(isStructured) ?? false);
}

function isBoolean(schema: TSchema & { type?: unknown }): boolean {
  return schema.type === 'boolean';
}
