import { errorCode, Fault } from '../../../../protocol/failures.ts';
import type { Log } from '../../../../protocol/log.ts';
import type { Queries, Store, Transaction } from '../store.ts';
import { inPerson } from './0001-in-person.ts';
import { ledger } from './0002-ledger.ts';
import { payments } from './0003-payments.ts';
import { accounts } from './0004-accounts.ts';
import { customers } from './0005-customers.ts';
import { payouts } from './0006-payouts.ts';
import { disputes } from './0007-disputes.ts';
import { wallets } from './0008-wallets.ts';
import { files } from './0009-files.ts';
import { readers } from './0010-readers.ts';
import { settledConversions } from './0011-settled-conversions.ts';
import { jobQueues } from './0012-job-queues.ts';
import { retention } from './0013-retention.ts';
import { retentionOfParts } from './0014-retention-of-parts.ts';
import { instances } from './0015-instances.ts';
import { sessionState } from './0016-session-state.ts';
import { deliveryTime } from './0017-delivery-time.ts';
import { sessionReplies } from './0018-session-replies.ts';
import { idempotencyKeys } from './0019-idempotency-keys.ts';
import { claimsInMemory } from './0020-claims-in-memory.ts';
import { requests } from './0021-requests.ts';
import { deliveryAttempts } from './0022-delivery-attempts.ts';
import { actionTimelines } from './0023-action-timelines.ts';
import { eventsOfObjects, objectsOfEvents } from './0024-events-of-objects.ts';
import { relations } from './0027-relations.ts';
import { faultPlans } from './0028-fault-plans.ts';
import { faultCounts } from './0029-fault-counts.ts';
import { keyUse } from './0030-key-use.ts';
import { creatorsAndVerifications } from './0031-creators-and-verifications.ts';
import { faultRecoveries } from './0032-fault-recoveries.ts';
import { errorReasons } from './0033-error-reasons.ts';
import { bytesOfLogs } from './0034-bytes-of-logs.ts';
import { deviceReversals } from './0035-device-reversals.ts';
import { heldDeliveries } from './0036-held-deliveries.ts';
import { passedRequests } from './0037-passed-requests.ts';
import { foundBySearch } from './0038-found-by-search.ts';
import { followedClock } from './0039-followed-clock.ts';

/** Steps of the schema in their order; the index plus one is the number. A released step is never edited. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-in-person', statements: inPerson },
  { name: '0002-ledger', statements: ledger },
  { name: '0003-payments', statements: payments },
  { name: '0004-accounts', statements: accounts },
  { name: '0005-customers', statements: customers },
  { name: '0006-payouts', statements: payouts },
  { name: '0007-disputes', statements: disputes },
  { name: '0008-wallets', statements: wallets },
  { name: '0009-files', statements: files },
  { name: '0010-readers', statements: readers },
  { name: '0011-settled-conversions', statements: settledConversions },
  { name: '0012-job-queues', statements: jobQueues },
  { name: '0013-retention', statements: retention },
  { name: '0014-retention-of-parts', statements: retentionOfParts },
  { name: '0015-instances', statements: instances },
  { name: '0016-session-state', statements: sessionState },
  { name: '0017-delivery-time', statements: deliveryTime },
  { name: '0018-session-replies', statements: sessionReplies },
  { name: '0019-idempotency-keys', statements: idempotencyKeys },
  { name: '0020-claims-in-memory', statements: claimsInMemory, engine: 'sqlite' },
  { name: '0021-requests', statements: requests },
  { name: '0022-delivery-attempts', statements: deliveryAttempts },
  { name: '0023-action-timelines', statements: actionTimelines },
  { name: '0024-events-of-objects', statements: eventsOfObjects },
  { name: '0025-objects-of-events', statements: objectsOfEvents.sqlite, engine: 'sqlite' },
  { name: '0026-objects-of-events', statements: objectsOfEvents.postgres, engine: 'postgres' },
  { name: '0027-relations', statements: relations },
  { name: '0028-fault-plans', statements: faultPlans },
  { name: '0029-fault-counts', statements: faultCounts },
  { name: '0030-key-use', statements: keyUse },
  { name: '0031-creators-and-verifications', statements: creatorsAndVerifications },
  { name: '0032-fault-recoveries', statements: faultRecoveries },
  { name: '0033-error-reasons', statements: errorReasons },
  { name: '0034-bytes-of-logs', statements: bytesOfLogs },
  { name: '0035-device-reversals', statements: deviceReversals },
  { name: '0036-held-deliveries', statements: heldDeliveries },
  { name: '0037-passed-requests', statements: passedRequests },
  { name: '0038-found-by-search', statements: foundBySearch },
  { name: '0039-followed-clock', statements: followedClock },
];

interface Migration {
  name: string;
  statements: readonly string[];
  /** The engine that the statements are for; both by default. */
  engine?: Store['engine'];
}

const MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)';

// A number of our own that only grows and is never given twice, also when the newest row is deleted.
const SEQ = {
  sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  postgres: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
};

interface MigrateOptions {
  /** The steps; those of this program unless given. */
  migrations?: readonly Migration[];
  /** Called before a database that has tables gets the next step. What it throws leaves it as it is. */
  beforeUpdate?: (() => Promise<void>) | undefined;
}

/**
 * Brings the database up to `migrations`, each in a transaction of its own, so that a crash leaves the last
 * whole step. The caller sees to it that only one server does this at a time.
 * @throws Fault `store` when the database was migrated by a program newer than this one.
 */
export async function migrate(
  store: Store,
  log: Log,
  { migrations = MIGRATIONS, beforeUpdate }: MigrateOptions = {},
): Promise<void> {
  await store.run(MIGRATIONS_TABLE);
  const newest = await store.get<{ number: number; name: string }>(
    'SELECT number, name FROM migrations ORDER BY number DESC LIMIT 1',
  );
  const applied = newest?.number ?? 0;
  if (applied > migrations.length) {
    throw new Fault(
      'store',
      `the database was written by a newer Tapbench (migration ${newest?.name}; this one knows ` +
        `${migrations.length}): upgrade Tapbench, or choose another DATA_DIR or DATABASE_URL`,
    );
  }
  const steps = migrations.length - applied;
  const isUpdate = newest !== undefined && steps > 0;
  if (isUpdate) {
    await beforeUpdate?.();
    log.info({ from: newest.name, to: migrations.at(-1)!.name, steps }, 'the database is being migrated');
  }
  // Other programs may wait for the locks of an update.
  const report = isUpdate && store.engine === 'postgres' ? log.warn.bind(log) : log.info.bind(log);
  for (const [index, migration] of migrations.entries()) {
    if (index >= applied) report(await apply(store, index + 1, migration, log), 'database migrated');
  }
}

/** Returns whether a database has all tables of this program, and none of a newer one. */
export async function isMigrated(queries: Queries): Promise<boolean> {
  const row = await queries.get<{ newest: number | null }>('SELECT MAX(number) AS newest FROM migrations');
  return row?.newest === MIGRATIONS.length;
}

/**
 * Creates all tables in a database that has none.
 * @param upTo number of the last step; that of this program unless given
 */
export async function createTables(
  tx: Pick<Transaction, 'run'>,
  engine: Store['engine'],
  upTo = MIGRATIONS.length,
): Promise<void> {
  // Sent together, and run in this order.
  await Promise.all([
    tx.run(MIGRATIONS_TABLE),
    ...MIGRATIONS.slice(0, upTo).map((migration, index) => change(tx, engine, index + 1, migration)),
  ]);
}

/** Runs the steps after `applied`, which the database has. */
export async function updateTables(tx: Transaction, engine: Store['engine'], applied: number): Promise<void> {
  for (const [index, migration] of MIGRATIONS.entries())
    if (index >= applied) await change(tx, engine, index + 1, migration);
}

/** After this wait for a lock a step gives back those that it has, for which others wait, and tries again. */
const LOCK_WAIT_MS = 3_000;

/** What the log has of a step. */
interface AppliedStep {
  migration: string;
  /** How long it held its locks, on PostgreSQL. */
  elapsedMs?: number;
}

async function apply(store: Store, number: number, migration: Migration, log: Log): Promise<AppliedStep> {
  const { name } = migration;
  if (store.engine === 'postgres')
    return { migration: name, elapsedMs: await applyLocking(store, number, migration, log) };
  await store.transaction((tx) => change(tx, store.engine, number, migration), { serializable: 'start' });
  return { migration: name };
}

/**
 * Runs a step on PostgreSQL, again as long as another program holds a lock that it needs. Returns how long it took,
 * milliseconds.
 */
async function applyLocking(store: Store, number: number, migration: Migration, log: Log): Promise<number> {
  for (;;) {
    try {
      return await store.transaction(
        async (tx) => {
          // An index over years of payments has no time limit.
          tx.send('SET LOCAL statement_timeout = 0');
          tx.send(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
          await change(tx, store.engine, number, migration);
          const row = await tx.get<{ ms: number }>(
            'SELECT round(EXTRACT(EPOCH FROM clock_timestamp() - transaction_timestamp()) * 1000) AS ms',
          );
          return row!.ms;
        },
        { serializable: 'start' },
      );
    } catch (thrown) {
      if (!isLockTimeout(thrown)) throw thrown;
      log.warn(
        { migration: migration.name, programs: await programsWithLocks(store) },
        'the migration of the database waits for a lock that another program holds',
      );
    }
  }
}

/** Returns whether a statement of PostgreSQL waited longer than `lock_timeout` (lock_not_available). */
function isLockTimeout(thrown: unknown): boolean {
  return thrown instanceof Fault && errorCode(thrown.cause) === '55P03';
}

/** Returns the programs that have open transactions on the database, with their process ids on its server. */
async function programsWithLocks(store: Store): Promise<string[]> {
  const rows = await store.all<{ program: string }>(
    `SELECT DISTINCT application_name || ' ' || pid AS program FROM pg_stat_activity JOIN pg_locks USING (pid)
     WHERE datname = current_database() AND relation IS NOT NULL AND granted AND pid <> pg_backend_pid()
     ORDER BY program`,
  );
  return rows.map(({ program }) => program);
}

async function change(
  tx: Pick<Transaction, 'run'>,
  engine: Store['engine'],
  number: number,
  { name, statements, engine: onlyEngine = engine }: Migration,
): Promise<void> {
  const ofEngine = onlyEngine === engine ? statements : [];
  await Promise.all([
    ...ofEngine.map((statement) => tx.run(statement.replaceAll('{seq}', SEQ[engine]))),
    tx.run('INSERT INTO migrations (number, name) VALUES (?, ?)', number, name),
  ]);
}
