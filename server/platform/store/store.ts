import { Fault } from '../../../protocol/failures.ts';
import type { GuardName, LockedTable, SerializableReason } from './guards.ts';

/**
 * The store port: SQL text that SQLite and PostgreSQL both take, `?` for parameters, booleans as 0 and 1,
 * JSON as text, instants as epoch milliseconds, money in minor units. Integers come back as numbers.
 */
export type SqlValue = string | number | null;
export type Row = Record<string, SqlValue>;

export interface Queries {
  get<R extends Row = Row>(sql: string, ...parameters: SqlValue[]): Promise<R | undefined>;
  all<R extends Row = Row>(sql: string, ...parameters: SqlValue[]): Promise<R[]>;
  run(sql: string, ...parameters: SqlValue[]): Promise<Written>;
}

/** What a statement wrote. */
export interface Written {
  /** Number of rows. */
  changes: number;
  /** After an INSERT: the number of its last row. SQLite only. */
  lastInsertRowid?: number;
}

/**
 * One query that fails undoes the whole transaction, even if the body catches the failure: PostgreSQL refuses
 * every later query of such a transaction, so SQLite does the same here. Where a clash is expected, say so in
 * the statement (ON CONFLICT DO NOTHING) or catch it around `transaction`.
 */
export interface Transaction extends Queries {
  /** Whether it names its guards. On PostgreSQL one that names none conflicts with transactions that write what it reads. */
  readonly isGuarded: boolean;
  /**
   * Sends a statement whose result nothing depends on, without waiting. On PostgreSQL it goes with the commit, or with the
   * next statement that mentions its table, as one statement with others (write-batch.ts). When it fails, so does the
   * transaction.
   */
  send(sql: string, ...parameters: SqlValue[]): void;
  /**
   * The same for a statement that changes one row. When it changes none, the transaction is undone with a Fault `internal`:
   * something else has changed the row, though the transaction holds its lock.
   */
  sendChange(sql: string, ...parameters: SqlValue[]): void;
  /** Runs a function once the transaction is durable, in the order added; never when it is undone. */
  afterCommit(effect: () => void): void;
  /**
   * Adds an item for a collector, which processes its items together after the body, before the commit. Items that
   * are added meanwhile are processed next.
   */
  collect<T>(collector: Collector<T>, item: T): void;
  /**
   * Lets one transaction at a time go on that locks this name, until each has ended: the next statement sees what the
   * one before has committed. SQLite runs one at a time anyway.
   * @throws Fault `internal` on PostgreSQL in a transaction that names no guards, which sees what was committed when it
   *   began
   */
  lock(name: string): void;
  /**
   * Locks a row until the transaction ends, before it is read for a change: what is read after it is the latest that is
   * committed, and stays so. Other rows that belong to the object, such as the action of a terminal, are held by its lock.
   * Without guards, PostgreSQL repeats the transaction when the row has changed since it began.
   * @throws Fault `internal` for tables that are not locked in the order of `ROW_LOCKS`, which could lock each other out
   */
  lockRow(table: LockedTable, id: string): void;
  /** @throws Fault `internal` when a transaction with guards has not locked this row */
  requireRowLock(table: LockedTable, id: string): void;
  /**
   * Lets no reset begin until the transaction ends, and waits for one that has begun, as the lock of a row does too. Called before
   * it reads the objects that a new row names: those that only a reset deletes are then still there when the row is written.
   */
  delayReset(): void;
  /** @throws Fault `internal` when a transaction with guards has neither called `delayReset` nor locked a row */
  requireDelayedReset(): void;
  /** Runs `body` as a part of this transaction. What it collects is processed at its end. */
  nested<T>(body: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Returns the result of `read`, which is called once for each key in a transaction. */
  once<T>(key: string, read: () => Promise<T>): Promise<T>;
  /**
   * Returns the result of `decide`, which is called once for each key, also when the engine runs the body again: for what
   * is counted outside the store.
   */
  decideOnce(key: string, decide: () => boolean): boolean;
}

/** Processes what was collected in a transaction: in that transaction, in order. What it throws undoes it. */
export interface Collector<T> {
  process(tx: Transaction, items: readonly T[]): Promise<void>;
}

/** How a transaction is made durable. */
export interface TransactionOptions {
  /**
   * Whether it may resolve before what it wrote is on disk, which it then is with the next transaction that waits for
   * the disk. A power failure before undoes it, the end of the process does not. For what no reply depends on, and what
   * is repeated, or not missed, when it is lost. PostgreSQL then writes it to disk within a second (`synchronous_commit`
   * off).
   */
  delayedDurability?: boolean;
  /**
   * What holds the rules that the body relies on (guards.ts); empty for one that relies on none. On PostgreSQL the reads of
   * such a transaction conflict with no other one. Each of its statements sees what is committed when it begins, so what a
   * guard does not hold may change between two of them.
   */
  guardedBy?: readonly GuardName[];
  /** Why a transaction names no guards (guards.ts), and is SERIALIZABLE on PostgreSQL. */
  serializable?: SerializableReason;
}

/** How a store is closed. */
export interface StoreClosing {
  /** Whether its data is deleted next, so that nothing more has to be written. */
  isDeleted?: boolean;
}

/**
 * Queries made on the store itself see only what is committed; a statement that writes is a transaction by
 * itself. Inside `transaction`, a body awaits nothing but the transaction's own queries: bodies share a commit,
 * one that waited for I/O would delay all, and one that waited for another transaction would wait for ever.
 */
export interface Store extends Queries {
  /**
   * Runs `body` as if no other transaction ran, and resolves when what it wrote is on disk. With `guardedBy` the first
   * holds for the rules of its guards alone. A body may be run again when the engine requires it (PostgreSQL 40001), so it
   * has no effect outside but `afterCommit`.
   * Whatever `body` throws undoes it and is thrown on.
   * @throws UniqueViolation when a unique index refused a write.
   * @throws Fault `store` when the engine fails: disk full, connection lost.
   */
  transaction<T>(body: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** SQLite runs transactions in the order in which they are requested, PostgreSQL side by side. */
  readonly engine: 'sqlite' | 'postgres';
  /**
   * Copies everything that is committed into a new file, between two commits: reads go on meanwhile. Undefined for a
   * database server.
   * @param before called first, while nothing is written; it must not wait for the store
   * @throws Fault `store` when the file cannot be written.
   */
  copyTo?(path: string, before?: () => Promise<void>): Promise<void>;
  /** Whether a copy is being made, for which all that is written waits. */
  isBeingCopied?(): boolean;
  /** Write failures of an embedded store; undefined for a database server. */
  readonly trouble?: WriteOutage;
  /** Lets the transactions under way end, then closes; later queries fail with Fault `store`. */
  close(options?: StoreClosing): Promise<void>;
}

/** True when a unique index refused the write: SQLite 1555 and 2067, PostgreSQL 23505. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation';
}

/** The engine refused a value: of another type, out of its range, missing, or of a row that is not there. */
export class RefusedValue extends Fault {
  override name = 'RefusedValue';

  constructor(message: string, options?: ErrorOptions) {
    super('store', message, options);
  }
}

/** Why nothing can be written at the moment. */
export interface WriteFailure {
  reason: string;
  /** Whether a new process could mend it: true for a disk that fails, false for one that is full or locked. */
  lasting: boolean;
}

/** What keeps a store from writing, from the first refused write to the next one that succeeds. */
export interface WriteOutage {
  current(): WriteFailure | undefined;
  /** Calls back each time that trouble begins. */
  onBegin(listener: () => void): void;
}

/**
 * Runs a transaction, and once more after a unique violation. When two requests race, PostgreSQL may show the other's
 * row to the unique index only: the second run reads that row and throws its Refusal.
 */
export async function retryOnUniqueViolation<T>(
  store: Store,
  body: (tx: Transaction) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  try {
    return await store.transaction(body, options);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    return store.transaction(body, options);
  }
}

/**
 * Returns the store as code inside a transaction uses it: its queries and the transactions that are begun on it are
 * parts of that one transaction, and are committed or undone with it. Those name no guards that it does not name.
 * @param options those of the transaction
 */
export function storeInTransaction(
  tx: Transaction,
  { engine }: Pick<Store, 'engine'>,
  options: TransactionOptions = {},
): Store {
  return {
    engine,
    get: tx.get,
    all: tx.all,
    run: tx.run,
    async transaction(body, inner = {}) {
      refuseOtherGuards(options, inner);
      return tx.nested(body);
    },
    async close() {
      throw new Fault('internal', 'a store was closed inside a transaction');
    },
  };
}

/** @throws Fault `internal` for a part of a transaction that relies on more than the guards of the whole */
function refuseOtherGuards(
  { guardedBy: whole }: TransactionOptions,
  { guardedBy: part }: TransactionOptions,
): void {
  if (!whole) return;
  const missing = part?.filter((name) => !whole.includes(name)) ?? ['SERIALIZABLE'];
  if (missing.length > 0)
    throw new Fault(
      'internal',
      `a part of a transaction relies on ${missing.join(', ')}, which the whole does not name`,
    );
}
