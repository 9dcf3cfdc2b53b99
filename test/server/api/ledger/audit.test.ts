import { expect, test } from 'vitest';
import { createLedgerFixture } from './ledger-fixture.ts';

test('ledger audit: an unchanged ledger balances', async () => {
  const ledger = await createLedgerFixture();
  expect(await ledger.audit()).toEqual([]);
  await ledger.fund(ledger.subId, 500);
  expect(await ledger.audit()).toEqual([]);
});

const TAMPERINGS: [string, string, RegExp][] = [
  [
    'a posting',
    `UPDATE postings SET amount_minor = 501 WHERE amount_minor = 500`,
    /entry .* is off by 1 GBP/,
  ],
  ['a balance', `UPDATE balances SET amount_minor = 501`, /the balance of .*: 501, by its transactions 500/],
  ['a lost transaction', `DELETE FROM balance_transactions`, /the number of balance transactions/],
  ['a net', `UPDATE balance_transactions SET net_minor = 499`, /is not its amount without its fee/],
  ['a day', `UPDATE balance_transactions SET available_ms = available_ms + 1`, /what is available to/],
  ['a fee', `UPDATE balance_transactions SET fee_minor = 3, amount_minor = 503`, /the fees of/],
];

test.each(TAMPERINGS)('ledger audit: finds %s that was changed', async (_, tampering, found) => {
  const ledger = await createLedgerFixture();
  await ledger.fund(ledger.subId, 500);
  await ledger.store.run(tampering);
  expect((await ledger.audit()).join('\n')).toMatch(found);
});
