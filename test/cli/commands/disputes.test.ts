import { expect, test } from 'vitest';
import { createCliFixture, refusal } from '../cli-fixture.ts';

const DISPUTE = {
  id: 'dsp_1',
  status: 'Open',
  amount: 500,
  currency: 'GBP',
  category: 'Fraudulent',
  paymentSession: { id: 'ps_1' },
};
const LINE = 'dsp_1  Open  5.00 GBP  Fraudulent  ps_1\n';

test('disputes: lists them, or says how to open the first', async () => {
  const on = createCliFixture();
  const page = (items: object[]) => ({ status: 200, body: { items, paginationToken: null } });
  on.answer('GET /v1/disputes', page([DISPUTE]), page([]));
  expect(await on.run('disputes')).toBe(0);
  expect(on.out).toMatch(
    /^ID +STATUS +AMOUNT +CATEGORY +PAYMENT\ndsp_1 +Open +5\.00 GBP +Fraudulent +ps_1\n$/,
  );
  expect([await on.run('disputes'), on.err]).toEqual([
    0,
    "no disputes; 'tapbench disputes open ps_...' opens one\n",
  ]);
});

test('disputes open: disputes all of a payment, or an amount for a reason', async () => {
  const on = createCliFixture();
  on.answer('POST /sandbox/payment-sessions/ps_1/disputes', { status: 200, body: DISPUTE });
  expect([await on.run('disputes', 'open', 'ps_1'), on.out]).toEqual([0, LINE]);
  const chosen = ['--amount', '500', '--category', 'General'];
  expect(await on.run('disputes', 'open', 'ps_1', ...chosen)).toBe(0);
  expect(on.requests.map(({ body }) => body)).toEqual([{}, { amount: 500, category: 'General' }]);
});

test('disputes decide: decides it, and prints a refusal', async () => {
  const on = createCliFixture();
  const open = refusal(400, 'this is not possible while the dispute is Open');
  on.answer(
    'POST /sandbox/disputes/dsp_1/outcome',
    { status: 200, body: { ...DISPUTE, status: 'Won' } },
    open,
  );
  expect(await on.run('disputes', 'decide', 'dsp_1', 'Won', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toMatchObject({ status: 'Won' });
  expect(await on.run('disputes', 'decide', 'dsp_1', 'Lost')).toBe(1);
  expect(on.err).toBe('tapbench: this is not possible while the dispute is Open (400)\n');
  expect(await on.run('disputes', 'decide', 'dsp_1', 'Draw')).toBe(1);
  expect(on.err).toContain("OUTCOME must be one of: Won, Lost, Cancelled, not 'Draw'");
});
