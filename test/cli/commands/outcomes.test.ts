import { expect, test } from 'vitest';
import { createCliFixture, refusal } from '../cli-fixture.ts';

test.each([
  ['Refund', { type: 'Refund' }, 'ps_1  the next refund fails\n'],
  ['none', { type: null }, 'ps_1  nothing fails\n'],
])('fail-next: %s', async (type, body, printed) => {
  const on = createCliFixture();
  on.answer('POST /sandbox/payment-sessions/ps_1/fail-next', { status: 200, body: {} });
  expect([await on.run('fail-next', 'ps_1', type), on.out]).toEqual([0, printed]);
  expect(on.requests[0]!.body).toEqual(body);
});

test('fail-next: another type is refused before the call', async () => {
  const on = createCliFixture();
  expect(await on.run('fail-next', 'ps_1', 'Payout')).toBe(1);
  expect([on.err, on.requests]).toEqual([
    "tapbench: TYPE must be one of: Capture, Void, Refund, none, not 'Payout'\n",
    [],
  ]);
});

test('authenticate: sends the outcome, and prints the status of the payment', async () => {
  const on = createCliFixture();
  const path = '/sandbox/payment-sessions/ps_1/authentication';
  on.answer(`POST ${path}`, { status: 200, body: { status: 'Captured' } });
  expect([await on.run('authenticate', 'ps_1', 'Authenticated'), on.out]).toEqual([0, 'ps_1  Captured\n']);
  expect(on.requests[0]!.body).toEqual({ outcome: 'Authenticated' });
});

test('payout-status: sets it, and prints a refusal', async () => {
  const on = createCliFixture();
  const payout = { status: 200, body: { id: 'po_1', status: 'Failed' } };
  on.answer('POST /sandbox/payouts/po_1/outcome', payout, refusal(400, 'the payout is Failed'));
  expect([await on.run('payout-status', 'po_1', 'Failed'), on.out]).toEqual([0, 'po_1  Failed\n']);
  expect(on.requests[0]!.body).toEqual({ status: 'Failed' });
  expect([await on.run('payout-status', 'po_1', 'Completed'), on.err]).toEqual([
    1,
    'tapbench: the payout is Failed (400)\n',
  ]);
});

test('verify-payout-method: sends the result, and prints it', async () => {
  const on = createCliFixture();
  const method = { status: 200, body: { id: 'pm_1', verification: { status: 'Rejected' } } };
  on.answer('POST /sandbox/payout-methods/pm_1/verification', method, method);
  expect([await on.run('verify-payout-method', 'pm_1', 'Rejected'), on.out]).toEqual([0, 'pm_1  Rejected\n']);
  const flags = ['--name', 'Corner Shop', '--reason', 'CheckUnavailable'];
  await on.run('verify-payout-method', 'pm_1', 'Rejected', ...flags);
  expect(on.requests.map(({ body }) => body)).toEqual([
    { status: 'Rejected' },
    { status: 'Rejected', nameOnAccount: 'Corner Shop', rejectionReason: 'CheckUnavailable' },
  ]);
});

test.each([
  ['stolen_card', { code: 'stolen_card' }, 'ps_1  the next attempt is declined: stolen_card\n'],
  ['none', { code: null }, 'ps_1  nothing is declined\n'],
])('decline-next: %s', async (code, body, printed) => {
  const on = createCliFixture();
  on.answer('POST /sandbox/payment-sessions/ps_1/decline-next', { status: 200, body });
  expect([await on.run('decline-next', 'ps_1', code), on.out]).toEqual([0, printed]);
  expect(on.requests[0]!.body).toEqual(body);
});
