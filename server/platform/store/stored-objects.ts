import { WRITE_LOCKS, type LockedRow } from './guards.ts';
import { insertStatement } from './insert-row.ts';
import type { Condition, PageSource } from './page-source.ts';
import type { Queries, Row, SqlValue, Transaction } from './store.ts';
import type { ChangeOf, NewOf, Properties, RowOf, StoredProperty, TimeColumn } from './stored-property.ts';
import { shownAs } from './stored-reply.ts';

/** What is special about the table of some objects. */
interface TableOptions<T extends TimeColumn = TimeColumn> {
  table: string;
  /** The times that it has; both unless given. */
  times?: readonly T[];
  /** Whether an object that is deleted keeps its row, with `deleted` set. Without, objects are never deleted. */
  deletable?: {
    /** Columns that are erased with it, and what they have then. */
    erased?: Readonly<Record<string, string | number>>;
  };
  /** Columns that `updateFrom` and `save` compare, such as that of the status. They are never null. */
  compared?: readonly string[];
}

interface Column {
  name: string;
  column: string;
  stored: StoredProperty;
}

/** Returns how objects with these properties are stored, found, changed and shown. */
export function storedObjects<const P extends Properties, T extends TimeColumn = TimeColumn>(
  options: TableOptions<T>,
  properties: P,
) {
  const { table, deletable } = options;
  const columns = columnsOf(properties);
  const owner = columns.find(({ stored }) => stored.owner)?.column ?? 'account_id';
  return {
    table,

    /** The columns that the search of the dashboard reads. */
    searched: ['id', ...columns.flatMap(({ column, stored }) => (stored.searched ? [column] : []))],

    /** The condition on rows whose object is not deleted. */
    listed: deletable ? 'deleted = 0' : '1 = 1',

    ...readsOf<RowOf<P, T>>(options, owner),
    ...insertsOf<P, T>(options, columns, owner),
    ...changesOf<P, T>(options, columns),
    ...savesOf<RowOf<P, T>>(options, columns),

    /** Returns an object as replies show it. */
    show: shownAs(properties),
  };
}

/** @throws Fault `internal` when a transaction with guards has not locked what it locks before it writes this row */
function requireLock(tx: Transaction, lock: LockedRow | undefined, row: Row): void {
  if (lock) tx.requireRowLock(lock.of, String(row[lock.column]));
}

const BOTH: readonly TimeColumn[] = ['created_ms', 'updated_ms'];

function columnsOf(properties: Properties): Column[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    if (property.column === undefined || BOTH.some((time) => time === property.column)) return [];
    return [{ name, column: property.column, stored: property }];
  });
}

function readsOf<R extends Row>({ table, deletable }: TableOptions, owner: string) {
  const live = deletable ? ' AND deleted = 0' : '';
  const findSql = `SELECT * FROM ${table} WHERE id = ? AND ${owner} = ?${live}`;
  const findAnySql = `SELECT * FROM ${table} WHERE id = ?${live}`;
  const allSql = `SELECT * FROM ${table} WHERE ${owner} = ?${live} ORDER BY seq`;
  const listWithin = (scope: Condition): PageSource => ({
    table,
    owned: scope,
    ...(deletable && { shown: { where: 'deleted = 0', parameters: [] } }),
  });
  return {
    /** Returns an object of its owner, an account unless declared otherwise, when it is not deleted. */
    find: (queries: Queries, ownerId: string, id: string): Promise<R | undefined> =>
      queries.get<R>(findSql, id, ownerId),

    /** Returns an object of any owner, unless it is deleted. */
    findAny: (queries: Queries, id: string): Promise<R | undefined> => queries.get<R>(findAnySql, id),

    /** Returns an object whose row meets a condition, unless it is deleted. */
    findWithin: (queries: Queries, scope: Condition, id: string): Promise<R | undefined> =>
      queries.get<R>(`${findAnySql} AND ${scope.where}`, id, ...scope.parameters),

    /** Returns all objects of an owner that are not deleted, oldest first. */
    allOf: (queries: Queries, ownerId: string): Promise<R[]> => queries.all<R>(allSql, ownerId),

    /** The objects of an owner. */
    listOf: (ownerId: string): PageSource => listWithin({ where: `${owner} = ?`, parameters: [ownerId] }),

    /** The objects whose rows meet a condition. */
    listWithin,
  };
}

function insertsOf<P extends Properties, T extends TimeColumn>(
  { table, times = BOTH }: TableOptions,
  columns: readonly Column[],
  owner: string,
) {
  type R = RowOf<P, T>;
  const first = owner === 'account_id' ? ['id', 'account_id'] : ['id'];
  const all = [...first, ...columns.map(({ column }) => column), ...times];
  // Binding a parameter takes longer than storing it.
  const later = columns.filter(({ stored }) => stored.later).map(({ column }) => column);
  const inserted = all.filter((column) => !later.includes(column));
  const lock = WRITE_LOCKS[table]?.insert;
  const insertSql = insertStatement(table, inserted);
  const insertUnlessTakenSql = `${insertSql} ON CONFLICT DO NOTHING`;
  const insertAllSql = written((rows: number) => insertStatement(table, inserted, rows));

  // To copy an object that got many columns one by one takes five times as long as to copy one made at once.
  const emptyRow: Row = Object.fromEntries(all.map((column) => [column, null]));

  function newRow(object: NewOf<P>, nowMs: number): R {
    const given = object as Readonly<Record<string, unknown>>;
    const row: Row = { ...emptyRow };
    row['id'] = object.id;
    if (owner === 'account_id') row[owner] = given['accountId'] as string;
    for (const { name, column, stored } of columns) row[column] = toColumn(given[name] ?? stored.initial);
    for (const time of times) row[time] = nowMs;
    return row as R;
  }

  function valuesFor(tx: Transaction, row: R): SqlValue[] {
    requireLock(tx, lock, row);
    tx.requireDelayedReset();
    return inserted.map((column) => row[column]!);
  }

  return {
    /** The columns of a row. */
    columns: all,

    /** Returns the row of a new object, for `insertRow`. */
    newRow,

    /** Inserts a row. The transaction throws UniqueViolation when a unique index refuses it. */
    async insertRow(tx: Transaction, row: R): Promise<void> {
      tx.send(insertSql, ...valuesFor(tx, row));
    },

    /**
     * Inserts an object and returns its row, which has the columns of the properties. The transaction throws
     * UniqueViolation when a unique index refuses it.
     */
    async insert(tx: Transaction, object: NewOf<P>, nowMs: number): Promise<R> {
      const row = newRow(object, nowMs);
      tx.send(insertSql, ...valuesFor(tx, row));
      return row;
    },

    /** Inserts an object and returns its row; returns undefined when a unique index refuses it. */
    async insertUnlessTaken(tx: Transaction, object: NewOf<P>, nowMs: number): Promise<R | undefined> {
      const row = newRow(object, nowMs);
      const { changes } = await tx.run(insertUnlessTakenSql, ...valuesFor(tx, row));
      return changes === 1 ? row : undefined;
    },

    /** Inserts objects, at least one, by one statement. */
    async insertAll(tx: Transaction, objects: readonly NewOf<P>[], nowMs: number): Promise<void> {
      const values: SqlValue[] = [];
      for (const object of objects) values.push(...valuesFor(tx, newRow(object, nowMs)));
      tx.send(insertAllSql(objects.length), ...values);
    },
  };
}

function changesOf<P extends Properties, T extends TimeColumn>(
  options: TableOptions,
  columns: readonly Column[],
) {
  type R = RowOf<P, T>;
  const { table, deletable, compared = [] } = options;
  const locks = WRITE_LOCKS[table];
  const live = deletable ? ' AND deleted = 0' : '';
  const unchanged = compared.map((column) => ` AND ${column} = ?`).join('');
  const updateSql = updateStatements(table, live);
  const updateFromSql = updateStatements(table, `${unchanged}${live}`);
  const erased = Object.entries(deletable?.erased ?? {}).map(([column]) => `, ${column} = ?`);
  const deleteSql = `UPDATE ${table} SET deleted = 1${erased.join('')}, updated_ms = ? WHERE id = ? AND deleted = 0 RETURNING *`;

  async function change(
    tx: Transaction,
    sql: (changed: readonly Column[]) => string,
    given: Readonly<Record<string, unknown>>,
    ...condition: SqlValue[]
  ): Promise<R | undefined> {
    const changed = columns.filter(({ name }) => given[name] !== undefined);
    const values = changed.map(({ name }) => toColumn(given[name]));
    const row = await tx.get<R>(sql(changed), ...values, ...condition);
    if (!row) return undefined;
    requireLock(tx, locks?.change, row);
    if (changed.some(({ column }) => column === locks?.insert?.column)) requireLock(tx, locks?.insert, row);
    return row;
  }

  return {
    /** Changes the given properties of an object; returns undefined when it is deleted. */
    update: (tx: Transaction, id: string, given: ChangeOf<P>, nowMs: number): Promise<R | undefined> =>
      change(tx, updateSql, given, nowMs, id),

    /** Changes an object; returns undefined, and changes nothing, when a compared column is not as in `before`. */
    updateFrom(tx: Transaction, before: R, given: ChangeOf<P>, nowMs: number): Promise<R | undefined> {
      const expected = compared.map((column) => before[column]!);
      return change(tx, updateFromSql, given, nowMs, before.id, ...expected);
    },

    /** Deletes an object; returns false when it was already deleted. */
    async delete(tx: Transaction, id: string, nowMs: number): Promise<boolean> {
      const values = Object.values(deletable?.erased ?? {});
      const row = await tx.get<R>(deleteSql, ...values, nowMs, id);
      if (row) requireLock(tx, locks?.change, row);
      return row !== undefined;
    },
  };
}

function savesOf<R extends Row>(
  { table, times = BOTH, compared = [] }: TableOptions,
  columns: readonly Column[],
) {
  const saved = columns.filter(({ stored }) => !stored.fixed).map(({ column }) => column);
  if (times.includes('updated_ms')) saved.push('updated_ms');
  const unchanged = compared.map((column) => ` AND ${column} = ?`).join('');
  const lock = WRITE_LOCKS[table]?.change;
  const saveSql = `UPDATE ${table} SET ${saved.map((column) => `${column} = ?`).join(', ')} WHERE id = ?${unchanged}`;
  return {
    /**
     * Saves a changed row, which the transaction locked before it read it, unless it is SERIALIZABLE. The transaction is
     * undone with a Fault `internal` when a compared column is no longer as in `before`.
     */
    save(tx: Transaction, before: R, after: R): void {
      requireLock(tx, lock, before);
      const values = saved.map((column) => after[column]!);
      const expected = compared.map((column) => before[column]!);
      tx.sendChange(saveSql, ...values, before['id']!, ...expected);
    },
  };
}

/** Returns the function that returns the UPDATE of some columns. */
function updateStatements(table: string, condition: string): (changed: readonly Column[]) => string {
  const update = written(
    (assignments: string) =>
      `UPDATE ${table} SET ${assignments}updated_ms = ? WHERE id = ?${condition} RETURNING *`,
  );
  return (changed) => update(changed.map(({ column }) => `${column} = ?, `).join(''));
}

/** Returns a function that writes each statement once, so that it is prepared once. */
function written<K>(write: (key: K) => string): (key: K) => string {
  const statements = new Map<K, string>();
  return (key) => {
    let sql = statements.get(key);
    if (sql === undefined) statements.set(key, (sql = write(key)));
    return sql;
  };
}

function toColumn(value: unknown): SqlValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' ? JSON.stringify(value) : (value as SqlValue);
}
