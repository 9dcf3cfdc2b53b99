import { expect } from 'vitest';
import { ADDRESS } from '../../server/api/in-person/shop-server.ts';
import { race, refusalsOf, succeeded, type Race, type Raced, type RacedRequest } from './race.ts';
import type { RacingShop } from './racing-shop.ts';
import { replay, type Rules } from './rules.ts';

const CARD_KEPT = { paymentMethodOptions: { store: true } };
const MONTHLY = { amount: 900, currency: 'GBP', interval: { unit: 'Months', count: 1 } };

/** A race of equal requests, of which one is done. */
function oneOf(
  name: string,
  parts: (shop: RacingShop) => Promise<{
    request: RacedRequest;
    refusal: string;
    checkDone(done: Raced): Promise<void>;
  }>,
): Race {
  return race(name, async (shop, count) => {
    const { request, refusal, checkDone } = await parts(shop);
    return {
      requests: Array.from({ length: count }, () => request),
      async check(raced) {
        expect(succeeded(raced)).toHaveLength(1);
        expect(refusalsOf(raced)).toEqual([refusal]);
        await checkDone(succeeded(raced)[0]!);
      },
    };
  });
}

const sandboxes = oneOf('creations of a sandbox with one name', async (shop) => {
  const name = `ci-${shop.next()}`;
  return {
    request: { method: 'POST', path: '/sandboxes', body: { name } },
    refusal: `409 there is a sandbox ${name} already`,
    async checkDone({ body }) {
      const { items } = await shop.good('GET', '/sandboxes');
      expect(items.filter((each: { name: string }) => each.name === name)).toHaveLength(1);
      for (const { api } of shop.servers) {
        const own = { authorization: body.secretKey };
        expect((await api('GET', '/v1/customers', undefined, own)).status).toBe(200);
      }
      await shop.good('DELETE', `/sandboxes/${name}`);
    },
  };
});

const serialNumbers = oneOf('registrations of one serial number', async (shop) => {
  const serialNumber = `TILL-${1000 + shop.next()}`;
  return {
    request: {
      method: 'POST',
      path: '/v1/in-person/terminals',
      body: { serialNumber, locationId: shop.locationId },
    },
    refusal: '409 serialNumber is already registered',
    async checkDone({ body: { id } }) {
      const terminals = await shop.all('/v1/in-person/terminals');
      const found = terminals.filter(({ device }) => device.serialNumber === serialNumber);
      expect(found.map((each) => each.id)).toEqual([id]);
      await shop.good('DELETE', `/v1/in-person/terminals/${id}`);
    },
  };
});

const pairings = race('pairings of one terminal', async (shop, count) => {
  const { id } = await registered(shop, shop.locationId);
  const path = `/pairing/terminals/${id}`;
  return {
    requests: Array.from({ length: count }, () => ({ method: 'POST' as const, path, body: {} })),
    async check(raced) {
      const passwords = raced.map(({ body }) => body.password as string);
      expect(new Set(passwords).size).toBe(count);
      const checks = passwords.map((password) => shop.good('POST', `${path}/check`, { password }));
      const current = (await Promise.all(checks)).filter((each) => each.current);
      expect(current).toHaveLength(1);
      if (shop.database) {
        const sql = 'SELECT pairing_generation AS n FROM terminals WHERE id = ?';
        expect(await shop.database.get(sql, id)).toEqual({ n: count });
      }
      await shop.good('DELETE', `/v1/in-person/terminals/${id}`);
    },
  };
});

function registered(shop: RacingShop, locationId: string) {
  const body = { serialNumber: `TILL-${1000 + shop.next()}`, locationId };
  return shop.good('POST', '/v1/in-person/terminals', body);
}

const subscriptionRules: Rules<'Active' | 'Cancelled', 'cancel' | 'pause'> = (state, what) => {
  if (what === 'cancel')
    return state === 'Active'
      ? { after: 'Cancelled' }
      : { refused: '400 a subscription that is Cancelled cannot be changed' };
  return state === 'Active'
    ? { after: 'Active' }
    : { refused: '400 only an Active or Paused subscription can be paused: this one is Cancelled' };
};

const subscriptions = race<RacedRequest & { wants: 'cancel' | 'pause' }>(
  'cancels of a subscription against pauses',
  async (shop, count) => {
    const paid = await shop.paid({ amount: 1_000 }, undefined, CARD_KEPT);
    const { id } = await shop.good('POST', '/v1/subscriptions', {
      customer: { id: paid.customerId },
      paymentMethod: { id: paid.paymentMethod.tokenizedDetails.id },
      price: MONTHLY,
    });
    const path = `/v1/subscriptions/${id}`;
    const requests = Array.from({ length: count }, (_, nth) =>
      nth % 5 === 0
        ? { method: 'PATCH' as const, path: `${path}/pause`, body: {}, wants: 'pause' as const }
        : { method: 'DELETE' as const, path: `${path}/cancel`, wants: 'cancel' as const },
    );
    return {
      requests,
      async check(raced) {
        const done = succeeded(raced).map(({ request }) => request.wants);
        // What cannot be cancelled twice is cancelled last.
        const order = done.toSorted((one, other) => Number(one === 'cancel') - Number(other === 'cancel'));
        const refused = raced.flatMap(({ request: { wants: request }, refusal }) =>
          refusal === undefined ? [] : [{ request, refusal }],
        );
        expect(replay(subscriptionRules, 'Active', order, refused)).toEqual({ end: 'Cancelled', wrong: [] });
        expect((await shop.good('GET', path)).status).toBe('Cancelled');
        const events = await shop.eventsOf((data) => data.id === id);
        const pauses = order.filter((what) => what === 'pause').map(() => 'Subscription.updated');
        expect(events.map(({ type }) => type)).toEqual([
          'Subscription.created',
          ...pauses,
          'Subscription.cancelled',
        ]);
      },
    };
  },
);

/** A race of deletions of an object against its use. */
function deletion(
  name: string,
  parts: (shop: RacingShop) => Promise<{
    /** As a reply names it. */
    what: string;
    path: string;
    use: (nth: number) => Omit<RacedRequest, 'method'>;
    /** How a deletion is refused while the object is used. */
    inUse: string;
    /** How a use is refused while the object is used. */
    busy?: string;
    checkUses?(uses: readonly Raced[]): Promise<void>;
    cleanUp?(uses: readonly Raced[]): Promise<unknown>;
  }>,
): Race {
  return race(name, async (shop, count) => {
    const { what, path, use, inUse, busy, checkUses, cleanUp } = await parts(shop);
    const requests = Array.from({ length: count }, (_, nth) =>
      nth % 3 === 0 ? { method: 'DELETE' as const, path } : { method: 'POST' as const, ...use(nth) },
    );
    return {
      requests,
      async check(raced) {
        const isDeletion = ({ request }: Raced) => request.method === 'DELETE';
        const deleted = succeeded(raced).filter(isDeletion);
        const uses = succeeded(raced).filter((each) => !isDeletion(each));
        const [refusedDeletions, refusedUses] = [
          refusalsOf(raced.filter(isDeletion)),
          refusalsOf(raced.filter((each) => !isDeletion(each))),
        ];
        expect(deleted.length).toBeLessThanOrEqual(1);
        const isDeleted = deleted.length === 1;
        expect([isDeleted, uses.length > 0]).toEqual([isDeleted, !isDeleted]);
        // Whoever finds it gone comes after the deletion.
        const gone = `404 no such ${what}`;
        const expected = isDeleted ? [gone] : [inUse];
        expect(refusedDeletions.filter((refusal) => !expected.includes(refusal))).toEqual([]);
        const allowed = [busy, ...(isDeleted ? [gone] : [])];
        expect(refusedUses.filter((refusal) => !allowed.includes(refusal))).toEqual([]);
        expect((await shop.call('GET', path)).status).toBe(isDeleted ? 404 : 200);
        await checkUses?.(uses);
        await cleanUp?.(uses);
      },
    };
  });
}

const terminals = deletion('deletions of a terminal against payments at it', async (shop) => {
  const { id } = await registered(shop, shop.locationId);
  const path = `/v1/in-person/terminals/${id}`;
  return {
    what: 'terminal',
    path,
    use: () => ({ path: `${path}/payment`, body: { amounts: { requested: 1_000 }, currency: 'GBP' } }),
    inUse:
      '400 the terminal has an action in progress and cannot be deleted: cancel the action, or wait for it to end',
    busy: '409 the terminal has an action in progress: cancel it, or wait for it to end',
    checkUses: async (uses) => expect(uses.length).toBeLessThanOrEqual(1),
    cleanUp: async (uses) => {
      if (uses.length === 0) return;
      await shop.good('POST', `${path}/cancel-action`);
      await shop.good('DELETE', path);
    },
  };
});

const locations = deletion('deletions of a location against registrations there', async (shop) => {
  const { id } = await shop.good('POST', '/v1/in-person/locations', { name: 'Corner', address: ADDRESS });
  return {
    what: 'location',
    path: `/v1/in-person/locations/${id}`,
    use: (nth) => ({
      path: '/v1/in-person/terminals',
      body: { serialNumber: `AT-${shop.next()}-${nth}`, locationId: id },
    }),
    inUse: '400 the location has a terminal: move or delete the terminal first',
    cleanUp: (uses) =>
      Promise.all(uses.map(({ body }) => shop.good('DELETE', `/v1/in-person/terminals/${body.id}`))),
  };
});

const customers = deletion('deletions of a customer against subscriptions', async (shop) => {
  const email = `subscriber${shop.next()}@corner.example`;
  const paid = await shop.paid({ amount: 1_000, customerEmail: email }, undefined, CARD_KEPT);
  const id = paid.customerId;
  const paymentMethod = { id: paid.paymentMethod.tokenizedDetails.id };
  return {
    what: 'customer',
    path: `/v1/customers/${id}`,
    use: () => ({ path: '/v1/subscriptions', body: { customer: { id }, paymentMethod, price: MONTHLY } }),
    inUse: '400 the customer has a subscription: cancel it first',
    cleanUp: (uses) =>
      Promise.all(uses.map(({ body }) => shop.good('DELETE', `/v1/subscriptions/${body.id}/cancel`))),
  };
});

export const OBJECT_RACES: readonly Race[] = [
  sandboxes,
  serialNumbers,
  pairings,
  subscriptions,
  terminals,
  locations,
  customers,
];
