import { expect, test } from 'vitest';
import { createTransfer, parseTransferSides } from '../../../../server/api/ledger/transfers.ts';
import { transfers } from '../../../../server/api/ledger/transfer.records.ts';
import { createLedgerFixture, type LedgerFixture } from './ledger-fixture.ts';

const push = (ledger: LedgerFixture, amountMinor: number) =>
  ledger.within((tx, services) =>
    createTransfer(tx, services, {
      accountId: ledger.platformId,
      fromId: ledger.platformId,
      toId: ledger.subId,
      destination: ledger.subId,
      amount: amountMinor,
      currency: 'GBP',
    }),
  );

test('POST /transfers: completes at once, visible on both sides', async () => {
  const ledger = await createLedgerFixture();
  await ledger.fund(ledger.platformId, 500);
  const transfer = transfers.show(await push(ledger, 500));
  expect(transfer).toMatchObject({ status: 'Completed', destination: { accountId: ledger.subId } });
  expect(transfer).not.toHaveProperty('source');
  expect(await ledger.balance(ledger.platformId)).toEqual([0, 0, 0]);
  expect(await ledger.balance(ledger.subId)).toEqual([0, 0, 500]);
  expect((await ledger.rows(ledger.subId))[0]).toMatchObject({
    type: 'TransferIn',
    origin_id: transfer.id,
    origin_account_id: ledger.platformId,
  });
  expect(await ledger.events()).toEqual(['Transfer.created']);
});

test('POST /transfers: more than is available is declined, and moves nothing', async () => {
  const ledger = await createLedgerFixture();
  await ledger.fund(ledger.platformId, 499);
  expect(transfers.show(await push(ledger, 500))).toMatchObject({
    status: 'Declined',
    errors: [{ code: 'InsufficientSourceBalance', description: '4.99 GBP is available at the source' }],
  });
  expect(await ledger.balanceTransactions(ledger.platformId)).toEqual(['Adjustment 499']);
  expect(await ledger.events()).toEqual(['Transfer.created', 'Transfer.updated']);
});

test('POST /transfers: of two concurrent transfers of the whole balance one is declined', async () => {
  const ledger = await createLedgerFixture();
  await ledger.fund(ledger.platformId, 500);
  const rows = await Promise.all([push(ledger, 500), push(ledger, 500)]);
  expect(rows.map(({ status }) => status).sort()).toEqual(['Completed', 'Declined']);
  expect(await ledger.balance(ledger.platformId)).toEqual([0, 0, 0]);
  expect(await ledger.audit()).toEqual([]);
});

test('POST /transfers: names one account; the other is the platform', () => {
  expect(parseTransferSides({ source: { accountId: 'a' } }, 'p')).toEqual({
    fromId: 'a',
    toId: 'p',
    subAccountId: 'a',
  });
  expect(parseTransferSides({ destination: { accountId: 'a' } }, 'p')).toEqual({
    fromId: 'p',
    toId: 'a',
    subAccountId: 'a',
  });
  const refused = expect.objectContaining({ refusal: 'transfer_sides' });
  expect(() => parseTransferSides({}, 'p')).toThrow(refused);
  expect(() =>
    parseTransferSides({ source: { accountId: 'a' }, destination: { accountId: 'b' } }, 'p'),
  ).toThrow(refused);
});
