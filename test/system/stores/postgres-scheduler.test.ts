import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../protocol/log.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import type { Row, SqlValue, Store } from '../../../server/platform/store/store.ts';
import { renewClaims } from '../../../server/platform/scheduler/claim-lease.records.ts';
import { createJobs } from '../../../server/platform/scheduler/scheduler.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { schedulerContract } from '../../contract/scheduler.contract.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

const openNew = async () => openStore({ databaseUrl: await server.freshDatabase(), log: silentLog });

schedulerContract(openNew);

/** Returns a store that keeps the statements of its transactions. */
function watched(store: Store): { store: Store; statements: string[] } {
  const statements: string[] = [];
  const transaction: Store['transaction'] = (body, options) =>
    store.transaction((tx) => {
      const get = <R extends Row>(sql: string, ...values: SqlValue[]) => {
        statements.push(sql);
        return tx.get<R>(sql, ...values);
      };
      const all = <R extends Row>(sql: string, ...values: SqlValue[]) => {
        statements.push(sql);
        return tx.all<R>(sql, ...values);
      };
      return body({ ...tx, get, all });
    }, options);
  return { store: { ...store, transaction }, statements };
}

test('PostgreSQL scheduler: a poll asks once for all kinds, and claims of those with due jobs alone', async () => {
  const opened = await openNew();
  const { store, statements } = watched(opened);
  const clock = new VirtualClock(1_760_000_000_000);
  const jobs = createJobs({ store, clock, realClock: clock, log: silentLog, instanceId: 'one' });
  onTestFinished(async () => {
    await jobs.stop();
    await opened.close();
  });
  const ran: string[] = [];
  for (const kind of ['first', 'second', 'third', 'fourth']) {
    jobs.handle(kind, (job) => {
      ran.push(kind);
      return opened.transaction((tx) => jobs.finish(tx, job, 'done'));
    });
  }
  jobs.start();
  await expect.poll(() => jobs.idle()).toBe(true);
  // As another server adds it.
  await opened.run(
    `INSERT INTO jobs (kind, subject, payload, due_ms, attempts) VALUES ('third', 'x', '{}', ?, 0)`,
    clock.nowMs(),
  );
  statements.length = 0;
  await clock.advance(1_000);
  await expect.poll(() => ran).toEqual(['third']);
  const asked = (text: string) => statements.filter((statement) => statement.includes(text)).length;
  expect([asked('string_to_array'), asked('SELECT due_ms FROM jobs')]).toEqual([1, 1]);
});

test('PostgreSQL scheduler: claims are renewed without waiting for a job that another transaction ends', async () => {
  const store = await openNew();
  onTestFinished(() => store.close());
  for (const key of ['ends', 'goes on'])
    await store.run(
      `INSERT INTO jobs (kind, subject, payload, due_ms, attempts, claimed_by, claimed_until_ms)
       VALUES ('note', ?, '{}', 0, 0, 'one', 1)`,
      key,
    );
  const seqs = (await store.all<{ seq: number }>('SELECT seq FROM jobs')).map(({ seq }) => seq);
  await store.transaction(
    async (ending) => {
      await ending.run(`DELETE FROM jobs WHERE subject = 'ends'`);
      await store.transaction(
        (tx) => renewClaims(tx, 'postgres', seqs, { owner: 'one', nowMs: 0, untilMs: 2 }),
        { guardedBy: ['jobClaims'] },
      );
    },
    { guardedBy: ['jobClaims'] },
  );
  expect(await store.all('SELECT subject, claimed_until_ms FROM jobs')).toEqual([
    { subject: 'goes on', claimed_until_ms: 2 },
  ]);
});
