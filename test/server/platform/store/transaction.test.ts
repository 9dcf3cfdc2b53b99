import { expect, test } from 'vitest';
import { openTransaction } from '../../../../server/platform/store/transaction.ts';

/** Opens a transaction whose statements do nothing. Returns it with the locks that it sends. */
function opened({ guarded = true, refuses = false } = {}) {
  const sent: string[] = [];
  const queries = {
    get: () => Promise.resolve(undefined),
    all: () => Promise.resolve([]),
    run: () => Promise.resolve({ changes: 0 }),
  };
  const send = async (lock: string) => {
    sent.push(lock);
    if (refuses) throw new Error('deadlock detected');
  };
  const open = openTransaction(queries, {
    decisions: new Map(),
    guarded,
    takeLock: send,
    takeRowLock: (table, id) => send(`${table} ${id}`),
  });
  return { ...open, sent };
}

test('transaction: a row is locked once', () => {
  const { tx, sent } = opened();
  tx.lockRow('terminals', 'tml_1');
  tx.lockRow('terminals', 'tml_1');
  tx.lockRow('payment_sessions', 'ps_1');
  expect(sent).toEqual(['terminals tml_1', 'payment_sessions ps_1']);
});

test('transaction: a terminal is not locked after a payment session, which could lock two transactions out', () => {
  const { tx } = opened();
  tx.lockRow('payment_sessions', 'ps_1');
  expect(() => tx.lockRow('terminals', 'tml_1')).toThrow(
    'a row of terminals is locked after one of payment_sessions',
  );
});

test('transaction: what belongs to a row is not changed without its lock', () => {
  const { tx } = opened();
  tx.lockRow('payment_sessions', 'ps_1');
  expect(() => tx.requireRowLock('payment_sessions', 'ps_1')).not.toThrow();
  expect(() => tx.requireRowLock('payment_sessions', 'ps_2')).toThrow(
    'a row of payment_sessions is changed without its lock',
  );
});

test('transaction: without guards no lock is required, and none is taken by name', () => {
  const { tx } = opened({ guarded: false });
  expect(() => tx.requireRowLock('payment_sessions', 'ps_1')).not.toThrow();
  expect(() => tx.lock('claims')).toThrow('a transaction without guards locks claims');
});

test('transaction: the failure of a lock fails the next statement', async () => {
  const { tx, failure } = opened({ refuses: true });
  tx.lockRow('terminals', 'tml_1');
  await Promise.resolve();
  await expect(tx.run('UPDATE terminals SET online = 1')).rejects.toThrow('deadlock detected');
  expect(failure()).toMatchObject({ message: 'deadlock detected' });
});
