import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CARDS, startWorld, type UserWorld } from '../../testing/world/user-world.ts';

let world: UserWorld;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const json = { 'content-type': 'application/json' };

test('"user world: a shop\'s own code calls the API by fetch, and its webhook handler replies"', async () => {
  const till = await world.openTill();
  const orders: string[] = [];
  const hook = await world.listen('shop', ['PaymentSession.captured']);
  hook.behaviour = async ({ event }) => {
    orders.push(event.data.id as string);
    return 204;
  };

  const answer = await world.fetch(
    `${world.url}/v1/in-person/terminals/${till.terminal.terminalId}/payment`,
    {
      method: 'POST',
      headers: { ...json, authorization: world.secretKey },
      body: JSON.stringify({ amounts: { requested: 1742 }, currency: 'GBP' }),
    },
  );
  expect(answer.status).toBe(200);
  const { action } = (await answer.json()) as { action: { transaction: { paymentSessionId: string } } };
  await till.reaches('awaitingCard');
  till.terminal.perform({ act: 'present-card', card: CARDS[0]! });
  await world.settled();
  expect(orders).toEqual([action.transaction.paymentSessionId]);
  expect(hook.signedWith(hook.secret)).toBe(true);
});

test('user world: fetch sends the headers of the caller only, so without a key there is none', async () => {
  const answer = await world.fetch(`${world.url}/v1/payment-sessions`);
  expect(answer.status).toBe(401);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toMatchObject({ code: '401' });
});

test('user world: fetch sends a text, a Request and a body of bytes alike', async () => {
  const url = `${world.url}/v1/payment-sessions`;
  const init = { method: 'POST', body: JSON.stringify({ amount: 1742, currency: 'GBP' }) };
  const authorization = world.secretKey;
  const calls = (headers: Record<string, string>) => [
    world.fetch(url, { ...init, headers }),
    world.fetch(new URL(url), { ...init, headers: Object.entries(headers) }),
    world.fetch(new Request(url, { ...init, headers })),
    world.fetch(url, { ...init, headers, body: Buffer.from(init.body) }),
  ];
  const replies = await Promise.all(calls({ ...json, authorization }));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  // As fetch specifies, a text without a type is text/plain.
  const untyped = await Promise.all(calls({ authorization }).slice(0, 3));
  expect(new Set(untyped.map(({ status }) => status)).size).toBe(1);
  await expect(world.fetch('/v1/payment-sessions')).rejects.toBeInstanceOf(TypeError);
  await expect(world.fetch(url, { body: 'a' })).rejects.toBeInstanceOf(TypeError);
});

test('user world: fetch reaches only the world', async () => {
  await expect(world.fetch('https://example.com/')).rejects.toThrow('only http://tapbench.test');
});

test('user world: a failed webhook delivery is retried when it is due', async () => {
  const till = await world.openTill();
  const hook = await world.listen('shop', ['PaymentSession.captured']);
  hook.behaviour = () => 503;
  await till.takes(1742);
  await world.advance({ minutes: 2 });
  expect(hook.deliveries).toHaveLength(3);
  hook.behaviour = 200;
  await world.advance({ minutes: 10 });
  expect(hook.deliveries).toHaveLength(4);
});

test.each(['before', 'after'] as const)(
  'user world: fake timers that %s a world starts do not delay it',
  async (when) => {
    if (when === 'before') vi.useFakeTimers();
    const faked = await startWorld();
    if (when === 'after') vi.useFakeTimers();
    try {
      const till = await faked.openTill();
      expect(await till.takes(1742)).toMatchObject({ status: 'Captured' });
    } finally {
      vi.useRealTimers();
    }
    await faked.close();
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve));
  },
);

test('user world: magic amounts decline where they are enabled', async () => {
  const plain = await startWorld({ magicAmounts: 'off' });
  const till = await plain.openTill();
  expect(await till.takes(1901)).toMatchObject({ status: 'Captured' });
  await plain.close();
  expect(await (await world.openTill()).takes(1901)).toMatchObject({ status: 'PendingPayment' });
});

test.each([
  ['an unknown option', { magicAmount: 'off' }, 'startWorld: magicAmount is not a known field'],
  ['a value that is not valid', { rateLimit: true }, 'startWorld: rateLimit must be one of: [on, off]'],
  ['a card that does not exist', { cardholder: { script: 'tap', card: 'vsa' } }, "there is no card 'vsa'"],
  [
    'a script that does not exist',
    { cardholder: { script: 'tip' } },
    'startWorld: cardholder.script must be',
  ],
  [
    'a file that does not exist',
    { from: '/nowhere/shop.json' },
    'startWorld: there is no file /nowhere/shop.json',
  ],
])('user world: refuses %s', async (_, options, message) => {
  await expect(startWorld(options as object)).rejects.toThrow(message);
});

test('user world: openTill and pay refuse an option that does not exist, and listen an unknown event type', async () => {
  await expect(world.openTill({ serial: 'X' } as object)).rejects.toThrow(
    'openTill: serial is not a known field',
  );
  const till = await world.openTill();
  await expect(till.pay(1742, { receipt: 'Terminal' } as object)).rejects.toThrow(
    'pay: receipt is not a known field',
  );
  await expect(world.listen('shop', ['PaymentSession.paid'])).rejects.toThrow('POST /v1/webhooks got 400');
});

test('user world: advance refuses a unit that does not exist and a time in the past', async () => {
  const nowMs = world.nowMs();
  await expect(world.advance({ minute: 3 } as object)).rejects.toThrow(
    'advance: minute is not a known field',
  );
  await expect(world.advance({ minutes: -3 })).rejects.toThrow('advance: minutes must be');
  expect(world.nowMs()).toBe(nowMs);
});

test('user world: session and movements throw with the refusal for a session that does not exist', async () => {
  const till = await world.openTill();
  const id = 'ps_01J9Z60A1B2C3D4E5F6G7H8J9K';
  await expect(till.session(id)).rejects.toThrow(`GET /v1/payment-sessions/${id} got 404`);
  await expect(till.movements(id)).rejects.toThrow(/transactions.* got 404/);
});

test('user world: takes throws with the refusal of a payment that the API refuses', async () => {
  const till = await world.openTill();
  await expect(till.takes(1742, { currency: 'XXX' })).rejects.toThrow(/payment got 400: .*currency/);
});

test('user world: perform throws for a card, a key or an act that does not exist', async () => {
  const { terminal } = await world.openTill();
  const perform = (act: object) => () => terminal.perform(act as Parameters<typeof terminal.perform>[0]);
  expect(perform({ act: 'present-card', card: 'vsa' })).toThrow(
    "perform: there is no card 'vsa'; the cards are: visa",
  );
  expect(perform({ act: 'press-keys', keys: ['OK'] })).toThrow('perform: keys.0 must be one of');
  expect(perform({ act: 'presentCard' })).toThrow('perform: act must be');
});

test('user world: reaches that fails says where the terminal is, how it came there and what is due', async () => {
  const till = await world.openTill();
  await expect(till.reaches('awaitingPin')).rejects.toThrow('The terminal has had no action.');
  await till.pay(1742);
  await till.reaches('awaitingCard');
  await expect(till.reaches('awaitingPin')).rejects.toThrow(
    /the terminal is awaitingPin\. It is in [\w.]*awaitingCard, by way of: [\w.]+.* The next scheduled call is due in [\d.]+ s/,
  );
  await expect(till.reaches('awaitingPni')).rejects.toThrow(
    "a terminal has no state 'awaitingPni'; its states are: ",
  );
});

const CUT = { at: 'terminal.state', what: 'power-cut', when: { state: 'awaitingPin' } };
const LOST = { at: 'api.request', what: 'reset', when: { operation: 'GET /v1/events' } };

test('close: names each fault that struck nothing, unless the world permits it', async () => {
  const missing = await startWorld();
  await missing.api.post('/sandbox/faults', { faults: [LOST, CUT] });
  await expect(missing.api.get('/v1/events')).rejects.toThrow(Error);
  const permitted = await missing.fork({ allowUnstruck: true });
  const fork = await missing.fork();
  for (const each of [missing, fork])
    await expect(each.close()).rejects.toThrow(
      /^the test did not test these faults, which struck nothing \(allowUnstruck: true permits it\):\n {2}power-cut at terminal\.state: .*state awaitingPin, the first one\..*$/,
    );
  await permitted.close();
});

test('close: accepts a plan whose faults all struck, one that was deleted, and any with allowUnstruck', async () => {
  const missing = await startWorld();
  await missing.api.post('/sandbox/faults', { faults: [LOST] });
  await expect(missing.api.get('/v1/events')).rejects.toThrow(Error);
  const { body } = await missing.api.post('/sandbox/faults', { faults: [CUT] });
  await missing.api.delete(`/sandbox/faults/${body.id}`);
  await missing.close();
  const permitting = await startWorld({ allowUnstruck: true });
  await permitting.api.post('/sandbox/faults', { faults: [CUT] });
  await permitting.close();
});
