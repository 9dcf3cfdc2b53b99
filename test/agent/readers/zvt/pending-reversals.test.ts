import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileDebts, memoryDebts, type Debt } from '../../../../agent/readers/debt-store.ts';
import { createDebts } from '../../../../agent/readers/zvt/pending-reversals.ts';
import type { Talk } from '../../../../agent/readers/zvt/transport-layer.ts';
import { createTransactions } from '../../../../agent/readers/zvt/transactions.ts';
import { Fault } from '../../../../protocol/failures.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { ACTION_ID } from '../../agent-bench.ts';

const TERMINAL = '52500041';
const debtOf = (receiptNumber: number): Debt => ({
  request: { actionId: ACTION_ID, type: 'Payment', amountMinor: 1742, currency: 'EUR' },
  terminalId: TERMINAL,
  receiptNumber,
});

/** A terminal at which nothing is said but what a test has it answer. */
function talkThat(answers: number): Talk {
  return {
    send: async () => {},
    next: async () => ({ control: answers, data: new Uint8Array(0) }),
    heard: async () => {},
  };
}

test('a line that goes while one is taken back loses none of the others', async () => {
  const store = memoryDebts();
  store.save([debtOf(7), debtOf(8)]);
  const reversed: number[] = [];
  let isUp = false;
  const debts = createDebts({
    log: silentLog,
    store,
    askLast: async () => undefined,
    async reverse(_, receiptNumber) {
      if (!isUp) throw new Fault('reader', 'the line is gone');
      reversed.push(receiptNumber);
      return undefined;
    },
  });
  await expect(debts.settle(talkThat(0), TERMINAL)).rejects.toThrow('the line is gone');
  expect(store.load()).toEqual([debtOf(7), debtOf(8)]);
  isUp = true;
  await debts.settle(talkThat(0), TERMINAL);
  expect(reversed).toEqual([7, 8]);
  expect(store.load()).toEqual([]);
});

test('what is owed outlives the process in a file that is its owner’s alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'debts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'terminals', 'tml.debts.json');
  expect(fileDebts(path, { sync: true }).load()).toEqual([]);
  fileDebts(path, { sync: true }).save([debtOf(7)]);
  expect(fileDebts(path, { sync: true }).load()).toEqual([debtOf(7)]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, '{"request":{}}');
  expect(() => fileDebts(path, { sync: true }).load()).toThrowError(
    expect.objectContaining({ code: 'journal' }),
  );
});

test('another terminal at the line is not asked to take back what it did not take', async () => {
  const store = memoryDebts();
  store.save([debtOf(7)]);
  const reverse = async () => {
    throw new Error('it has no such receipt');
  };
  const debts = createDebts({ log: silentLog, store, askLast: async () => undefined, reverse });
  await debts.settle(talkThat(0), '11111111');
  expect(store.load()).toEqual([debtOf(7)]);
});

test('a terminal that is busy has not said that it took no money', async () => {
  const store = memoryDebts();
  const { receiptNumber: _, ...unknown } = debtOf(7);
  store.save([unknown]);
  const transactions = createTransactions(silentLog, store);
  await expect(transactions.settle(talkThat(0x849c), TERMINAL)).rejects.toThrow('please wait');
  expect(store.load()).toEqual([unknown]);
});

test('what cannot be written down is not begun', async () => {
  const store = memoryDebts();
  const full = new Fault('journal', 'no space');
  const transactions = createTransactions(silentLog, {
    ...store,
    save() {
      throw full;
    },
  });
  const sent: number[] = [];
  const talk = {
    ...talkThat(0x8000),
    send: async ({ control }: { control: number }) => void sent.push(control),
  };
  const stop = { asked: false, promise: new Promise<void>(() => {}), ask() {} };
  const { request } = debtOf(1);
  await expect(transactions.transact(talk, request, { stop, terminalId: TERMINAL })).rejects.toBe(full);
  expect(sent).toEqual([]);
});
