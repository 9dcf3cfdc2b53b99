import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { conversions, toConversion } from '../../../../server/api/ledger/conversion.records.ts';
import {
  createConversion,
  refuseClosed,
  refuseExchange,
  refuseMissingAgreement,
} from '../../../../server/api/ledger/conversions.ts';
import { migrate, MIGRATIONS } from '../../../../server/platform/store/migrations/migrate.ts';
import { openSqlite } from '../../../../server/platform/store/sqlite.ts';
import { createLedgerFixture, type LedgerFixture } from './ledger-fixture.ts';

const HOUR_MS = 3_600_000;

const order = (ledger: LedgerFixture, sellMinor: number) =>
  ledger.within((tx, services) =>
    createConversion(tx, services, {
      accountId: ledger.subId,
      createdBy: { id: ledger.platformId },
      sellMinor,
      sellCurrency: 'EUR',
      buyCurrency: 'GBP',
    }),
  );

async function shown(ledger: LedgerFixture, id: string) {
  return toConversion((await conversions.findAny(ledger.store, id))!, true);
}

test(
  "POST /conversions: the sold amount is taken at once; the price comes after a second, the bought amount at four o'clock",
  { tags: ['spec:4.7/conversion'] },
  async () => {
    const ledger = await createLedgerFixture();
    await ledger.fund(ledger.subId, 12_000, 'EUR');
    const { id } = await order(ledger, 10_000);
    expect(await shown(ledger, id)).toMatchObject({ status: 'InProgress', sell: { amount: 10_000 } });
    expect(await shown(ledger, id)).not.toHaveProperty('rate');
    expect((await shown(ledger, id)).buy).toEqual({ currency: 'GBP' });
    expect(await ledger.balance(ledger.subId, 'EUR')).toEqual([0, 0, 2_000]);

    await ledger.clock.advance(1_000);
    expect(await shown(ledger, id)).toMatchObject({
      status: 'InProgress',
      rate: 0.865,
      buy: {
        amount: 8607,
        currency: 'GBP',
        fees: { total: 43, platform: { amount: 43, ryftFee: { amount: 43 } } },
      },
      estimatedSettlementDate: '2026-01-05',
    });
    expect(await ledger.balance(ledger.subId, 'GBP')).toEqual([0, 0, 0]);

    await ledger.clock.advance(7 * HOUR_MS);
    expect(await shown(ledger, id)).toMatchObject({ status: 'Settled' });
    expect(await ledger.balance(ledger.subId, 'GBP')).toEqual([0, 0, 8607]);
    expect((await ledger.rows(ledger.subId)).slice(1).map((row) => [row.type, row.amount_minor])).toEqual([
      ['Adjustment', -10_000],
      ['Adjustment', 8650],
    ]);
    expect(await ledger.events()).toEqual(['Conversion.created', 'Conversion.updated', 'Conversion.updated']);
    expect(await ledger.audit()).toEqual([]);
  },
);

test('GET /conversions/{conversionId}: a conversion stored as Completed by an older release is Settled', async () => {
  const store = await openSqlite({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  const older = MIGRATIONS.findIndex(({ name }) => name.endsWith('settled-conversions'));
  await migrate(store, silentLog, { migrations: MIGRATIONS.slice(0, older) });
  for (const [id, status] of [
    ['cv_paid', 'Completed'],
    ['cv_open', 'InProgress'],
  ] as const) {
    await store.run(
      `INSERT INTO conversions (id, account_id, status, sell_minor, sell_currency, buy_currency, created_ms, updated_ms)
       VALUES (?, 'ac_shop', ?, 100, 'EUR', 'GBP', 1000, 2000)`,
      id,
      status,
    );
  }
  await migrate(store, silentLog);
  const read = async (id: string) => toConversion((await conversions.findAny(store, id))!, true);
  expect(await read('cv_paid')).toMatchObject({ status: 'Settled', settledTimestamp: 2 });
  expect(await read('cv_open')).toMatchObject({ status: 'InProgress' });
});

test('POST /conversions: while trading is closed, the price comes when it opens', async () => {
  const ledger = await createLedgerFixture();
  await ledger.fund(ledger.subId, 10_000, 'EUR');
  await ledger.clock.advance(13 * HOUR_MS + 30_000); // half a minute past ten in the evening
  const { id } = await order(ledger, 10_000);
  await ledger.clock.advance(59_999);
  expect(await shown(ledger, id)).not.toHaveProperty('rate');
  await ledger.clock.advance(1);
  expect(await shown(ledger, id)).toMatchObject({ rate: 0.865, estimatedSettlementDate: '2026-01-06' });
});

test('POST /conversions: refuses to sell more than is available', async () => {
  const ledger = await createLedgerFixture();
  await ledger.fund(ledger.subId, 9_999, 'EUR');
  await expect(order(ledger, 10_000)).rejects.toMatchObject({
    refusal: 'balance_short',
    message: 'the balance is too low: 99.99 EUR is available',
  });
  expect(await ledger.balanceTransactions(ledger.subId)).toEqual(['Adjustment 9999']);
  expect(await ledger.events()).toEqual([]);
});

test('POST /conversions: needs two currencies, an amount within the payment limits, and an agreement', () => {
  const fields = { amount: 'sell.amount', currency: 'buy.currency' };
  const exchange = { sellMinor: 30, sellCurrency: 'GBP', buyCurrency: 'EUR' } as const;
  const refusing = (change: object) => () => refuseExchange({ ...exchange, ...change }, fields);
  expect(refusing({})).not.toThrow();
  expect(refusing({ buyCurrency: 'GBP' })).toThrow('buy.currency must differ from the sold currency');
  expect(refusing({ sellMinor: 29 })).toThrow('sell.amount must be 30 to 2000000 in GBP');
  expect(refusing({ sellMinor: 2_000_001 })).toThrow('sell.amount');
  expect(() => refuseMissingAgreement(true)).not.toThrow();
  expect(() => refuseMissingAgreement(false)).toThrow('termAgreement must be true');
});

test('GET /conversions/rate: refused while trading is closed', () => {
  const at = (minute: number, second: number) => Date.UTC(2026, 0, 5, 22, minute, second);
  expect(() => refuseClosed(at(0, 0))).toThrow('retry in 90 s');
  expect(() => refuseClosed(at(1, 29))).toThrow('retry in 1 s');
  expect(() => refuseClosed(at(1, 30))).not.toThrow();
});
