import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { Fault } from '../../../protocol/failures.ts';
import type { Queries, Row, SqlValue, Store, Transaction } from '../../../server/platform/store/store.ts';
import { countFrom } from '../../kit/count-from.ts';

/** Of requests with many statements so many orders are taken, at even distances. `npm run prove:guards` takes 150. */
export const ORDERS = countFrom('ORDERS', 8);
/** Without a guard the first order that shows it is enough. */
export const ORDERS_WITHOUT_GUARD = 150;

/** Runs one of two transactions that are under way at once. */
export type Contender = (store: Store) => Promise<unknown>;

export interface WithoutGuard {
  before?(store: Store): Promise<unknown>;
  contenders?: readonly [Contender, Contender];
}

export interface Rows {
  /** Makes the rows that each run begins with. */
  prepare(store: Store): Promise<void>;
  /** Returns what is compared after each run. */
  state(queries: Queries): Promise<unknown>;
}

interface Race extends Rows {
  url: string;
  store: Store;
  contenders: readonly [Contender, Contender];
  /** What takes a guard out, after the two have run one after the other. */
  withoutGuard?: WithoutGuard | undefined;
  /** What one of the two may return, instead of what the other returned, when it came while that one was under way. */
  conflict?: string | undefined;
  /** What the first may return when the other ended what it is about meanwhile; the rows are then as after the other alone. */
  refusal?: string | undefined;
  /** How many orders are tried at most; all unless given. */
  atMost?: number;
  /** Whether orders in which the second begins after each statement of the first, and both then go on, are tried too. */
  secondLate?: boolean;
}

interface Raced {
  /** How many orders of the statements were tried. */
  tried: number;
  /** The orders after which the rows are as after neither transaction alone before the other. */
  wrong: { order: string; outcome: string }[];
  /** How many transactions ran again, since they and another one had locked each other out. */
  repeated: number;
  /** What each of the two returned when it was first, before the other began. */
  alone: [unknown, unknown];
}

type Name = 'A' | 'B';

/**
 * Runs two transactions in every order of their statements, commits included. One that waits for a lock of the other
 * goes on when it gets it, as it does outside tests.
 */
export async function everyInterleaving(race: Race): Promise<Raced> {
  const watcher = new pg.Client(race.url);
  await watcher.connect();
  try {
    const { outcome: afterAB, steps: stepsAB, results: inAB } = await runInOrder(race, watcher, 'A first');
    const { outcome: afterBA, steps: stepsBA, results: inBA } = await runInOrder(race, watcher, 'B first');
    assertNoFault(race, [inAB[0], inBA[1]]);
    const expected = new Set([afterAB, afterBA]);
    if (race.refusal !== undefined) {
      const refused = async () => race.refusal;
      const alone = { ...race, contenders: [refused, race.contenders[1]] as const };
      expected.add((await runInOrder(alone, watcher, 'A first')).outcome);
    }
    const steps = { A: Math.max(stepsAB.A, stepsBA.A), B: Math.max(stepsAB.B, stepsBA.B) };
    const { before, contenders = race.contenders } = race.withoutGuard ?? {};
    await before?.(race.store);
    const raced: Raced = { tried: 0, wrong: [], repeated: 0, alone: [inAB[0], inBA[1]] };
    const late = race.secondLate
      ? Array.from({ length: steps.A }, (_, nth) => `${'A'.repeat(nth + 1)}B`)
      : [];
    for (const order of [...late, ...ordersOf(steps, race.atMost)]) {
      const { outcome, repeated } = await runInOrder({ ...race, contenders }, watcher, order);
      raced.tried += 1;
      raced.repeated += repeated;
      if (!expected.has(outcome)) raced.wrong.push({ order, outcome });
      if (race.withoutGuard && raced.wrong.length > 0) break;
    }
    return raced;
  } finally {
    await watcher.end();
  }
}

/** @throws Error when one fails by itself: then nothing is tried, and every order ends alike */
function assertNoFault({ contenders }: Race, alone: [unknown, unknown]): void {
  for (const [nth, result] of alone.entries())
    if (isDeepStrictEqual(result, { thrown: Fault.name }))
      throw new Error(`interleavings: contender ${nth + 1} of ${contenders.length} fails when it is first`);
}

/** Returns orders of so many steps: all, or as many as given, at even distances in the list of all. */
function ordersOf({ A, B }: Record<Name, number>, atMost = Infinity): string[] {
  const count = countMerges(A, B);
  if (count <= atMost) return mergesOf(A, B);
  return Array.from({ length: atMost }, (_, nth) => mergeAt(A, B, Math.floor((nth * count) / atMost)));
}

function countMerges(a: number, b: number): number {
  let count = 1;
  for (let step = 1; step <= a; step += 1) count = (count * (b + step)) / step;
  return Math.round(count);
}

/** Returns one of the orders of so many steps, by its place in the list of all. */
function mergeAt(a: number, b: number, place: number): string {
  if (a === 0) return 'B'.repeat(b);
  if (b === 0) return 'A'.repeat(a);
  const beginWithA = countMerges(a - 1, b);
  if (place < beginWithA) return `A${mergeAt(a - 1, b, place)}`;
  return `B${mergeAt(a, b - 1, place - beginWithA)}`;
}

/** Returns every order of so many steps of A and so many of B. */
function mergesOf(a: number, b: number): string[] {
  if (a === 0) return ['B'.repeat(b)];
  if (b === 0) return ['A'.repeat(a)];
  return [
    ...mergesOf(a - 1, b).map((later) => `A${later}`),
    ...mergesOf(a, b - 1).map((later) => `B${later}`),
  ];
}

async function runInOrder(race: Race, watcher: pg.Client, order: string) {
  const { store, contenders, prepare, state } = race;
  await prepare(store);
  const players: Record<Name, Player> = {
    A: createPlayer(store, contenders[0]),
    B: createPlayer(store, contenders[1]),
  };
  const waits = (pid: number) => waitsForLock(watcher, pid);
  if (order === 'A first') await players.A.finish();
  else if (order === 'B first') await players.B.finish();
  else for (const name of order as Iterable<Name>) await players[name].step(waits);
  players.A.release();
  players.B.release();
  const results = withoutConflict([await players.A.finish(), await players.B.finish()], race.conflict);
  const outcome = JSON.stringify({ results, state: await state(store) });
  const repeated = players.A.repeated() + players.B.repeated();
  return { outcome, results, repeated, steps: { A: players.A.steps(), B: players.B.steps() } };
}

type Result = { value: unknown } | { thrown: string };

function withoutConflict([a, b]: [Result, Result], conflict: string | undefined): [Result, Result] {
  const isConflict = (result: Result) =>
    conflict !== undefined && 'value' in result && result.value === conflict;
  if (isConflict(a) === isConflict(b)) return [a, b];
  return isConflict(a) ? [b, b] : [a, a];
}

async function waitsForLock(watcher: pg.Client, pid: number): Promise<boolean> {
  const { rows } = await watcher.query(
    `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = 'Lock'`,
    [pid],
  );
  return rows.length > 0;
}

// Not as a read, which could be sent on a connection that others share.
const PID = '/* in the transaction */ SELECT pg_backend_pid() AS pid';

type Player = ReturnType<typeof createPlayer>;

/** Runs a transaction one statement at a time. */
function createPlayer(store: Store, contender: Contender) {
  let ended = false;
  let free = false;
  let count = 0;
  let repeated = 0;
  let pid = 0;
  let go: (() => void) | undefined;
  let onIdle = () => {};
  let latest: Promise<unknown> = Promise.resolve();

  /** Waits for the next step; the statement before is over. */
  const turn = () =>
    new Promise<void>((resolve) => {
      count += 1;
      if (free) return resolve();
      go = resolve;
      onIdle();
    });

  function inSteps(tx: Transaction): Transaction {
    // Taken with the next statement, as they are sent.
    let locks: { row?: string; take: () => void }[] = [];
    /** Whether a lock was asked for that delays a reset: it is taken with the next statement. */
    let delaysReset = false;
    /** Sends a statement once those that were called before are over. */
    function inOrder<T>(send: () => Promise<T>): Promise<T> {
      const before = locks;
      locks = [];
      const answer = latest.then(async () => {
        await turn();
        pid = (await tx.get<{ pid: number }>(PID))!.pid;
        for (const { take } of before) take();
        return send();
      });
      latest = answer.catch(() => undefined);
      return answer;
    }
    return {
      ...tx,
      async nested(body) {
        return tx.nested(() => body(this));
      },
      lock: (name) => void locks.push({ take: () => tx.lock(name) }),
      lockRow(table, id) {
        delaysReset = true;
        locks.push({ row: `${table} ${id}`, take: () => tx.lockRow(table, id) });
      },
      requireRowLock(table, id) {
        if (!locks.some(({ row }) => row === `${table} ${id}`)) tx.requireRowLock(table, id);
      },
      delayReset() {
        delaysReset = true;
        locks.push({ take: () => tx.delayReset() });
      },
      requireDelayedReset() {
        if (!delaysReset) tx.requireDelayedReset();
      },
      get: <R extends Row>(sql: string, ...parameters: SqlValue[]) =>
        inOrder(() => tx.get<R>(sql, ...parameters)),
      all: <R extends Row>(sql: string, ...parameters: SqlValue[]) =>
        inOrder(() => tx.all<R>(sql, ...parameters)),
      run: (sql, ...parameters) => inOrder(() => tx.run(sql, ...parameters)),
      // A step of its own too.
      send: (sql, ...parameters) => void inOrder(() => tx.run(sql, ...parameters)).catch(() => undefined),
      sendChange(sql, ...parameters) {
        const change = async () => {
          tx.sendChange(sql, ...parameters);
          // Answered after the change.
          await tx.get(PID);
        };
        inOrder(change).catch(() => undefined);
      },
    };
  }

  const result = contender({
    ...store,
    transaction(body, options) {
      let isRepeated = false;
      return store.transaction(async (tx) => {
        if (isRepeated) repeated += 1;
        isRepeated = true;
        const value = await body(inSteps(tx));
        await latest;
        await turn();
        return value;
      }, options);
    },
  })
    .then((value) => ({ value: value ?? null }))
    .catch((thrown: Error) => ({ thrown: thrown.name }))
    .finally(() => {
      ended = true;
      onIdle();
    });

  /** Waits until the transaction has ended or waits for its turn. Returns false when it waits for a lock before. */
  async function isIdleUnless(waits: (pid: number) => Promise<boolean>): Promise<boolean> {
    let isIdle = ended || go !== undefined;
    onIdle = () => (isIdle = true);
    while (!isIdle) if (await waits(pid)) return false;
    return true;
  }

  return {
    steps: () => count,
    repeated: () => repeated,
    /** Sends the next statement, once the one before is over. Resolves when it is over, or waits for a lock. */
    async step(waits: (pid: number) => Promise<boolean>): Promise<void> {
      if (!(await isIdleUnless(waits)) || ended) return;
      const next = go!;
      go = undefined;
      next();
      await isIdleUnless(waits);
    },
    /** Lets all that is left go on. */
    release(): void {
      free = true;
      go?.();
      go = undefined;
    },
    finish() {
      this.release();
      return result;
    },
  };
}
