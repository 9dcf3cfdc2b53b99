import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { seededRandom, type Ids } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import {
  deleteClaim,
  deleteExpiredKeys,
  saveAnswer,
} from '../../../server/platform/http/idempotency/idempotency-key.records.ts';
import { claimRequest } from '../../../server/platform/http/idempotency/kept-answers.ts';
import { Refusal } from '../../../server/platform/http/refusals.ts';
import {
  insertDeliveries,
  bringForward,
  saveDelivery,
  saveEnded,
  saveSentAgain,
} from '../../../server/platform/outbox/delivery.records.ts';
import { insertClaimedIfFree, insertJob } from '../../../server/platform/scheduler/added-job.records.ts';
import {
  claimDue,
  claiming,
  claimFirstOfKeys,
  removeAndFindNext,
  removeJobs,
} from '../../../server/platform/scheduler/job.records.ts';
import { extendTransaction } from '../../../server/platform/store/extended-transaction.ts';
import type { GuardName } from '../../../server/platform/store/guards.ts';
import { insertLatest } from '../../../server/platform/store/latest-rows.ts';
import { openStore } from '../../../server/platform/store/open-store.ts';
import {
  retryOnUniqueViolation,
  type Queries,
  type Store,
  type Transaction,
} from '../../../server/platform/store/store.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { balance, chargeback, transfer } from './balance-rows.ts';
import {
  everyInterleaving,
  ORDERS,
  ORDERS_WITHOUT_GUARD,
  type Contender,
  type Rows,
  type WithoutGuard,
} from './interleavings.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import type { RacedGuard } from './raced-requests.ts';
import { without, withoutBalanceLock, withoutLocks } from './without-guards.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

interface Pair extends Rows {
  contenders: readonly [Contender, Contender];
  /** Takes a guard out: then some order of the statements ends as neither transaction before the other. */
  withoutGuard?: WithoutGuard;
  /** How many orders are tried at most; all unless given. */
  atMost?: number;
}

const NOW_MS = 1_760_000_000_000;
const owner = (name: string) => ({ owner: name, nowMs: NOW_MS, untilMs: NOW_MS + 10_000 });
const QUEUE = { kind: 'note', queue: '' };
const job = (key: string) => ({ kind: 'note', key, dueMs: NOW_MS - 1 });

const jobsOf = (...keys: string[]) => ({
  async prepare(store: Store) {
    await store.run('DELETE FROM jobs');
    await store.transaction(async (tx) => {
      for (const key of keys) insertJob(tx, job(key));
    });
  },
  state: (queries: Queries) => queries.all('SELECT subject, claimed_by FROM jobs ORDER BY subject, seq'),
});
const jobs = jobsOf('one', 'one', 'two');

const claimFirst = (name: string) => async (tx: Transaction) =>
  void (await claimDue(tx, QUEUE, 1, owner(name)));
const claim =
  (name: string): Contender =>
  (store) =>
    claiming(store, claimFirst(name));
const claimWithoutLock =
  (name: string): Contender =>
  (store) =>
    claiming(withoutLocks(store), claimFirst(name));

/** Adds a job that is claimed already, after `before` in the same transaction. */
const addClaimed =
  (name: string, before: (tx: Transaction) => Promise<unknown> = async () => {}): Contender =>
  (store) =>
    store.transaction(
      async (tx) => {
        await before(tx);
        await insertClaimedIfFree(tx, job('one'), owner(name));
      },
      { guardedBy: ['jobClaims'] },
    );

/** Ends a claimed job, and claims what follows of its key. */
const endJob =
  (name: string): Contender =>
  (store) =>
    retryOnUniqueViolation(
      store,
      async (tx) => {
        const { seq } = (await tx.get<{ seq: number }>('SELECT seq FROM jobs WHERE claimed_by = ?', name))!;
        const { hasNext } = (await removeAndFindNext(tx, [seq], owner(name))).get(seq)!;
        if (hasNext) await claimFirstOfKeys(tx, ['one'], ['note'], owner(name));
      },
      { guardedBy: ['jobClaims'] },
    );

const attempted = { eventId: 'ev_1', webhookId: 'wh_1', scheduledBefore: 0 };
const failed = {
  state: 'Pending' as const,
  attempts: 1,
  sentAgain: 0,
  lastStatus: '500',
  line: '',
  endedMs: NOW_MS,
  againMs: NOW_MS + 60_000,
};

const deliveries = {
  async prepare(store: Store) {
    await store.run('DELETE FROM deliveries');
    await store.transaction(async (tx) => insertDeliveries(tx, [{ eventId: 'ev_1', webhookId: 'wh_1' }]));
  },
  state: (queries: Queries) =>
    queries.all('SELECT state, attempts, sent_again, last_status, next_ms FROM deliveries'),
};

const attempt =
  (change: Partial<typeof failed> = {}): Contender =>
  (store) =>
    store.transaction((tx) => saveDelivery(tx, attempted, { ...failed, ...change }), {
      guardedBy: ['deliveryAttempts'],
      delayedDurability: true,
    });
const endTogether =
  (lastStatus: string): Contender =>
  (store) => {
    const now = { ...failed, state: 'Acknowledged' as const, lastStatus };
    return store.transaction((tx) => saveEnded(tx, [{ ...attempted, now }]), {
      guardedBy: ['deliveryAttempts'],
    });
  };
const sendByHand: Contender = (store) =>
  store.transaction(async (tx) => {
    const now = { acknowledged: true, lastStatus: '200', line: '', endedMs: NOW_MS };
    await saveSentAgain(tx, attempted, now);
  });
const bringItForward: Contender = (store) =>
  store.transaction((tx) => bringForward(tx, attempted, NOW_MS + 1), { guardedBy: ['deliveryAttempts'] });

const DIGESTS = { keyDigest: 'key', requestDigest: 'request', answerKey: Buffer.alloc(32) };
const ROW_OF_KEY = {
  'no row': [],
  'lease ended': [NOW_MS, NOW_MS + 60_000],
  'under way': [NOW_MS + 10_000, NOW_MS + 60_000],
  expired: [NOW_MS - 60_000, NOW_MS],
} as const;

/** The key of a request, as an attempt named `before` has left it. */
const keys = (left: keyof typeof ROW_OF_KEY) => ({
  async prepare(store: Store) {
    await store.run('DELETE FROM idempotency_keys');
    await store.run('CREATE TABLE IF NOT EXISTS work (done BIGINT)');
    await store.run('DELETE FROM work');
    await store.run('INSERT INTO work VALUES (0)');
    if (ROW_OF_KEY[left].length === 0) return;
    await store.run(
      `INSERT INTO idempotency_keys (key_digest, request_digest, claim, lease_ms, expires_ms)
       VALUES ('key', 'request', 'before', ?, ?)`,
      ...ROW_OF_KEY[left],
    );
  },
  state: async (queries: Queries) => [
    await queries.all('SELECT claim, lease_ms, expires_ms, status FROM idempotency_keys'),
    await queries.all('SELECT done FROM work'),
  ],
});

const claimKey =
  (name: string): Contender =>
  (store) =>
    claimRequest(
      {
        ids: { uuid: () => name } as Ids,
        random: seededRandom(name),
        realClock: new VirtualClock(NOW_MS),
        store,
      },
      DIGESTS,
    ).catch(codeOfRefusal);

/** Does some work and keeps the answer with it, as the attempt that had claimed the key. */
const workAndAnswer =
  (name: string): Contender =>
  (store) =>
    extendTransaction(store, {
      guard: 'idempotencyKeys',
      work: (own) => own.transaction((tx) => tx.run('UPDATE work SET done = done + 1'), { guardedBy: [] }),
      async last(tx) {
        const saved = await saveAnswer(
          tx,
          { keyDigest: 'key', claim: name },
          { status: 200, answer: 'sealed' },
        );
        if (!saved) throw new Refusal('idempotency_key_in_use');
      },
    }).catch(codeOfRefusal);

function codeOfRefusal(error: unknown): string {
  if (error instanceof Refusal) return error.refusal;
  throw error;
}

const COLUMNS = ['id', 'text'] as const;
const log = {
  async prepare(store: Store) {
    await store.run(
      'CREATE TABLE IF NOT EXISTS log (seq BIGSERIAL PRIMARY KEY, id TEXT, text TEXT, total_bytes BIGINT)',
    );
    await store.run('DELETE FROM log');
    await store.run(`INSERT INTO log (id, text, total_bytes) VALUES ('first', 'x', 100)`);
  },
  // The number of a row is drawn before its transaction commits, so that of one that is undone is missing.
  state: (queries: Queries) => queries.all('SELECT total_bytes FROM log ORDER BY seq'),
};
const append =
  (id: string): Contender =>
  (store) =>
    store.transaction(
      (tx) =>
        insertLatest(
          tx,
          'postgres',
          { table: { name: 'log', columns: COLUMNS }, rows: [[id, 'twelve bytes']] },
          { countMax: 100, bytesMax: 1_000 },
        ),
      { guardedBy: ['latestRows'] },
    );
const two = [append('a'), append('b')] as const;

/** The transaction without the condition on what was read. */
const uncounted = without(/ AND state = 'Pending' AND attempts - sent_again = \?/, 1);
const uncountedTogether = without(/ AND state = 'Pending'\s+AND attempts - sent_again = scheduled/, 1);
const withoutClaimCondition = without(/WHERE idempotency_keys.expires_ms[^]*$/, 2);
const withoutClaimOfAnswer = without(/ AND claim = \? AND status IS NULL/, 1);

/** Pairs of transactions that touch the rule of each guard. A guard without one does not compile. */
const PAIRS: Record<Exclude<GuardName, RacedGuard>, Record<string, Pair>> = {
  jobClaims: {
    'two instances claim what is due': {
      ...jobs,
      contenders: [claim('a'), claim('b')],
      withoutGuard: { contenders: [claimWithoutLock('a'), claimWithoutLock('b')] },
    },
    'one claims what is due while another transaction adds a claimed job of the same key': {
      ...jobsOf('one', 'two'),
      contenders: [claim('a'), addClaimed('b')],
    },
    'two transactions add a claimed job of the same key': {
      ...jobsOf('two'),
      contenders: [addClaimed('a'), addClaimed('b')],
      withoutGuard: { before: (store) => store.run('DROP INDEX jobs_one_claimed') },
    },
    'one claims a job that another transaction cancels and replaces by a claimed one': {
      ...jobs,
      contenders: [claim('a'), addClaimed('b', (tx) => removeJobs(tx, 'note', 'one'))],
    },
    'a job ends and claims the next of its key while another instance claims what is due': {
      ...jobs,
      async prepare(store) {
        await jobs.prepare(store);
        await store.run(
          `UPDATE jobs SET claimed_by = 'a', claimed_until_ms = ? WHERE seq = (SELECT MIN(seq) FROM jobs WHERE subject = 'one')`,
          NOW_MS + 10_000,
        );
      },
      contenders: [endJob('a'), claim('b')],
    },
  },
  deliveryAttempts: {
    'two instances save the same attempt': {
      ...deliveries,
      contenders: [attempt(), attempt({ lastStatus: '503' })],
      withoutGuard: { contenders: [uncounted(attempt()), uncounted(attempt({ lastStatus: '503' }))] },
    },
    'two instances save the same attempt, each with others that ended': {
      ...deliveries,
      contenders: [endTogether('200'), endTogether('204')],
      withoutGuard: {
        contenders: [uncountedTogether(endTogether('200')), uncountedTogether(endTogether('204'))],
      },
    },
    'an attempt is saved with others that ended while the delivery is sent by hand': {
      ...deliveries,
      contenders: [endTogether('204'), sendByHand],
    },
    'an attempt is saved while the delivery is sent by hand': {
      ...deliveries,
      contenders: [attempt(), sendByHand],
    },
    'an attempt is saved while a fault brings the delivery forward': {
      ...deliveries,
      contenders: [attempt(), bringItForward],
    },
  },
  idempotencyKeys: {
    'two attempts claim the key of a request': {
      ...keys('no row'),
      contenders: [claimKey('a'), claimKey('b')],
      withoutGuard: {
        contenders: [withoutClaimCondition(claimKey('a')), withoutClaimCondition(claimKey('b'))],
      },
    },
    'two attempts claim a key whose lease has ended': {
      ...keys('lease ended'),
      contenders: [claimKey('a'), claimKey('b')],
    },
    'an attempt claims the key while the one before, whose lease has ended, keeps its answer with its work': {
      ...keys('lease ended'),
      contenders: [claimKey('a'), workAndAnswer('before')],
      withoutGuard: { contenders: [claimKey('a'), withoutClaimOfAnswer(workAndAnswer('before'))] },
    },
    'an attempt claims the key while the one before gives it back': {
      ...keys('under way'),
      contenders: [claimKey('a'), (store) => deleteClaim(store, { keyDigest: 'key', claim: 'before' })],
    },
    'an attempt claims a key that has expired while expired keys are deleted': {
      ...keys('expired'),
      contenders: [claimKey('a'), (store) => deleteExpiredKeys(store, NOW_MS)],
    },
  },
  chargebackPayer: {
    'two payments of an account are charged back, whose balance suffices for one': {
      ...balance,
      atMost: ORDERS,
      contenders: [chargeback('ps_1'), chargeback('ps_2')],
      withoutGuard: {
        contenders: [withoutBalanceLock(chargeback('ps_1')), withoutBalanceLock(chargeback('ps_2'))],
      },
    },
    'a payment is charged back while a transfer takes what the balance suffices for': {
      ...balance,
      atMost: ORDERS,
      contenders: [chargeback('ps_1'), transfer],
      withoutGuard: { contenders: [withoutBalanceLock(chargeback('ps_1')), withoutBalanceLock(transfer)] },
    },
  },
  latestRows: {
    'two instances write to a log': {
      ...log,
      contenders: two,
      withoutGuard: {
        contenders: [(store) => two[0](withoutLocks(store)), (store) => two[1](withoutLocks(store))],
      },
    },
  },
};

for (const [guard, pairs] of Object.entries(PAIRS)) {
  for (const [name, pair] of Object.entries(pairs)) {
    const { withoutGuard, ...race } = pair;
    test(`guards: ${guard}: ${name}: every order of the statements ends as one after the other`, async () => {
      const { tried, wrong } = await everyInterleaving({ ...(await openDatabase()), ...race });
      expect(tried).toBeGreaterThan(2);
      expect(wrong).toEqual([]);
    });
    if (!withoutGuard) continue;
    test(`guards: ${guard}: ${name}: without the guard some order does not`, async () => {
      const database = await openDatabase();
      const limit = race.atMost === undefined ? {} : { atMost: ORDERS_WITHOUT_GUARD };
      const { wrong } = await everyInterleaving({ ...database, ...race, withoutGuard, ...limit });
      expect(wrong.length).toBeGreaterThan(0);
    });
  }
  test(`guards: ${guard}: one of its pairs is tried without the guard`, () => {
    expect(Object.values(pairs).some(({ withoutGuard }) => withoutGuard)).toBe(true);
  });
}

async function openDatabase(): Promise<{ url: string; store: Store }> {
  const url = await server.freshDatabase();
  const store = await openStore({ databaseUrl: url, log: silentLog });
  onTestFinished(() => store.close());
  return { url, store };
}
