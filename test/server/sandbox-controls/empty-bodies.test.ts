import { expect, test } from 'vitest';
import { ROUTES } from '../../../server/routes.ts';
import { paymentServer } from '../api/payments/payment-server.ts';
import { settlementFailureRoutes } from '../../../server/sandbox-controls/settlement-failure.resource.ts';

/** What these do without a body is useful: a dispute of the whole payment, a recording, a sandbox with a free name. */
const USEFUL = [
  'POST /sandbox/payment-sessions/{id}/disputes',
  'POST /sandbox/recordings',
  'POST /sandboxes',
];
/** The handlers of these refuse a body without a setting. */
const REFUSED_LATER = ['PATCH /sandbox/accounts/{id}/settings', 'PATCH /sandboxes/{name}'];

test('controls: none accepts a body that says nothing, unless that has an effect', () => {
  const accepting = ROUTES.filter(
    ({ surface, checkBody }) => surface === 'sandbox' && checkBody?.({}).length === 0,
  );
  expect(accepting.map(({ operation }) => operation).sort()).toEqual([...REFUSED_LATER, ...USEFUL].sort());
});

test('settings: an update without a setting, or with a misspelt one, is refused', async () => {
  const { api, platformId } = await paymentServer();
  for (const body of [undefined, {}, { currency: ['EUR'] }, { frozen: null }]) {
    const { status, body: refused } = await api.patch(`/sandbox/accounts/${platformId}/settings`, body);
    expect([status, refused.errors[0].message]).toEqual([
      400,
      expect.stringMatching(/^body must have at least one of /),
    ]);
  }
  expect((await api.patch(`/sandbox/accounts/${platformId}/settings`, { frozen: false })).status).toBe(200);
});

test('fail-next: requires a type, and null cancels', async () => {
  const { api, shop } = await paymentServer({}, settlementFailureRoutes);
  const session = await shop.approved();
  const failNext = (body?: object) => api.post(`/sandbox/payment-sessions/${session.id}/fail-next`, body);
  for (const body of [undefined, {}, { tpye: 'Capture' }, { type: 'Payout' }])
    expect((await failNext(body)).status).toBe(400);
  expect((await failNext({ type: 'Capture' })).body).toMatchObject({ type: 'Capture' });
  expect((await failNext()).status).toBe(400);
  expect((await failNext({ type: null })).body).toMatchObject({ type: null });
  expect((await shop.move(session, 'captures')).body).toMatchObject({ status: 'Succeeded' });
});
