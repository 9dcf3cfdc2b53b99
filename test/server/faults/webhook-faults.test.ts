import { expect, onTestFinished, test } from 'vitest';
import { isSigned } from '../../../examples/shop/webhook.js';
import { verifySignature } from '../../../server/platform/outbox/signature.ts';
import { startFaultWorld } from './fault-world.ts';

const MINUTE = 60_000;

/** A shop that hears of customers. `arrived` lists when which customer was told of, in minutes of the sandbox. */
async function openShop() {
  const started = await startFaultWorld();
  const { world } = started;
  const startMs = world.clock.nowMs();
  const shop = await world.listen('shop', ['Customer.created']);
  const arrived: string[] = [];
  shop.behaviour = ({ event }) => {
    const minutes = Math.round(((world.clock.nowMs() - startMs) / MINUTE) * 100) / 100;
    arrived.push(`${minutes} ${event?.data?.email.split('@')[0]}`);
    return 200;
  };
  const create = (name: string) => world.api.post('/v1/customers', { email: `${name}@corner.example` });
  const deliveries = async () => (await world.api.get('/sandbox/deliveries')).body.items;
  return { ...started, shop, arrived, create, deliveries };
}

const HOOK = { at: 'webhook.attempt' };

test('faults of webhooks: an event that is dropped twice arrives at the third attempt of its schedule', async () => {
  const { world, put, struck, arrived, create, deliveries } = await openShop();
  const plan = await put({ ...HOOK, what: 'dropped', when: { times: 2 } });
  await create('ana');
  await world.settled();
  expect(await deliveries()).toMatchObject([
    { status: 'Retrying', attempts: 2, lastResult: 'dropped by a fault of the sandbox' },
  ]);
  await world.advance({ minutes: 1 });
  expect(arrived).toEqual(['1 ana']);
  expect(await deliveries()).toMatchObject([{ status: 'Delivered', attempts: 3 }]);
  expect(await struck(plan)).toEqual(['dropped Customer.created', 'dropped Customer.created']);
});

test('faults of webhooks: an event that is delayed arrives then, with one attempt, and later events before it', async () => {
  const { world, put, arrived, create, deliveries } = await openShop();
  await put({ ...HOOK, what: 'delay', delayMs: 2 * MINUTE });
  await create('ana');
  await create('bo');
  await world.settled();
  expect(arrived).toEqual(['0 bo']);
  await world.advance({ minutes: 2 });
  expect(arrived).toEqual(['0 bo', '2 ana']);
  expect((await deliveries()).map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 1]);
});

test('faults of webhooks: an event out of order arrives right after the next one', async () => {
  const { world, put, arrived, create, deliveries } = await openShop();
  await put({ ...HOOK, what: 'out-of-order', delayMs: 10 * MINUTE });
  await create('ana');
  await world.advance({ minutes: 3 });
  expect(arrived).toEqual([]);
  await create('bo');
  await world.settled();
  expect(arrived).toEqual(['3 bo', '3 ana']);
  await world.advance({ minutes: 20 });
  expect(arrived).toHaveLength(2);
  expect(await deliveries()).toMatchObject([{ status: 'Delivered' }, { status: 'Delivered' }]);
});

test('faults of webhooks: an event out of order arrives right after the next one after a restart too, and in a fork', async () => {
  const { world, put, arrived, create } = await openShop();
  await put({ ...HOOK, what: 'out-of-order', delayMs: 10 * MINUTE });
  await create('ana');
  await world.settled();
  const fork = await world.fork();
  onTestFinished(() => fork.close());
  await world.restartServer();
  await world.advance({ minutes: 3 });
  expect(arrived).toEqual([]);
  await create('bo');
  await world.settled();
  expect(arrived).toEqual(['3 bo', '3 ana']);
  await world.advance({ minutes: 20 });
  expect(arrived).toHaveLength(2);

  await fork.api.post('/v1/customers', { email: 'cy@corner.example' });
  await fork.settled();
  const inFork = fork.receivers.named('shop')!.deliveries.map(({ event }) => event.data.email);
  expect(inFork).toEqual(['cy@corner.example', 'ana@corner.example']);
});

test('faults of webhooks: an event out of order does not arrive with one whose delivery had begun before', async () => {
  const { world, put, shop, create } = await openShop();
  await put({ ...HOOK, what: 'out-of-order', when: { nth: 2 } });
  const arrived = () => shop.deliveries.map(({ event }) => event.data.email.split('@')[0]);
  let reply!: (status: number) => void;
  shop.behaviour = () => new Promise((resolve) => (reply = resolve));
  await create('ana');
  await world.until('ana arrives', () => arrived().length === 1);
  await create('bo');
  await world.until(
    'bo is held back',
    () => world.server.services.faults!.awaits('webhook.attempt') === false,
  );
  shop.behaviour = 200;
  reply(200);
  await world.settled();
  expect(arrived()).toEqual(['ana']);
  await create('cy');
  await world.settled();
  expect(arrived()).toEqual(['ana', 'cy', 'bo']);
});

test('faults of webhooks: an endpoint that hangs on an event out of order holds up neither the next nor its acknowledgement', async () => {
  const { world, put, shop, create, deliveries } = await openShop();
  await put({ ...HOOK, what: 'out-of-order', when: { times: 2 } });
  const names: string[] = [];
  shop.behaviour = ({ event }) => {
    const name = event.data.email.split('@')[0];
    return names.push(name) < 4 && name === 'ana' ? 'hang' : 200;
  };
  for (const name of ['ana', 'bo', 'cy']) await create(name);
  await world.settled();
  expect(names).toEqual(['cy', 'ana', 'bo']);
  expect((await deliveries()).map(({ status }: { status: string }) => status)).toEqual([
    'Delivered',
    'Delivered',
    'Pending',
  ]);
});

test('faults of webhooks: an event out of order that no other follows arrives after its time', async () => {
  const { world, put, arrived, create } = await openShop();
  await put({ ...HOOK, what: 'out-of-order', delayMs: 10 * MINUTE });
  await create('ana');
  await world.advance({ minutes: 9 });
  expect(arrived).toEqual([]);
  await world.advance({ minutes: 1 });
  expect(arrived).toEqual(['10 ana']);
});

test('faults of webhooks: an event that comes twice has the same body and signature, and two attempts', async () => {
  const { world, put, shop, create, deliveries } = await openShop();
  await put({ ...HOOK, what: 'twice' });
  await create('ana');
  await world.settled();
  const [first, second, ...others] = shop.deliveries;
  expect(others).toEqual([]);
  expect(second).toEqual(first);
  expect(shop.signedWith(shop.secret)).toBe(true);
  const [{ id, attempts, status }] = await deliveries();
  expect([attempts, status]).toEqual([2, 'Delivered']);
  const delivery = (await world.api.get(`/sandbox/deliveries/${id}`)).body;
  expect(
    delivery.attemptLog.map(({ number, sentAgain }: { number: number; sentAgain: boolean }) => [
      number,
      sentAgain,
    ]),
  ).toEqual([
    [1, false],
    [2, true],
  ]);
});

test('faults of webhooks: with another secret the signature does not match, and with a cut body neither', async () => {
  const { world, put, shop, create } = await openShop();
  await put([
    { ...HOOK, what: 'wrong-secret' },
    { ...HOOK, what: 'cut-body', when: { nth: 2 } },
  ]);
  await create('ana');
  await create('bo');
  await create('cy');
  await world.settled();
  expect(shop.deliveries).toHaveLength(3);
  const [other, cut, whole] = shop.deliveries.map((delivery) => delivery.body);
  expect(JSON.parse(other!)).toMatchObject({ data: { email: 'ana@corner.example' } });
  expect(() => JSON.parse(cut!)).toThrow('JSON');
  expect(JSON.parse(whole!)).toMatchObject({ data: { email: 'cy@corner.example' } });
  const signed = shop.deliveries.map((delivery) =>
    verifySignature(shop.secret, delivery.body, delivery.signature),
  );
  expect(signed).toEqual([false, false, true]);
});

test('faults of webhooks: the example shop refuses another secret and a cut body, and accepts the next attempt', async () => {
  const { world, put, shop, create, deliveries } = await openShop();
  await put([
    { ...HOOK, what: 'wrong-secret' },
    { ...HOOK, what: 'cut-body', when: { nth: 2 } },
  ]);
  shop.behaviour = ({ body, signature }) => (isSigned(shop.secret, body, signature) ? 200 : 400);
  await create('ana');
  await world.settled();
  expect(await deliveries()).toMatchObject([{ status: 'Retrying', attempts: 2, lastResult: '400' }]);
  await world.advance({ minutes: 1 });
  expect(await deliveries()).toMatchObject([{ status: 'Delivered', attempts: 3, lastResult: '200' }]);
});

test('faults of webhooks: id and event type choose the deliveries, of one endpoint alone', async () => {
  const { world, put, arrived, create } = await openShop();
  const other = await world.listen('other', ['Customer.created']);
  const webhooks = (await world.api.get('/v1/webhooks')).body.items;
  const { id } = webhooks.find(({ url }: { url: string }) => url.includes('other'));
  await put([
    { ...HOOK, what: 'dropped', when: { id, times: 100 } },
    { ...HOOK, what: 'dropped', when: { eventType: 'Customer.updated', times: 100 } },
  ]);
  await create('ana');
  await world.settled();
  expect(arrived).toEqual(['0 ana']);
  expect(other.deliveries).toEqual([]);
});

test('faults of webhooks: until an attempt, each event is dropped, and arrives then', async () => {
  const { world, put, arrived, create, deliveries } = await openShop();
  await put({ ...HOOK, what: 'dropped', when: { untilAttempt: 3, times: 100 } });
  await create('ana');
  await world.advance({ ms: 500 });
  await create('bo');
  await world.advance({ minutes: 2 });
  expect(arrived).toEqual(['1 ana', '1.01 bo']);
  expect(await deliveries()).toMatchObject([{ attempts: 3 }, { attempts: 3 }]);
});

test('faults of webhooks: an event is put off once, however many the plan delays', async () => {
  const { world, put, struck, arrived, create } = await openShop();
  const plan = await put({ ...HOOK, what: 'delay', delayMs: MINUTE, when: { times: 100 } });
  await create('ana');
  await create('bo');
  await world.advance({ minutes: 1 });
  expect(arrived).toEqual(['1 ana', '1 bo']);
  expect(await struck(plan)).toHaveLength(2);
});

test('faults of webhooks: an event out of order that the endpoint refuses is tried again by its schedule', async () => {
  const { world, put, shop, create, deliveries } = await openShop();
  const startMs = world.clock.nowMs();
  await put({ ...HOOK, what: 'out-of-order', delayMs: 30 * MINUTE });
  const arrived: string[] = [];
  let refusals = 2;
  shop.behaviour = ({ event }) => {
    const name = event.data.email.split('@')[0];
    arrived.push(`${(world.clock.nowMs() - startMs) / MINUTE} ${name}`);
    return name === 'ana' && refusals-- > 0 ? 500 : 200;
  };
  await create('ana');
  await create('bo');
  await world.advance({ minutes: 40 });
  expect(arrived).toEqual(['0 bo', '0 ana', '0 ana', '1 ana']);
  expect(await deliveries()).toMatchObject([{ status: 'Delivered' }, { status: 'Delivered', attempts: 3 }]);
});

test('faults of webhooks: an event that came twice keeps the attempts of its schedule when it is delivered again', async () => {
  const { world, put, shop, create, deliveries } = await openShop();
  await put({ ...HOOK, what: 'twice' });
  await create('ana');
  await world.settled();
  shop.behaviour = 500;
  const [{ eventId }] = await deliveries();
  await world.api.post(`/sandbox/events/${eventId}/deliver`);
  await world.advance({ minutes: 40 });
  // Two at first, and the six that are left of seven.
  expect(await deliveries()).toMatchObject([{ status: 'Failed', attempts: 2 + 6 }]);
});

test('faults of webhooks: a body that is sent slowly arrives in its time, and the endpoint has its own time after it', async () => {
  const { world, put, shop, create, deliveries } = await openShop();
  const took: number[] = [];
  const startMs = world.clock.nowMs();
  shop.behaviour = ({ bodyMs }) => {
    took.push(world.clock.nowMs() - startMs, bodyMs);
    return bodyMs > 3_000 ? 'hang' : 200;
  };
  await put({ ...HOOK, what: 'slow-body', delayMs: 20_000 });
  await create('ana');
  await world.advance({ ms: 29_999 });
  expect(took).toEqual([20_000, 20_000]);
  expect(await deliveries()).toMatchObject([{ status: 'Pending', attempts: 0 }]);
  await world.advance({ ms: 1 });
  expect(took).toEqual([20_000, 20_000, 30_000, 0]);
  expect(await deliveries()).toMatchObject([{ status: 'Delivered', attempts: 2 }]);
});

test('faults of webhooks: what is delivered by hand is not struck, in the order given', async () => {
  const { world, put, struck, shop, arrived, create, deliveries } = await openShop();
  const plan = await put({ ...HOOK, what: 'dropped', when: { times: 1_000 } });
  await create('ana');
  await create('bo');
  await world.settled();
  const ids = (await deliveries()).map(({ id }: { id: string }) => id);
  for (const id of ids) await world.api.post(`/sandbox/deliveries/${id}/send`);
  expect(arrived).toEqual(['0 bo', '0 ana']);
  expect(shop.signedWith(shop.secret)).toBe(true);
  // The first attempt and the one right after it, of each.
  expect(await struck(plan)).toHaveLength(4);
  expect(await deliveries()).toMatchObject([{ status: 'Delivered' }, { status: 'Delivered' }]);
});

test('faults of webhooks: a body that is cut is recorded as it was sent', async () => {
  const { world, put, create, deliveries } = await openShop();
  await world.api.post('/sandbox/recordings', {});
  await put({ ...HOOK, what: 'cut-body' });
  await create('ana');
  await world.settled();
  expect(await deliveries()).toMatchObject([{ status: 'Delivered', attempts: 1 }]);
});

/** Lets the shop take 150 ms for each event. Returns what it began and ended, in order. */
function slowShop({ world, shop }: Awaited<ReturnType<typeof openShop>>): string[] {
  const seen: string[] = [];
  shop.behaviour = async ({ event: { eventType, data } }) => {
    const name = eventType.split('.')[1];
    seen.push(`${name} ${data.email.split('@')[0]} begins`);
    await world.sleep(150);
    seen.push(`${name} ${data.email.split('@')[0]} ends`);
    return 200;
  };
  return seen;
}

test('faults of webhooks: an event that comes twice at once is sent again before the first is answered', async () => {
  const opened = await openShop();
  const { world, put, create, deliveries } = opened;
  const seen = slowShop(opened);
  await put({ ...HOOK, what: 'twice-at-once' });
  await create('ana');
  await world.advance({ seconds: 1 });
  expect(seen).toEqual(['created ana begins', 'created ana begins', 'created ana ends', 'created ana ends']);
  expect(await deliveries()).toMatchObject([{ attempts: 2, status: 'Delivered' }]);
});

test('faults of webhooks: an event is sent beside the next one about its object, and not beside others', async () => {
  const opened = await openShop();
  const { world, put, create, deliveries } = opened;
  const seen = slowShop(opened);
  await world.api.patch(`/v1/webhooks/${(await world.api.get('/v1/webhooks')).body.items[0].id}`, {
    eventTypes: ['Customer.created', 'Customer.updated'],
  });
  await put({ ...HOOK, what: 'beside', delayMs: 10 * MINUTE });
  const { id } = (await create('ana')).body;
  await world.settled();
  await create('bo');
  await world.advance({ seconds: 1 });
  expect(seen).toEqual(['created bo begins', 'created bo ends']);
  await world.api.patch(`/v1/customers/${id}`, { name: 'Ana' });
  await world.advance({ seconds: 1 });
  expect(seen.slice(2)).toEqual([
    'updated ana begins',
    'created ana begins',
    'updated ana ends',
    'created ana ends',
  ]);
  await world.advance({ minutes: 20 });
  expect(seen).toHaveLength(6);
  expect((await deliveries()).map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 1, 1]);
});

test('faults of webhooks: an event is sent beside the next reply about its object, or at its time', async () => {
  const { world, put, arrived, create } = await openShop();
  await put({ ...HOOK, what: 'beside', delayMs: 10 * MINUTE, when: { times: 2 } });
  const { id } = (await create('ana')).body;
  await create('bo');
  await world.advance({ minutes: 3 });
  expect(arrived).toEqual([]);
  await world.api.get(`/v1/customers/${id}`);
  await world.settled();
  expect(arrived).toEqual(['3 ana']);
  await world.advance({ minutes: 7 });
  expect(arrived).toEqual(['3 ana', '10 bo']);
});

test('faults of webhooks: an event without a signature, or altered after it was signed, is refused, and comes again', async () => {
  const { world, put, shop, create, deliveries } = await openShop();
  await put([
    { ...HOOK, what: 'unsigned' },
    { ...HOOK, what: 'altered-body', when: { nth: 2 } },
  ]);
  shop.behaviour = ({ body, signature }) => (isSigned(shop.secret, body, signature) ? 200 : 400);
  await create('ana');
  await world.settled();
  await world.advance({ minutes: 1 });
  const [unsigned, altered, whole] = shop.deliveries;
  expect(unsigned!.signature).toBe('');
  expect(altered!.signature).toBe(whole!.signature);
  expect(altered!.event).toEqual({ ...whole!.event, altered: true });
  expect(await deliveries()).toMatchObject([{ status: 'Delivered', attempts: 3, lastResult: '200' }]);
});

test.each(['spaced-body', 'large-body'])(
  'faults of webhooks: an event with a %s is signed as it is sent',
  async (what) => {
    const { world, put, shop, create } = await openShop();
    await put({ ...HOOK, what });
    await create('ana');
    await create('bo');
    await world.settled();
    const [struck, usual] = shop.deliveries;
    expect(verifySignature(shop.secret, struck!.body, struck!.signature)).toBe(true);
    expect(struck!.event).toMatchObject({
      eventType: 'Customer.created',
      data: { email: 'ana@corner.example' },
    });
    expect(struck!.body.length - usual!.body.length).toBeGreaterThan(what === 'large-body' ? 200_000 : 10);
    expect(struck!.event.padding?.length).toBe(what === 'large-body' ? 200_000 : undefined);
  },
);

test('faults of webhooks: an event of an unknown type is signed, and counts as failed though it was acknowledged', async () => {
  const { world, put, shop, create, deliveries } = await openShop();
  await put({ ...HOOK, what: 'unknown-type' });
  await create('ana');
  await world.settled();
  expect(shop.deliveries.map(({ event }) => event.eventType)).toEqual([
    'Example.happened',
    'Customer.created',
  ]);
  const signed = shop.deliveries.map(({ body, signature }) => verifySignature(shop.secret, body, signature));
  expect(signed).toEqual([true, true]);
  expect(await deliveries()).toMatchObject([{ status: 'Delivered', attempts: 2 }]);
});
