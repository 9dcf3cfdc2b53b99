import { expect, test } from 'vitest';
import type { SimulationAct } from '../../../protocol/messages/sandbox.messages.ts';
import type { World } from '../../../testing/world/world.ts';
import { CARDS, openCheckout } from '../../kit/checkout.ts';
import { startFaultTill, startFaultWorld } from './fault-world.ts';

/** Takes a payment from a cardholder who follows a script. Returns what became of it. */
async function paidBy(
  script: Extract<SimulationAct, { act: 'cardholder' }>['script'],
  fault: object,
  change: { pin?: string } = {},
) {
  const { world, till, put, struck } = await startFaultTill();
  const plan = await put(fault);
  till.terminal.perform({ act: 'cardholder', script, delayMs: 1_000, ...change });
  const { body } = await till.pay(1742);
  await world.advance({ seconds: 30 });
  const { status: early } = await till.action();
  await world.advance({ minutes: 5 });
  const { status, error } = await till.action();
  const session = await till.session(body.action.transaction.paymentSessionId);
  return { early, action: [status, error?.code], session, till, world, struck: await struck(plan) };
}

test('cardholder.card: one who leaves presents no card, and the action ends at its deadline; the next one pays', async () => {
  const left = await paidBy('tap', { at: 'cardholder.card', what: 'leaves' });
  expect([left.early, left.action]).toEqual(['InProgress', ['Failed', 'timeout']]);
  expect([left.session.status, left.session.lastError]).toEqual(['PendingPayment', undefined]);
  expect(left.struck).toEqual(['leaves cardholder.card']);
  const { body } = await left.till.pay(1742);
  await left.world.advance({ minutes: 1 });
  expect(await left.till.movements(body.action.transaction.paymentSessionId)).toContain('Capture');
});

test('cardholder.card: one who cancels ends the action at the terminal', async () => {
  const cancelled = await paidBy('tap', { at: 'cardholder.card', what: 'cancels' });
  expect([cancelled.early, cancelled.action]).toEqual(['Failed', ['Failed', 'cancelled_on_terminal']]);
});

test('cardholder.pin: one wrong PIN is asked for again, and three are declined', async () => {
  const fault = { at: 'cardholder.pin', what: 'wrong-pin' };
  const once = await paidBy('contact-pin', fault);
  expect([once.session.status, once.struck]).toEqual(['Captured', ['wrong-pin cardholder.pin']]);
  const thrice = await paidBy('contact-pin', { ...fault, when: { times: 8 } });
  expect(thrice.session).toMatchObject({ status: 'PendingPayment', lastError: 'security_violation' });
  expect(thrice.struck).toHaveLength(3);
});

test('cardholder faults: one who would not pay anyway is none that a fault strikes', async () => {
  const card = { at: 'cardholder.card', what: 'leaves' };
  expect((await paidBy('walk-away', card)).struck).toEqual([]);
  expect((await paidBy('press-cancel', card)).struck).toEqual([]);
  const pin = { at: 'cardholder.pin', what: 'wrong-pin', when: { times: 3 } };
  expect((await paidBy('contact-pin', pin, { pin: '9999' })).struck).toEqual([]);
  expect((await paidBy('wrong-pin-twice', { ...pin, when: {} })).session.status).toBe('PendingPayment');
});

/** Pays a session whose card is challenged, by the authentication of the sandbox. */
async function challenged({ api }: World, outcome: string) {
  const { session, pay, read } = openCheckout(api);
  const sold = await session();
  await pay(sold, CARDS.challenge);
  const reply = await api.post(`/sandbox/payment-sessions/${sold.id}/authentication`, { outcome });
  const again = () =>
    api.post(`/sandbox/payment-sessions/${sold.id}/authentication`, { outcome: 'Authenticated' });
  return { reply: reply.body.status, read: () => read(sold), again };
}

test('cardholder.challenge: one who leaves lets the payment wait, and may come back; one who refuses is declined', async () => {
  const { world, put, struck } = await startFaultWorld();
  const faults = ['leaves', 'refuses'].map((what) => ({ at: 'cardholder.challenge', what }));
  const plan = await put(faults);
  const left = await challenged(world, 'Authenticated');
  expect([left.reply, (await left.read()).status]).toEqual(['PendingAction', 'PendingAction']);
  await left.again();
  expect(await left.read()).toMatchObject({
    status: 'PendingPayment',
    lastError: '3ds_authentication_failure',
  });
  expect(await struck(plan)).toEqual(['leaves cardholder.challenge', 'refuses cardholder.challenge']);
  expect((await challenged(world, 'Authenticated')).reply).toBe('Captured');
});

test('cardholder.challenge: one who fails anyway, or only identifies a device, is none that a fault strikes', async () => {
  const { world, put, struck } = await startFaultWorld();
  const plan = await put({ at: 'cardholder.challenge', what: 'leaves' });
  expect((await challenged(world, 'Failed')).reply).toBe('PendingPayment');
  const { session, pay } = openCheckout(world.api);
  const { id } = await pay(await session(), CARDS.identify);
  const path = `/sandbox/payment-sessions/${id}/authentication`;
  expect((await world.api.post(path, { outcome: 'Identified' })).body.status).toBe('Captured');
  expect(await struck(plan)).toEqual([]);
});
