import { BANK_ACCOUNT } from '../../cli/trigger/account-paths.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { card, openCheckout } from '../kit/checkout.ts';
import { openTill, type Till } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { person } from '../server/api/accounts/account-bodies.ts';
import { good } from './one-of-each.ts';

const ROUNDS = 5;
const BOTH_COPIES = { merchantCopy: { status: 'Succeeded' }, customerCopy: { status: 'Succeeded' } };

let world: World;
let till: Till;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
});
afterEach(() => world.close());

/** Calls at once; answers their statuses, lowest first. */
async function atOnce(...calls: Promise<{ status: number }>[]): Promise<number[]> {
  return (await Promise.all(calls)).map(({ status }) => status).toSorted();
}

test('concurrency: of payments started at once on one terminal one starts, of cancels one cancels', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    expect(await atOnce(till.pay(1000), till.pay(2000), till.pay(3000))).toEqual([200, 409, 409]);
    expect(await atOnce(till.cancel(), till.cancel(), till.cancel())).toEqual([200, 400, 400]);
  }
});

test('concurrency: of refunds of one payment started at once on two terminals one starts, and the money moves once', async () => {
  const other = openTill(world, await world.addTerminal());
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await till.takes(1000);
    const refunds = [till.refund(id, { amount: 600 }), other.refund(id, { amount: 600 })];
    expect(await atOnce(...refunds)).toEqual([200, 400]);
    await world.settled();
    for (const { terminal } of [till, other])
      terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await world.settled();
    expect(await till.session(id)).toMatchObject({ refundedAmount: 600 });
    expect(await till.movements(id)).toEqual(['Authorization', 'Capture', 'Refund']);
    for (const { terminal } of [till, other]) terminal.perform({ act: 'remove-card' });
  }
});

test('concurrency: confirm-receipt twice and cancel-action at once end captured or voided, not both', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id } = await till.takes(1000, { receipts: 'PointOfSale' });
    const calls = [till.confirm(BOTH_COPIES), till.cancel(), till.confirm(BOTH_COPIES)];
    expect(await atOnce(...calls)).toEqual([200, 400, 400]);
    await world.settled();
    const [status, ...movements] = [(await till.session(id)).status, ...(await till.movements(id))];
    expect([
      ['Captured', 'Authorization', 'Capture'],
      ['Voided', 'Authorization', 'Void'],
    ]).toContainEqual([status, ...movements]);
  }
});

test('concurrency: a terminal is not deleted during an action, nor a location with a terminal', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const terminal = await world.addTerminal();
    const path = `/v1/in-person/terminals/${terminal.terminalId}`;
    const payment = { amounts: { requested: 1000 }, currency: 'GBP' };
    const started = world.api.post(`${path}/payment`, payment);
    expect([
      [200, 400],
      [200, 404],
    ]).toContainEqual(await atOnce(started, world.api.delete(path)));
    expect((await world.api.get(path)).status).toBe((await started).status);

    const address = { lineOne: '1 High Street', city: 'Leeds', country: 'GB', postalCode: 'LS1 1AA' };
    const { body } = await world.api.post('/v1/in-person/locations', { name: 'Corner Shop', address });
    const registration = { serialNumber: `A920-${round}`, locationId: body.id };
    const registered = world.api.post('/v1/in-person/terminals', registration);
    const place = `/v1/in-person/locations/${body.id}`;
    expect([
      [200, 400],
      [200, 404],
    ]).toContainEqual(await atOnce(registered, world.api.delete(place)));
    expect((await world.api.get(place)).status).toBe((await registered).status);
  }
});

test('concurrency: of two deletions one is done with one event, the other finds nothing', async () => {
  const { api, subAccountId } = world;
  const paid = good(
    await openCheckout(api).attempt(await openCheckout(api).session(), {
      cardDetails: card(),
      customerDetails: { email: 'kim@example.com' },
      paymentMethodOptions: { store: true },
    }),
  );
  const added = async (list: string, body: object) => `${list}/${good(await api.post(list, body)).id}`;
  const account = `/v1/accounts/${subAccountId}`;
  const webhook = { url: world.receivers.open('deleted').url, active: true, eventTypes: ['Dispute.created'] };
  const paths = [
    `/v1/payment-methods/${paid.paymentMethod.tokenizedDetails.id}`,
    `/v1/customers/${paid.customerDetails.id}`,
    await added(`${account}/persons`, person),
    await added(`${account}/payout-methods`, BANK_ACCOUNT),
    await added('/v1/webhooks', webhook),
    await added('/v1/wallet-pay/web-domains', { domainName: 'shop.example' }),
    `/v1/in-person/terminals/${till.terminal.terminalId}`,
  ];
  for (const path of paths) {
    expect([path, await atOnce(api.delete(path), api.delete(path), api.delete(path))]).toEqual([
      path,
      [200, 404, 404],
    ]);
  }
  for (const each of [api, api.as(subAccountId)]) {
    const types = good(await each.get('/v1/events?limit=50')).items.map(
      ({ eventType }: { eventType: string }) => eventType,
    );
    const told = types.filter((type: string) => type.endsWith('.deleted'));
    expect(told).toEqual([...new Set(told)]);
    expect(told.length).toBeGreaterThan(0);
  }
});

test('concurrency: an update that meets a deletion changes nothing', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const body = { email: `sam${round}@example.com` };
    const path = `/v1/customers/${good(await world.api.post('/v1/customers', body)).id}`;
    const deleted = world.api.delete(path);
    const changed = world.api.patch(path, { firstName: 'Sam' });
    expect([
      [200, 200],
      [200, 404],
    ]).toContainEqual(await atOnce(deleted, changed));
    expect((await deleted).status).toBe(200);
    const { items } = good(await world.api.get('/v1/events?limit=2'));
    expect(items[0].eventType).toBe('Customer.deleted');
  }
});
