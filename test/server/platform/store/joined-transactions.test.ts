import { expect, test } from 'vitest';
import { joinTransactions } from '../../../../server/platform/store/joined-transactions.ts';
import type { Store, Transaction } from '../../../../server/platform/store/store.ts';

/** A store that notes its transactions, whose commits wait until they are let go, in the order of their requests. */
function noted({ engine = 'postgres' }: { engine?: Store['engine'] } = {}) {
  const begun: string[][] = [];
  const commits: (() => void)[] = [];
  const refused = new Set<string>();
  const repeated = new Set<string>();
  const store = {
    engine,
    async transaction<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
      const notes: string[] = [];
      const tx = { run: async (note: string) => void notes.push(note) } as unknown as Transaction;
      begun.push(notes);
      let value = await body(tx);
      if (notes.some((note) => repeated.delete(note))) {
        notes.splice(0);
        value = await body(tx);
      }
      await new Promise<void>((resolve) => commits.push(resolve));
      if (notes.some((note) => refused.has(note))) throw new Error(`refused ${notes.join()}`);
      return value;
    },
  } as unknown as Store;
  const join = joinTransactions(store, { guardedBy: [] });
  const add = (note: string, key = 'till') =>
    join(key, async (tx) => {
      await tx.run(note);
      return note;
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const commit = async () => {
    await turn();
    commits.shift()!();
    await turn();
  };
  return { begun, add, turn, commit, refused, repeated };
}

test('joinTransactions: those of one key that are requested before the first has ended its statements share a transaction', async () => {
  const { begun, add, turn, commit } = noted();
  const done = Promise.all([add('1'), add('2'), add('elsewhere', 'kiosk')]);
  await turn();
  const late = add('3');
  await turn();
  expect(begun).toEqual([['1', '2'], ['elsewhere']]);
  await commit();
  await commit();
  expect(await done).toEqual(['1', '2', 'elsewhere']);
  await turn();
  expect(begun.at(-1)).toEqual(['3']);
  await commit();
  expect(await late).toBe('3');
});

test('joinTransactions: at most eight share a transaction, and the others follow in order', async () => {
  const { begun, add, commit } = noted();
  const names = Array.from({ length: 10 }, (_, index) => String(index));
  const done = Promise.all(names.map((name) => add(name)));
  await commit();
  await commit();
  expect(begun).toEqual([names.slice(0, 8), names.slice(8)]);
  expect(await done).toEqual(names);
});

test('joinTransactions: when a shared transaction fails, each runs by itself in order, and one fails alone', async () => {
  const { begun, add, commit, refused } = noted();
  refused.add('2');
  const outcomes = Promise.allSettled([add('1'), add('2'), add('3')]);
  for (let count = 0; count < 4; count += 1) await commit();
  expect(begun).toEqual([['1', '2', '3'], ['1'], ['2'], ['3']]);
  expect(await outcomes).toMatchObject([
    { status: 'fulfilled', value: '1' },
    { status: 'rejected', reason: { message: 'refused 2' } },
    { status: 'fulfilled', value: '3' },
  ]);
  const after = add('4');
  await commit();
  expect(await after).toBe('4');
});

test('joinTransactions: a transaction that the engine repeats runs again what it has taken, in order', async () => {
  const { begun, add, commit, repeated } = noted();
  repeated.add('2');
  const done = Promise.all([add('1'), add('2')]);
  await commit();
  expect(begun).toEqual([['1', '2']]);
  expect(await done).toEqual(['1', '2']);
});

test('joinTransactions: on SQLite each is a transaction of its own, requested at once', async () => {
  const { begun, add, commit } = noted({ engine: 'sqlite' });
  const done = Promise.all([add('1'), add('2')]);
  expect(begun).toEqual([['1'], ['2']]);
  await commit();
  await commit();
  expect(await done).toEqual(['1', '2']);
});
