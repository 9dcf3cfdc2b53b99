import { Fault } from '../../../../protocol/failures.ts';
import type { Log } from '../../../../protocol/log.ts';
import type { Store } from '../store.ts';
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
];

interface Migration {
  name: string;
  statements: readonly string[];
}

// A number of our own that only grows and is never given twice, also when the newest row is deleted.
const SEQ = {
  sqlite: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  postgres: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
};

/**
 * Brings the database up to `migrations`, each in a transaction of its own, so that a crash leaves the last
 * whole step. The caller sees to it that only one server does this at a time.
 * @throws Fault `store` when the database was migrated by a program newer than this one.
 */
export async function migrate(
  store: Store,
  log: Log,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  await store.run('CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)');
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
  for (const [index, migration] of migrations.entries()) {
    if (index >= applied) await apply(store, index + 1, migration, log);
  }
}

async function apply(store: Store, number: number, migration: Migration, log: Log): Promise<void> {
  await store.transaction(async (tx) => {
    // An index over years of payments has no time limit.
    if (store.engine === 'postgres') await tx.run('SET LOCAL statement_timeout = 0');
    for (const statement of migration.statements) {
      await tx.run(statement.replaceAll('{seq}', SEQ[store.engine]));
    }
    await tx.run('INSERT INTO migrations (number, name) VALUES (?, ?)', number, migration.name);
  });
  log.info({ migration: migration.name }, 'database migrated');
}
