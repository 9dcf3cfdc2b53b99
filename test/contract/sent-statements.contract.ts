import { expect, test } from 'vitest';
import { UniqueViolation, type Store, type Transaction } from '../../server/platform/store/store.ts';

const send = (tx: Transaction, id: string) => tx.send('INSERT INTO items (id) VALUES (?)', id);
const idsIn = async (queries: Pick<Store, 'all'>) =>
  (await queries.all('SELECT id FROM items ORDER BY id')).map((row) => row['id']);

/** What statements promise that are sent without waiting, with guards and without. */
export function sentStatements(open: () => Promise<Store>): void {
  describeSent('without guards', undefined);
  describeSent('with guards', []);

  function describeSent(name: string, guardedBy: [] | undefined) {
    const options = guardedBy && { guardedBy };

    test(`store: what is sent ${name} is there for the next statement, and committed when nothing follows`, async () => {
      const store = await open();
      const seen = await store.transaction(async (tx) => {
        const before = await idsIn(tx);
        send(tx, 'a');
        send(tx, 'b');
        const after = await idsIn(tx);
        send(tx, 'c');
        return [before, after];
      }, options);
      expect(seen).toEqual([[], ['a', 'b']]);
      expect(await idsIn(store)).toEqual(['a', 'b', 'c']);
      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          store.transaction(async (tx) => send(tx, `many ${index}`), options),
        ),
      );
      expect(await idsIn(store)).toHaveLength(43);
    });

    test(`store: one that is sent ${name} and refused undoes the transaction, which throws its error`, async () => {
      const store = await open();
      await store.run(`INSERT INTO items (id) VALUES ('taken')`);
      const bodies: ((tx: Transaction) => Promise<unknown>)[] = [
        async (tx) => send(tx, 'taken'),
        async (tx) => (send(tx, 'other'), send(tx, 'taken'), send(tx, 'third')),
        async (tx) => (send(tx, 'other'), send(tx, 'taken'), await idsIn(tx)),
        async (tx) => (await idsIn(tx), send(tx, 'taken'), await idsIn(tx).catch(() => undefined)),
      ];
      for (const body of bodies)
        await expect(store.transaction(body, options)).rejects.toBeInstanceOf(UniqueViolation);
      expect(await idsIn(store)).toEqual(['taken']);
      await store.transaction(async (tx) => send(tx, 'next'), options);
      expect(await idsIn(store)).toEqual(['next', 'taken']);
    });

    test(`store: writes to several tables that are sent ${name} are all there, and all undone when a change is missed`, async () => {
      const store = await open();
      await store.run('CREATE TABLE notes (id TEXT PRIMARY KEY, amount BIGINT)');
      const amounts = () =>
        store.all('SELECT i.amount, n.amount AS note FROM items i JOIN notes n ON n.id = i.id');
      await store.transaction(async (tx) => {
        send(tx, 'a');
        tx.send('INSERT INTO notes (id) VALUES (?), (?)', 'a', 'b');
        tx.sendChange('UPDATE items SET amount = ? WHERE id = ?', 1, 'a');
        tx.sendChange('UPDATE notes SET amount = ? WHERE id = ?', 2, 'a');
        tx.sendChange('UPDATE items SET amount = amount + ? WHERE id = ?', 10, 'a');
      }, options);
      expect(await amounts()).toEqual([{ amount: 11, note: 2 }]);
      const missed = store.transaction(async (tx) => {
        tx.sendChange('UPDATE items SET amount = ? WHERE id = ?', 3, 'a');
        tx.sendChange('UPDATE notes SET amount = ? WHERE id = ?', 4, 'nowhere');
      }, options);
      await expect(missed).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringContaining('0 rows changed'),
      });
      expect(await amounts()).toEqual([{ amount: 11, note: 2 }]);
    });

    test(`store: effects ${name} run only when what was sent is committed`, async () => {
      const store = await open();
      const effects: string[] = [];
      const body = async (tx: Transaction) => {
        send(tx, 'a');
        tx.afterCommit(() => effects.push('a'));
      };
      await store.transaction(body, options);
      await expect(store.transaction(body, options)).rejects.toBeInstanceOf(UniqueViolation);
      expect(effects).toEqual(['a']);
    });
  }
}
