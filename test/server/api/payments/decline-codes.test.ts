import { expect, test } from 'vitest';
import { MAGIC_DECLINES, ONLINE_DECLINES, TEST_CARDS } from '../../../../protocol/test-cards.ts';
import { DECLINE_CODES } from '../../../../server/bank/issuer/decline-codes.ts';
import { settlementFailureRoutes } from '../../../../server/sandbox-controls/settlement-failure.resource.ts';
import { CARDS, encoded } from '../../../kit/checkout.ts';
import { paymentServer } from './payment-server.ts';

async function shopWithControls() {
  const server = await paymentServer({}, settlementFailureRoutes);
  const declineNext = ({ id }: { id: string }, body?: object) =>
    server.api.post(`/sandbox/payment-sessions/${id}/decline-next`, body);
  return { ...server, declineNext };
}

test('lastError: clients know 33 codes, and those of cards and amounts are among them', () => {
  expect(new Set(DECLINE_CODES).size).toBe(33);
  const others: string[] = [
    ...ONLINE_DECLINES.map(({ code }) => code),
    ...TEST_CARDS.flatMap((card) => ('inPerson' in card ? [card.inPerson] : [])),
    ...Object.values(MAGIC_DECLINES),
  ];
  expect(
    others.filter((code) => !(DECLINE_CODES as readonly string[]).includes(code)),
    'a card or an amount declines with a code of server/bank/issuer/decline-codes.ts',
  ).toEqual([]);
});

test.each(DECLINE_CODES)('decline-next: provokes %s, for one attempt', async (code) => {
  const { shop, api, declineNext } = await shopWithControls();
  const session = await shop.session();
  expect(await declineNext(session, { code })).toMatchObject({
    status: 200,
    body: { paymentSessionId: session.id, code },
  });
  expect(await shop.read(session)).not.toHaveProperty('declineNext');
  const declined = await shop.pay(session);
  expect(declined).toMatchObject({ status: 'PendingPayment', lastError: code });
  expect(declined).not.toHaveProperty('declineNext');
  const { body } = await api.get('/v1/events?limit=1');
  expect(body.items[0]).toMatchObject({ eventType: 'PaymentSession.declined', data: { lastError: code } });
  expect((await shop.transactions(session)).map(({ status }) => status)).toEqual(['Failed']);
  const paid = await shop.pay(session);
  expect(paid).toMatchObject({ status: 'Captured' });
  expect(paid).not.toHaveProperty('lastError');
});

test('decline-next: declines a card instead of challenging it, and a stored card', async () => {
  const { shop, declineNext } = await shopWithControls();
  const session = await shop.session();
  await declineNext(session, { code: '3ds_cardholder_not_participating' });
  const { lastError } = await shop.pay(session, CARDS.challenge);
  expect(lastError).toBe('3ds_cardholder_not_participating');
  await shop.pay(session, CARDS.challenge);
  const { body } = await shop.goOn(session, { challengeResult: encoded({ transStatus: 'Y' }) });
  expect(body).toMatchObject({ status: 'Captured' });
});

test('decline-next: null cancels; no code, an unknown one, and a session that is paid are refused', async () => {
  const { shop, declineNext } = await shopWithControls();
  const session = await shop.session();
  for (const body of [undefined, {}, { code: 'no_such_code' }, { code: 5 }])
    expect((await declineNext(session, body)).status).toBe(400);
  await declineNext(session, { code: 'stolen_card' });
  expect((await declineNext(session, { code: null })).body).toMatchObject({ code: null });
  expect(await shop.pay(session)).toMatchObject({ status: 'Captured' });
  const late = await declineNext(session, { code: 'stolen_card' });
  expect([late.status, late.body.errors[0].code]).toEqual([400, 'bad_request']);
});

test('lastError: the OpenAPI document names each code', async () => {
  const { PaymentSession } = await import('../../../../server/api/payments/payment-session.schema.ts');
  const { description } = PaymentSession.properties.lastError as unknown as { description: string };
  expect(DECLINE_CODES.filter((code) => !description.includes(`\`${code}\``))).toEqual([]);
});
