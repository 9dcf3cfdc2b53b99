import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  filePendingReversals,
  memoryPendingReversals,
  type PendingReversal,
} from '../../../../agent/readers/pending-reversal-store.ts';
import type { DeviceReversal } from '../../../../agent/readers/reader.ts';
import { createPendingReversals } from '../../../../agent/readers/zvt/pending-reversals.ts';
import type { TransportLayer } from '../../../../agent/readers/zvt/transport-layer.ts';
import { createTransactions } from '../../../../agent/readers/zvt/transactions.ts';
import { Fault } from '../../../../protocol/failures.ts';
import { silentLog } from '../../../../protocol/log.ts';
import { ACTION_ID } from '../../agent-fixture.ts';

const TERMINAL = '52500041';
const debtOf = (receiptNumber: number): PendingReversal => ({
  request: { actionId: ACTION_ID, type: 'Payment', amountMinor: 1742, currency: 'EUR' },
  terminalId: TERMINAL,
  receiptNumber,
});

/** A transport on which each APDU is answered by one with this control field. */
function transportThat(answers: number): TransportLayer {
  return {
    send: async () => {},
    next: async () => ({ control: answers, data: new Uint8Array(0) }),
    accept: async () => {},
  };
}

test('pending reversals: keeps all of them when the connection is lost during a reversal', async () => {
  const store = memoryPendingReversals();
  store.save([debtOf(7), debtOf(8)]);
  const reversed: number[] = [];
  let isUp = false;
  const pendingReversals = createPendingReversals({
    log: silentLog,
    store,
    queryLast: async () => undefined,
    async reverse(_, receiptNumber) {
      if (!isUp) throw new Fault('reader', 'the line is gone');
      reversed.push(receiptNumber);
      return undefined;
    },
  });
  await expect(pendingReversals.reverseAll(transportThat(0), TERMINAL)).rejects.toThrow('the line is gone');
  expect(store.load()).toEqual([debtOf(7), debtOf(8)]);
  isUp = true;
  await pendingReversals.reverseAll(transportThat(0), TERMINAL);
  expect(reversed).toEqual([7, 8]);
  expect(store.load()).toEqual([]);
});

test.each([
  ['that is refused for good', 0xb5, 'reversal not possible', []],
  ['that is refused for now', 0x9c, 'please wait', [debtOf(7)]],
])('pending reversals: one %s is reported with the reason', async (_, code, reason, left) => {
  const store = memoryPendingReversals();
  store.save([debtOf(7)]);
  const reported: DeviceReversal[] = [];
  const pendingReversals = createPendingReversals({
    log: silentLog,
    store,
    queryLast: async () => undefined,
    reverse: async () => code,
    onReversal: (reversal) => void reported.push(reversal),
  });
  await pendingReversals.reverseAll(transportThat(0), TERMINAL);
  expect(reported).toMatchObject([
    {
      actionId: ACTION_ID,
      reference: '0007/52500041',
      outcome: 'NotReversed',
      amountMinor: 1742,
      currency: 'EUR',
    },
  ]);
  expect(reported[0]!.reason).toContain(reason);
  expect(store.load()).toEqual(left);
});

test('pending reversals: an approval without a receipt number is reported as not reversed', async () => {
  const store = memoryPendingReversals();
  const { receiptNumber: _, ...unknown } = debtOf(7);
  store.save([{ ...unknown, approved: true }]);
  const reported: DeviceReversal[] = [];
  const pendingReversals = createPendingReversals({
    log: silentLog,
    store,
    queryLast: async () => undefined,
    reverse: async () => undefined,
    onReversal: (reversal) => void reported.push(reversal),
  });
  await pendingReversals.reverseAll(transportThat(0), TERMINAL);
  expect(reported).toEqual([
    {
      actionId: ACTION_ID,
      amountMinor: 1742,
      currency: 'EUR',
      outcome: 'NotReversed',
      reason: 'the terminal approved without a receipt number',
    },
  ]);
});

test('pending reversals: survive the process in a file with mode 600', () => {
  const folder = mkdtempSync(join(tmpdir(), 'debts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'terminals', 'tml.debts.json');
  expect(filePendingReversals(path, { sync: true }).load()).toEqual([]);
  filePendingReversals(path, { sync: true }).save([debtOf(7)]);
  expect(filePendingReversals(path, { sync: true }).load()).toEqual([debtOf(7)]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, '{"request":{}}');
  expect(() => filePendingReversals(path, { sync: true }).load()).toThrowError(
    expect.objectContaining({ code: 'journal' }),
  );
});

test('pending reversals: skips those of another terminal', async () => {
  const store = memoryPendingReversals();
  store.save([debtOf(7)]);
  const reverse = async () => {
    throw new Error('it has no such receipt');
  };
  const pendingReversals = createPendingReversals({
    log: silentLog,
    store,
    queryLast: async () => undefined,
    reverse,
  });
  await pendingReversals.reverseAll(transportThat(0), '11111111');
  expect(store.load()).toEqual([debtOf(7)]);
});

test('transactions: keeps a reversal pending while the terminal is busy', async () => {
  const store = memoryPendingReversals();
  const { receiptNumber: _, ...unknown } = debtOf(7);
  store.save([unknown]);
  const transactions = createTransactions(silentLog, store);
  await expect(transactions.reversePending(transportThat(0x849c), TERMINAL)).rejects.toThrow('please wait');
  expect(store.load()).toEqual([unknown]);
});

test('transactions: starts nothing that cannot be saved', async () => {
  const store = memoryPendingReversals();
  const full = new Fault('journal', 'no space');
  const transactions = createTransactions(silentLog, {
    ...store,
    save() {
      throw full;
    },
  });
  const sent: number[] = [];
  const transport = {
    ...transportThat(0x8000),
    send: async ({ control }: { control: number }) => void sent.push(control),
  };
  const stop = { requested: false, promise: new Promise<void>(() => {}), request() {} };
  const { request } = debtOf(1);
  await expect(transactions.transact(transport, request, { stop, terminalId: TERMINAL })).rejects.toBe(full);
  expect(sent).toEqual([]);
});
