import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { Fault } from '../../protocol/failures.ts';
import {
  storeInTransaction,
  UniqueViolation,
  type Store,
  type Collector,
  type Transaction,
} from '../../server/platform/store/store.ts';
import { extendedTransactionContract } from './extended-transaction.contract.ts';
import { sentStatements } from './sent-statements.contract.ts';

interface ContractOptions {
  /** Whether a read waits until nothing is uncommitted, as where all is on one connection. */
  readsWait?: boolean;
}

/**
 * What every store promises. `open` makes a new, empty store; each test closes its own.
 */
export function storeContract(open: () => Promise<Store>, { readsWait = false }: ContractOptions = {}): void {
  async function storeWithItems(): Promise<Store> {
    const store = await open();
    onTestFinished(() => store.close());
    await store.run('CREATE TABLE items (id TEXT PRIMARY KEY, amount BIGINT, note TEXT)');
    return store;
  }

  isolation(storeWithItems);
  if (!readsWait) readsDuringTransactions(storeWithItems);
  undoing(storeWithItems);
  sentStatements(storeWithItems);
  extendedTransactionContract(storeWithItems);
  effects(storeWithItems);
  contests(storeWithItems);
  sqlOfBothEngines(storeWithItems);
  ending(storeWithItems);
}

type Open = () => Promise<Store>;

function readsDuringTransactions(open: Open): void {
  test('store: a read during a transaction sees what was committed before it', async () => {
    const store = await open();
    const outside = await store.transaction(async (tx) => {
      await insert(tx, 'a');
      return ids(store);
    });
    expect(outside).toEqual([]);
  });
}

async function ids(store: Store): Promise<unknown[]> {
  return (await store.all('SELECT id FROM items ORDER BY id')).map((row) => row['id']);
}

function insert(tx: Pick<Transaction, 'run'>, id: string, amount: number | null = null) {
  return tx.run('INSERT INTO items (id, amount) VALUES (?, ?)', id, amount);
}

function isolation(open: Open): void {
  test('store: the writes of a transaction are visible outside once it is committed, its own at once', async () => {
    const store = await open();
    await store.transaction(async (tx) => {
      await insert(tx, 'a');
      expect(await tx.all('SELECT id FROM items')).toHaveLength(1);
    });
    expect(await ids(store)).toEqual(['a']);
  });

  test('store: a read that begins during a transaction does not see what is undone', async () => {
    const store = await open();
    let outside: Promise<unknown[]> | undefined;
    const undone = store.transaction(async (tx) => {
      await insert(tx, 'a');
      // Not awaited: a body waits for nothing but its own queries.
      outside = ids(store);
      await insert(tx, 'b');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await outside).toEqual([]);
  });

  test('store: a transaction sees the writes of the one that returned before it', async () => {
    const store = await open();
    for (let round = 0; round < 20; round++) {
      await store.transaction((tx) => insert(tx, `round ${round}`));
      const row = await store.transaction((tx) =>
        tx.get('SELECT id FROM items WHERE id = ?', `round ${round}`),
      );
      expect(row).toBeDefined();
    }
  });
}

function undoing(open: Open): void {
  test('store: a transaction that throws is rolled back alone, and its error is thrown unchanged', async () => {
    const store = await open();
    const refusal = new Error('no such terminal');
    const [before, thrown, after] = await Promise.allSettled([
      store.transaction((tx) => insert(tx, 'before')),
      store.transaction(async (tx) => {
        await insert(tx, 'undone 1');
        await insert(tx, 'undone 2');
        throw refusal;
      }),
      store.transaction((tx) => insert(tx, 'after')),
    ]);
    expect([before.status, after.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(thrown).toEqual({ status: 'rejected', reason: refusal });
    expect(await ids(store)).toEqual(['after', 'before']);
  });

  test('store: of any concurrent transactions exactly those that did not throw are kept', async () => {
    const body = fc.record({ writes: fc.integer({ min: 0, max: 3 }), throws: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 1, maxLength: 12 }), async (bodies) => {
        const store = await open();
        const endings = await Promise.allSettled(
          bodies.map(({ writes, throws }, index) =>
            store.transaction(async (tx) => {
              for (let n = 0; n < writes; n++) await insert(tx, `${index}/${n}`);
              if (throws) throw new Error('undone');
            }),
          ),
        );
        expect(endings.map(({ status }) => status === 'rejected')).toEqual(
          bodies.map(({ throws }) => throws),
        );
        const kept = bodies.flatMap(({ writes, throws }, index) =>
          throws ? [] : Array.from({ length: writes }, (_, n) => `${index}/${n}`),
        );
        expect(await ids(store)).toEqual(kept.sort());
        await store.close();
      }),
      { numRuns: 10, seed: 20_251 },
    );
  });

  test('store: a second row under a unique key is a UniqueViolation, and rolls back its transaction', async () => {
    const store = await open();
    await insert(store, 'taken');
    const writing = store.transaction(async (tx) => {
      await insert(tx, 'other');
      await insert(tx, 'taken');
    });
    await expect(writing).rejects.toBeInstanceOf(UniqueViolation);
    expect(await ids(store)).toEqual(['taken']);
  });

  test('store: a failed query rolls back its transaction even when the error is ignored', async () => {
    const store = await open();
    await insert(store, 'taken');
    const writing = store.transaction(async (tx) => {
      await insert(tx, 'other');
      await insert(tx, 'taken').catch(() => undefined);
      return 'done';
    });
    await expect(writing).rejects.toBeInstanceOf(UniqueViolation);
    expect(await ids(store)).toEqual(['taken']);
  });

  test('store: an error of the engine is a fault that does not repeat the values', async () => {
    const store = await open();
    await store.run('CREATE TABLE strict_items (amount BIGINT NOT NULL CHECK (amount > 0))');
    const refused: unknown = await store
      .run('INSERT INTO strict_items VALUES (?)', -4242)
      .catch((e: unknown) => e);
    expect(refused).toBeInstanceOf(Fault);
    expect(refused).toMatchObject({ code: 'store' });
    expect(`${String(refused)} ${String((refused as Fault).cause)}`).not.toContain('4242');
    await expect(store.get('SELECT nothing FROM nowhere')).rejects.toMatchObject({ code: 'store' });
  });
}

function effects(open: Open): void {
  test('store: effects run in order, after the commit and before the transaction returns', async () => {
    const store = await open();
    const told: string[] = [];
    await store.transaction(async (tx) => {
      tx.afterCommit(() => told.push('first'));
      await insert(tx, 'a');
      tx.afterCommit(() => told.push('second'));
      told.push('body');
    });
    told.push('answer');
    expect(told).toEqual(['body', 'first', 'second', 'answer']);
  });

  test('store: what is collected is processed in order before the commit, and what that collects after it', async () => {
    const store = await open();
    const batches: string[][] = [];
    const collector: Collector<string> = {
      async process(tx, items) {
        batches.push([...items]);
        for (const item of items) await insert(tx, item);
        if (batches.length === 1) tx.collect(collector, 'third');
      },
    };
    await store.transaction(async (tx) => {
      tx.collect(collector, 'first');
      tx.collect(collector, 'second');
      expect(await tx.all('SELECT id FROM items')).toEqual([]);
    });
    expect(batches).toEqual([['first', 'second'], ['third']]);
    expect(await ids(store)).toEqual(['first', 'second', 'third']);
  });

  test('store: a nested transaction is committed or undone with the whole, and what it collects is processed at its end', async () => {
    const store = await open();
    const seen: string[] = [];
    const collector: Collector<string> = {
      async process(tx, items) {
        seen.push(...items);
        await insert(tx, items.join());
      },
    };
    const nesting = (fails: boolean) =>
      store.transaction(async (tx) => {
        const inside = storeInTransaction(tx, store);
        await inside.transaction(async (nested) => nested.collect(collector, 'nested'));
        seen.push('after it');
        expect(await ids(inside)).toEqual(['nested']);
        if (fails) throw new Error('no');
      });
    await expect(nesting(true)).rejects.toThrow('no');
    expect(await ids(store)).toEqual([]);
    await nesting(false);
    expect(seen).toEqual(['nested', 'after it', 'nested', 'after it']);
    expect(await ids(store)).toEqual(['nested']);
  });

  test('store: a collector that throws rolls the transaction back', async () => {
    const store = await open();
    const collector: Collector<string> = { process: () => Promise.reject(new Error('refused')) };
    const undone = store.transaction(async (tx) => {
      await insert(tx, 'a');
      tx.collect(collector, 'item');
    });
    await expect(undone).rejects.toThrow('refused');
    await store.transaction((tx) => insert(tx, 'b'));
    expect(await ids(store)).toEqual(['b']);
  });

  test('store: what is read once is read anew in the next transaction', async () => {
    const store = await open();
    const count = (tx: Transaction) =>
      tx.once('items', async () => (await tx.all('SELECT id FROM items')).length);
    const seen = () =>
      store.transaction(async (tx) => {
        const before = await count(tx);
        await insert(tx, `after ${before}`);
        return [before, await count(tx)];
      });
    expect([await seen(), await seen()]).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  test('store: what is decided once stays decided in a transaction, also when its body is run again', async () => {
    const store = await open();
    await insert(store, 'counter', 0);
    const decided: number[] = [];
    const seen: boolean[] = [];
    // They read and change one row; some throw after they have written, and undo the group that they share.
    const change = (number: number) =>
      store.transaction(async (tx) => {
        const row = await tx.get<{ amount: number }>('SELECT amount FROM items WHERE id = ?', 'counter');
        const first = tx.decideOnce('number', () => decided.push(number) > 0);
        seen.push(first && tx.decideOnce('number', () => false));
        await tx.run('UPDATE items SET amount = ? WHERE id = ?', row!.amount + 1, 'counter');
        if (number % 5 === 0) throw new Error('undone');
      });
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.allSettled(numbers.map(change));
    expect(seen.length).toBeGreaterThan(numbers.length);
    expect(seen).not.toContain(false);
    expect(decided.toSorted((a, b) => a - b)).toEqual(numbers);
    expect(await store.get('SELECT amount FROM items')).toEqual({ amount: 16 });
  });

  test('store: effects of a transaction that is rolled back do not run', async () => {
    const store = await open();
    const told: string[] = [];
    const undone = store.transaction(async (tx) => {
      tx.afterCommit(() => told.push('never'));
      await insert(tx, 'a');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await store.transaction(async (tx) => tx.afterCommit(() => told.push('other')));
    expect(told).toEqual(['other']);
  });

  test('store: an effect that throws does not affect the others', async () => {
    const store = await open();
    const told: string[] = [];
    await store.transaction(async (tx) => {
      await insert(tx, 'a');
      tx.afterCommit(() => {
        throw new Error('a broken effect');
      });
      tx.afterCommit(() => told.push('second'));
    });
    expect(told).toEqual(['second']);
    expect(await ids(store)).toEqual(['a']);
  });
}

function contests(open: Open): void {
  test('store: of twenty concurrent compare-and-set one wins', async () => {
    const store = await open();
    await insert(store, 'action', 0);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        store.transaction((tx) =>
          tx.run('UPDATE items SET amount = ? WHERE id = ? AND amount = 0', n + 1, 'action'),
        ),
      ),
    );
    expect(results.filter(({ changes }) => changes === 1)).toHaveLength(1);
    expect(results.filter(({ changes }) => changes === 0)).toHaveLength(19);
  });

  test('store: of twenty concurrent read-and-write of one row none is lost', async () => {
    const store = await open();
    await insert(store, 'counter', 0);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        store.transaction(async (tx) => {
          const row = await tx.get<{ amount: number }>('SELECT amount FROM items WHERE id = ?', 'counter');
          await tx.run('UPDATE items SET amount = ? WHERE id = ?', row!.amount + 1, 'counter');
        }),
      ),
    );
    expect(await store.get('SELECT amount FROM items')).toEqual({ amount: 20 });
  });

  test('store: two transactions that each check that the other has not written cannot both write', async () => {
    const store = await open();
    const wrote = await Promise.all(
      ['left', 'right'].map((id) =>
        store.transaction(async (tx) => {
          if (await tx.get('SELECT id FROM items LIMIT 1')) return false;
          await insert(tx, id);
          return true;
        }),
      ),
    );
    expect(wrote.sort()).toEqual([false, true]);
    expect(await ids(store)).toHaveLength(1);
  });
}

function sqlOfBothEngines(open: Open): void {
  test('store: numbers up to 2^53 - 1, nulls and any text are read as they were written', async () => {
    const store = await open();
    const rows = [
      { id: 'large', amount: Number.MAX_SAFE_INTEGER, note: null },
      { id: 'small', amount: Number.MIN_SAFE_INTEGER, note: '' },
      { id: 'text', amount: null, note: `O'Neill said "why?" \\ $1 \n\t£ 日本 😀 {"a":[1,null]}` },
    ];
    for (const { id, amount, note } of rows) {
      await store.run('INSERT INTO items VALUES (?, ?, ?)', id, amount, note);
    }
    expect(await store.all('SELECT id, amount, note FROM items ORDER BY id')).toEqual(rows);
  });

  test('store: counts and sums are numbers', async () => {
    const store = await open();
    await insert(store, 'a', 4_000_000_000);
    await insert(store, 'b', 5_000_000_000);
    const row = await store.get('SELECT count(*) AS n, sum(amount) AS total, max(amount) AS most FROM items');
    expect(row).toEqual({ n: 2, total: 9_000_000_000, most: 5_000_000_000 });
  });

  test('store: a question mark inside a literal, a name or a comment is no parameter', async () => {
    const store = await open();
    await insert(store, 'a', 7);
    const row = await store.get(
      `SELECT 'really?' AS "who?", amount /* why? */ FROM items WHERE id = ? -- ?`,
      'a',
    );
    expect(row).toEqual({ 'who?': 'really?', amount: 7 });
  });

  test('store: pages follow a row-value cursor through ties, and end', async () => {
    const store = await open();
    for (const id of ['a', 'b', 'c', 'd', 'e']) await insert(store, id, id < 'c' ? 1 : 2);
    const pages: unknown[][] = [];
    let cursor: [number, string] = [0, ''];
    for (;;) {
      const page = await store.all<{ id: string; amount: number }>(
        'SELECT id, amount FROM items WHERE (amount, id) > (?, ?) ORDER BY amount, id LIMIT ?',
        ...cursor,
        2,
      );
      if (page.length === 0) break;
      pages.push(page.map(({ id }) => id));
      cursor = [page.at(-1)!.amount, page.at(-1)!.id];
    }
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  test('store: RETURNING returns what was written, in a transaction and without one', async () => {
    const store = await open();
    const inserted = await store.get(
      'INSERT INTO items (id, amount) VALUES (?, ?) RETURNING id, amount',
      'a',
      1,
    );
    expect(inserted).toEqual({ id: 'a', amount: 1 });
    await insert(store, 'b', 1);
    const updated = await store.transaction((tx) =>
      tx.all(
        'UPDATE items SET amount = 2 WHERE id IN (SELECT id FROM items ORDER BY id LIMIT 1) RETURNING id',
      ),
    );
    expect(updated).toEqual([{ id: 'a' }]);
    expect(await store.all('DELETE FROM items RETURNING amount')).toHaveLength(2);
    expect(await ids(store)).toEqual([]);
  });

  test('store: ON CONFLICT leaves the row or updates it, and the transaction continues', async () => {
    const store = await open();
    await insert(store, 'a', 1);
    const kept = await store.transaction(async (tx) => {
      const { changes } = await tx.run('INSERT INTO items (id) VALUES (?) ON CONFLICT (id) DO NOTHING', 'a');
      await insert(tx, 'b');
      return changes;
    });
    expect(kept).toBe(0);
    await store.run(
      'INSERT INTO items (id, amount) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET amount = items.amount + excluded.amount',
      'a',
      5,
    );
    expect(await store.get('SELECT amount FROM items WHERE id = ?', 'a')).toEqual({ amount: 6 });
    expect(await ids(store)).toEqual(['a', 'b']);
  });

  test('store: a missing row is undefined, no rows are an empty list, and no change is zero', async () => {
    const store = await open();
    expect(await store.get('SELECT id FROM items')).toBeUndefined();
    expect(await store.all('SELECT id FROM items')).toEqual([]);
    expect(await store.run('UPDATE items SET amount = 1')).toMatchObject({ changes: 0 });
  });
}

function ending(open: Open): void {
  test('store: an ended transaction takes no more queries and no effects', async () => {
    const store = await open();
    let kept: Transaction | undefined;
    await store.transaction(async (tx) => void (kept = tx));
    await expect(insert(kept!, 'late')).rejects.toThrow('had ended');
    expect(() => kept!.afterCommit(() => undefined)).toThrow('had ended');
    expect(await ids(store)).toEqual([]);
  });

  test('store: closing finishes earlier queries and refuses later ones', async () => {
    const store = await open();
    const asked = store.transaction((tx) => insert(tx, 'a'));
    const closing = store.close();
    await expect(asked).resolves.toMatchObject({ changes: 1 });
    await closing;
    await expect(store.run('DELETE FROM items')).rejects.toMatchObject({ code: 'store' });
    await expect(store.get('SELECT id FROM items')).rejects.toMatchObject({ code: 'store' });
    await store.close();
  });
}
