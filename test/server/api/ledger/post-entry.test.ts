import { expect, test } from 'vitest';
import { Fault } from '../../../../protocol/failures.ts';
import { availableOf, totalOf } from '../../../../server/api/ledger/balance.records.ts';
import { addAllToPayout, totalsOfPayout } from '../../../../server/api/ledger/balance-transaction.records.ts';
import { toBalanceTransaction } from '../../../../server/api/ledger/balance-transaction.records.ts';
import { availableFrom } from '../../../../server/api/ledger/business-days.ts';
import { postEntry } from '../../../../server/api/ledger/post-entry.ts';
import type { Store } from '../../../../server/platform/store/store.ts';
import { createLedgerFixture, type LedgerFixture } from './ledger-fixture.ts';

const DAY_MS = 86_400_000;

/** A payment that becomes available by the business-day rule. */
const take = (ledger: LedgerFixture, accountId: string, amountMinor: number) =>
  ledger.post({
    outside: 'cards',
    lines: [
      {
        type: 'TransactionCapture',
        accountId,
        amountMinor,
        currency: 'GBP',
        origin: { id: 'txn_1', amountMinor },
        availableMs: availableFrom(ledger.clock.nowMs()),
      },
    ],
  });

test(
  'postEntry: money becomes pending, cleared and available as time passes',
  { tags: ['spec:4.7/real-time-balances'] },
  async () => {
    const ledger = await createLedgerFixture();
    const { clock, subId } = ledger;
    await take(ledger, subId, 1000);
    expect(await ledger.balance(subId)).toEqual([1000, 0, 0]);
    await clock.advance(DAY_MS);
    expect(await ledger.balance(subId)).toEqual([0, 1000, 0]);
    const available = () => ledger.within((tx) => availableOf(tx, subId, 'GBP', clock.nowMs()));
    expect(await available()).toBe(0);
    expect(await totalOf(ledger.store, subId, 'GBP', clock.nowMs())).toBe(1000);
    await clock.advance(DAY_MS);
    expect(await ledger.balance(subId)).toEqual([0, 0, 1000]);
    expect(await available()).toBe(1000);
    expect(await ledger.audit()).toEqual([]);
  },
);

test('balance transaction: has its status and the time when it changed', async () => {
  const ledger = await createLedgerFixture();
  const { clock, subId } = ledger;
  await take(ledger, subId, 1000);
  const [row] = await ledger.rows(subId);
  const shown = () => toBalanceTransaction(row!, clock.nowMs());
  const midnight = Date.UTC(2026, 0, 7) / 1000;
  expect(shown()).toMatchObject({ status: 'Pending', availableAt: midnight, amount: 1000, net: 1000 });
  expect(shown().lastUpdatedTimestamp).toBe(shown().createdTimestamp);
  await clock.advance(DAY_MS);
  expect(shown()).toMatchObject({ status: 'Cleared', lastUpdatedTimestamp: midnight - 86_400 });
  await clock.advance(DAY_MS);
  expect(shown()).toMatchObject({ status: 'Available', lastUpdatedTimestamp: midnight });
});

test('balance: takes a constant number of rows, however many sales', async () => {
  const ledger = await createLedgerFixture();
  for (let day = 0; day < 30; day++) {
    await take(ledger, ledger.subId, 100);
    await take(ledger, ledger.subId, 10);
    await ledger.clock.advance(DAY_MS);
  }
  const { rows } = (await ledger.store.get<{ rows: number }>(`SELECT COUNT(*) AS rows FROM balances`))!;
  expect(rows).toBeLessThanOrEqual(6);
  expect((await ledger.balance(ledger.subId)).reduce((sum, minor) => sum + minor)).toBe(3300);
  expect(await ledger.audit()).toEqual([]);
});

test('postEntry: takes three statements, whatever the entry holds', async () => {
  const ledger = await createLedgerFixture();
  await take(ledger, ledger.subId, 1000);
  const counted: string[] = [];
  await ledger.within(async (tx, services) => {
    const counting = { ...tx };
    for (const name of ['get', 'all', 'run', 'send'] as const) {
      counting[name] = ((sql: string, ...parameters: never[]) => {
        counted.push(sql);
        return (tx[name] as Store['run'])(sql, ...parameters);
      }) as never;
    }
    const part = { currency: 'GBP', origin: { id: 'txn_2', amountMinor: 900 } };
    await postEntry(counting, services, {
      outside: 'cards',
      lines: [
        {
          ...part,
          type: 'TransactionCapture',
          accountId: ledger.subId,
          amountMinor: 900,
          feeMinor: 9,
          availableMs: availableFrom(services.clock.nowMs()),
        },
        { ...part, type: 'PlatformFee', accountId: ledger.subId, amountMinor: -50, availableMs: 0 },
        { ...part, type: 'PlatformFee', accountId: ledger.platformId, amountMinor: 50, availableMs: 0 },
      ],
    });
  });
  expect(counted).toHaveLength(3);
  expect(await ledger.audit()).toEqual([]);
});

test('postEntry: throws when the entry is off balance, and stores nothing', async () => {
  const ledger = await createLedgerFixture();
  const line = {
    type: 'TransferIn',
    accountId: ledger.subId,
    amountMinor: 5,
    currency: 'GBP',
    origin: { id: 'tfr_1', amountMinor: 5 },
    availableMs: 0,
  } as const;
  await expect(ledger.post({ lines: [line] })).rejects.toThrow(Fault);
  expect(await ledger.rows(ledger.subId)).toEqual([]);
  expect(await ledger.balance(ledger.subId)).toEqual([0, 0, 0]);
});

test('payout: takes available balance transactions that are in no payout yet', async () => {
  const ledger = await createLedgerFixture();
  const { clock, subId, store } = ledger;
  await ledger.fund(subId, 700);
  await ledger.fund(subId, -200);
  await ledger.fund(ledger.otherId, 99);
  await take(ledger, subId, 1000);
  const take1 = { accountId: subId, currency: 'GBP', payoutId: 'po_1' };
  expect(await ledger.within((tx) => addAllToPayout(tx, take1, 501, clock.nowMs()))).toBeUndefined();
  expect(await ledger.within((tx) => addAllToPayout(tx, take1, 500, clock.nowMs()))).toBe(500);
  expect(await totalsOfPayout(store, 'po_1')).toEqual([
    { type: 'Adjustment', direction: 'in', count: 1, amountMinor: 700, feeMinor: 0 },
    { type: 'Adjustment', direction: 'out', count: 1, amountMinor: -200, feeMinor: 0 },
  ]);
  await clock.advance(2 * DAY_MS);
  const take2 = { ...take1, payoutId: 'po_2' };
  expect(await ledger.within((tx) => addAllToPayout(tx, take2, 1, clock.nowMs()))).toBe(1000);
  expect(await totalsOfPayout(store, 'po_unknown')).toEqual([]);
});
