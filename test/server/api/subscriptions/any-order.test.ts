import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../../../server/platform/http/refusals.ts';
import { DAY, subscriptionServer, type SubscriptionServer } from './subscription-server.ts';

/** What somebody may do to a subscription, or what may come to pass. */
type Deed = (server: SubscriptionServer, id: string) => Promise<{ status: number } | void>;

const patch =
  (path: string, body: object): Deed =>
  (server, id) =>
    server.call(`PATCH /subscriptions/${id}${path}`, body);

const DEEDS: Record<string, Deed> = {
  'a day goes by': (server) => server.clock.advance(DAY * 1000),
  'a month goes by': (server) => server.clock.advance(31 * DAY * 1000),
  'it is paused': patch('/pause', {}),
  'the pause is taken back': patch('/pause', { unschedule: true }),
  'it is resumed': patch('/resume', {}),
  'its price changes': patch('', { price: { amount: 1200 } }),
  'it is billed by the day': patch('', { price: { interval: { unit: 'Days', count: 2 } } }),
  'it is to end': patch('', { price: { interval: { unit: 'Months', count: 1, times: 3 } } }),
  'it gets a good card': async (server, id) =>
    server.call(`PATCH /subscriptions/${id}`, { paymentMethod: { id: await server.card() } }),
  'it gets one that has expired': async (server, id) => {
    const paymentMethod = { id: await server.card({ expiryYear: '2025' }) };
    return server.call(`PATCH /subscriptions/${id}`, { paymentMethod });
  },
  'its card is deleted': async (server, id) => {
    const { paymentMethod } = await server.look(id);
    return paymentMethod && server.call(`DELETE /payment-methods/${paymentMethod.id}`);
  },
  'the front end pays': async (server, id) => {
    const { latest } = (await server.look(id)).paymentSessions;
    return server.pay(latest.id).then(
      () => undefined,
      (thrown: unknown) => {
        if (thrown instanceof Refusal) return { status: thrown.status };
        throw thrown;
      },
    );
  },
  'the customer goes': (server) => server.call(`DELETE /customers/${server.customerId}`),
};

const NAMES = [...Object.keys(DEEDS), 'it is cancelled'];

test('subscription: after any events each cycle is paid once, and a balance is due only when past due', async () => {
  const deeds = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(deeds, fc.constantFrom('good', 'expired', 'none'), async (names, card) => {
      const server = await subscriptionServer();
      const first = card === 'none' ? {} : { paymentMethod: { id: await server.card(YEARS[card]) } };
      const { id } = await server.subscribe(first);
      // Cancelled once at most, and late, lest most walks are short.
      const walk = names.filter((name, index) => name !== 'it is cancelled' || index > 9);
      for (const name of walk) {
        const deed = DEEDS[name] ?? (() => server.call(`DELETE /subscriptions/${id}`));
        const answer = await deed(server, id);
        expect([name, answer?.status ?? 200]).toEqual([name, expect.toBeOneOf([200, 400, 404])]);
        await expectSound(server, id);
      }
    }),
    { numRuns: 15 },
  );
}, 60_000);

const YEARS = { good: { expiryYear: '2031' }, expired: { expiryYear: '2025' } };

/** What is true of a subscription at any moment. */
async function expectSound(server: SubscriptionServer, id: string): Promise<void> {
  const { status, balance, billingDetail, pausePaymentDetail, cancelDetail } = await server.look(id);
  const { currentCycle, totalCycles, failureDetail } = billingDetail;
  const sessions = await server.sessions(id);
  const paid = sessions.filter((session) => session.status === 'Captured').length;
  const owed = balance.amount > 0;
  expect([status, paid + (owed ? 1 : 0)]).toEqual([status, currentCycle]);
  if (status !== 'Cancelled') {
    expect([status, owed]).toEqual([status, status === 'PastDue']);
    expect([status, failureDetail !== undefined]).toEqual([status, status === 'PastDue']);
  }
  expect(cancelDetail !== undefined).toBe(status === 'Cancelled');
  if (status === 'Paused') expect(pausePaymentDetail).toBeDefined();
  if (totalCycles > 0) expect(currentCycle).toBeLessThanOrEqual(totalCycles);
  const { nextBillingTimestamp: next } = billingDetail;
  if (next !== undefined) expect(next * 1000).toBeGreaterThan(server.clock.nowMs());
  if (['Paused', 'Cancelled', 'Ended'].includes(status)) expect(next).toBeUndefined();
  if (status === 'Active') expect(next).toBeDefined();
}
