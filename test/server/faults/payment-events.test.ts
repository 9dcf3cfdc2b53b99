import { expect, test } from 'vitest';
import { startFaultTill } from './fault-world.ts';

test('faults of webhooks: the approval of a payment, out of order, arrives after its capture', async () => {
  const { world, till, put } = await startFaultTill();
  const shop = await world.listen('shop', ['PaymentSession.approved', 'PaymentSession.captured']);
  const arrived: unknown[] = [];
  shop.behaviour = ({ event }) => {
    arrived.push(event?.eventType);
    return 200;
  };
  const when = { eventType: 'PaymentSession.approved' };
  await put({ at: 'webhook.attempt', what: 'out-of-order', when });
  await till.pay(1742);
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.settled();
  expect(arrived).toEqual(['PaymentSession.captured', 'PaymentSession.approved']);
});
