import { expect, test } from 'vitest';
import { createTransfer } from '../../../../server/api/ledger/transfers.ts';
import { toTransfer } from '../../../../server/api/ledger/transfer.records.ts';
import { parseTransferSides } from '../../../../server/api/ledger/transfer.rules.ts';
import { openLedger, type LedgerBench } from './ledger-bench.ts';

const push = (bench: LedgerBench, amountMinor: number) =>
  bench.within((tx, services) =>
    createTransfer(tx, services, {
      platformId: bench.platformId,
      fromId: bench.platformId,
      toId: bench.subId,
      destination: { accountId: bench.subId },
      amountMinor,
      currency: 'GBP',
    }),
  );

test('POST /transfers: completes at once, visible on both sides', async () => {
  const bench = await openLedger();
  await bench.fund(bench.platformId, 500);
  const transfer = toTransfer(await push(bench, 500));
  expect(transfer).toMatchObject({ status: 'Completed', destination: { accountId: bench.subId } });
  expect(transfer).not.toHaveProperty('source');
  expect(await bench.balance(bench.platformId)).toEqual([0, 0, 0]);
  expect(await bench.balance(bench.subId)).toEqual([0, 0, 500]);
  expect((await bench.rows(bench.subId))[0]).toMatchObject({
    type: 'TransferIn',
    origin_id: transfer.id,
    origin_account_id: bench.platformId,
  });
  expect(await bench.events()).toEqual(['Transfer.created']);
});

test('POST /transfers: more than is available is declined, and moves nothing', async () => {
  const bench = await openLedger();
  await bench.fund(bench.platformId, 499);
  expect(toTransfer(await push(bench, 500))).toMatchObject({
    status: 'Declined',
    errors: [{ code: 'InsufficientSourceBalance', description: '4.99 GBP is available at the source' }],
  });
  expect(await bench.moves(bench.platformId)).toEqual(['Adjustment 499']);
  expect(await bench.events()).toEqual(['Transfer.created', 'Transfer.updated']);
});

test('POST /transfers: of two concurrent transfers of the whole balance one is declined', async () => {
  const bench = await openLedger();
  await bench.fund(bench.platformId, 500);
  const transfers = await Promise.all([push(bench, 500), push(bench, 500)]);
  expect(transfers.map(({ status }) => status).sort()).toEqual(['Completed', 'Declined']);
  expect(await bench.balance(bench.platformId)).toEqual([0, 0, 0]);
  expect(await bench.audit()).toEqual([]);
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
