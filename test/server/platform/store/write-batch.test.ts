import { expect, test } from 'vitest';
import { createWriteBatch } from '../../../../server/platform/store/write-batch.ts';

function batchOf() {
  const sent: [sql: string, ...parameters: unknown[]][] = [];
  const batch = createWriteBatch((sql, parameters) => void sent.push([sql, ...parameters]));
  const add = (sql: string, ...parameters: string[]) => batch.add({ sql, parameters, changesOne: false });
  const change = (sql: string, ...parameters: string[]) => batch.add({ sql, parameters, changesOne: true });
  return { ...batch, sent, add, change };
}

const EVENT = 'INSERT INTO events (id) VALUES (?)';
const JOB = 'INSERT INTO jobs (key) VALUES (?)';
const ACTION = 'UPDATE actions SET phase = ? WHERE id = ?';

test('write batch: writes to several tables are sent as one statement, which fails when a change is missed', () => {
  const { sent, add, change, sendAll } = batchOf();
  add(EVENT, 'evt_1');
  change(ACTION, 'sent', 'act_1');
  add(JOB, 'deliver');
  expect(sent).toEqual([]);
  sendAll();
  expect(sent).toEqual([
    [
      `WITH w0 AS (${EVENT}), w1 AS (${ACTION} RETURNING 1), w2 AS (${JOB}) SELECT 1 / (SELECT COUNT(*) FROM w1)`,
      'evt_1',
      'sent',
      'act_1',
      'deliver',
    ],
  ]);
});

test('write batch: writes to one table are sent in their order', () => {
  const { sent, add, sendAll } = batchOf();
  add(JOB, 'first');
  add(EVENT, 'evt_1');
  add(JOB, 'second');
  sendAll();
  expect(sent).toEqual([
    [`WITH w0 AS (${JOB}), w1 AS (${EVENT}) SELECT 1`, 'first', 'evt_1'],
    [JOB, 'second'],
  ]);
});

test('write batch: a statement about one of the tables comes after the writes, others do not send them', () => {
  const { sent, add, sendBefore } = batchOf();
  add('INSERT INTO actions (id) VALUES (?)', 'act_1');
  sendBefore('SELECT * FROM payment_transactions_of_actions');
  expect(sent).toEqual([]);
  sendBefore('SELECT 1 FROM terminals t JOIN actions a ON a.terminal_id = t.id');
  expect(sent).toEqual([['INSERT INTO actions (id) VALUES (?)', 'act_1']]);
});

test('write batch: a write that reads is sent by itself, after those before it', () => {
  const { sent, add } = batchOf();
  add(EVENT, 'evt_1');
  add('INSERT INTO copies (id) SELECT id FROM events');
  expect(sent).toEqual([[EVENT, 'evt_1'], ['INSERT INTO copies (id) SELECT id FROM events']]);
});

test('write batch: the table of the first write that waits is locked at once, and no other', () => {
  const locked: string[] = [];
  const batch = createWriteBatch(
    () => {},
    (table) => void locked.push(table),
  );
  batch.add({ sql: EVENT, parameters: ['evt_1'], changesOne: false });
  batch.add({ sql: JOB, parameters: ['deliver'], changesOne: false });
  batch.sendAll();
  batch.add({ sql: JOB, parameters: ['deliver'], changesOne: false });
  expect(locked).toEqual(['events']);
});
