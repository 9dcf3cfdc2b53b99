import { afterEach, beforeEach, expect, test } from 'vitest';
import { fraction, seededRandom } from '../../protocol/ids.ts';
import { successOf } from '../../testing/world/api.ts';
import type { Receiver } from '../../testing/world/receivers.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { allItems } from './all-items.ts';
import { followRules, type LabFault, type Seen } from './webhook-lab-rules.ts';
import { countFrom } from '../kit/count-from.ts';

// A thousand by WEBHOOK_LAB_EVENTS=1000 npx vitest run test/journeys/webhook-lab.test.ts; WEBHOOK_LAB_SEED is another run.
const EVENTS = countFrom('WEBHOOK_LAB_EVENTS', 60);
const SEED = process.env['WEBHOOK_LAB_SEED'] ?? 'one';
const GAP_MS = 1_500;
const TIMEOUT_MS = 10_000;

const FAULTS: readonly LabFault[] = [
  { what: 'twice', percent: 10 },
  { what: 'twice-at-once', percent: 30 },
  { what: 'out-of-order', percent: 10, delayMs: 120_000 },
];

let world: World;
beforeEach(async () => {
  world = await startWorld({ seed: SEED });
});
afterEach(() => world.close());

/** Lets an endpoint fail 30 %, hang 10 %, and accept what it has accepted before. Returns what is seen of its deliveries. */
function makeUnreliable(endpoint: Receiver): Seen[] {
  const random = seededRandom(`${SEED} replies`);
  const seen: Seen[] = [];
  const accepted = new Set<string>();
  endpoint.behaviour = ({ event }) => {
    const objectId = event.data.id;
    const chance = accepted.has(objectId) ? 1 : fraction(random);
    const beganMs = world.clock.nowMs();
    const hangs = chance < 0.1;
    const isAccepted = chance >= 0.4;
    if (isAccepted) accepted.add(objectId);
    seen.push({
      kind: 'arrived',
      objectId,
      beganMs,
      endedMs: beganMs + (hangs ? TIMEOUT_MS : 0),
      isAccepted,
    });
    return hangs ? 'hang' : isAccepted ? 200 : 500;
  };
  world.server.services.activities.listen('test', (activity) => {
    if (activity.kind !== 'fault.struck') return;
    const objectId = activity.ids.find((id) => id.startsWith('cus_'))!;
    seen.push({ kind: 'struck', objectId, atMs: world.clock.nowMs(), what: activity.what });
  });
  return seen;
}

/** Sees the attempts of an endpoint that faults may strike, in the order in which they are counted. */
function watchAttempts(endpointId: string, seen: Seen[]): void {
  const faults = world.server.services.faults!;
  const { strike } = faults;
  faults.strike = (occurrence, requestId) => {
    if (occurrence.ids.includes(endpointId))
      seen.push({ kind: 'begun', objectId: occurrence.ids.find((id) => id.startsWith('cus_'))! });
    return strike(occurrence, requestId);
  };
}

/** Creates customers at odd moments, some of them at once, and returns when each was. */
async function createCustomers(): Promise<Map<string, number>> {
  const random = seededRandom(`${SEED} moments`);
  const recorded = new Map<string, number>();
  for (let index = 0; index < EVENTS; index += 1) {
    if (fraction(random) < 0.8) await world.advance({ ms: Math.floor(fraction(random) * GAP_MS) });
    const email = `customer-${index}@corner.example`;
    const { id } = successOf(await world.api.post('/v1/customers', { email }), 'POST /v1/customers');
    recorded.set(id, world.clock.nowMs());
  }
  return recorded;
}

interface ListedDelivery {
  webhookId: string;
  eventId: string;
  objectId: string;
  status: string;
  attempts: number;
}

/** Delivers an event again until its endpoint accepts it. Returns whether it did. */
async function deliverAgain({ eventId }: ListedDelivery): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    await world.api.post(`/sandbox/events/${eventId}/deliver`);
    await world.advance({ minutes: 3 });
    const { items } = (await world.api.get(`/sandbox/deliveries?event=${eventId}&status=Failed`)).body;
    if (items.length === 0) return true;
  }
  return false;
}

test('webhook lab: an endpoint that fails and hangs gets each event, at exact times, and what struck is what the plan says', async () => {
  const lab = await world.listen('lab', ['Customer.created']);
  const calm = await world.listen('calm', ['Customer.created']);
  const seen = makeUnreliable(lab);
  const endpoints = (await world.api.get('/v1/webhooks')).body.items;
  const { id: labId } = endpoints.find(({ url }: Receiver) => url === lab.url);
  watchAttempts(labId, seen);
  const faults = FAULTS.map(({ what, percent, ...rest }) => {
    return { at: 'webhook.attempt', what, when: { id: labId, percent, times: 10_000 }, ...rest };
  });
  const plan = successOf(
    await world.api.post('/sandbox/faults', { faults, seed: SEED }),
    'POST /sandbox/faults',
  );

  const recorded = await createCustomers();
  // The last attempt is 36 minutes after the first, and each may hang or be put off.
  await world.advance({ minutes: 60 });

  const { strikes, problems, events } = followRules(recorded, seen, { seed: SEED, faults: FAULTS });
  expect(problems).toEqual([]);
  expect(new Set(strikes.map(({ what }) => what)).size).toBe(FAULTS.length);

  const all = await allItems<ListedDelivery>(world.api, '/sandbox/deliveries');
  const deliveries = new Map(
    all.filter(({ webhookId }) => webhookId === labId).map((one) => [one.objectId, one]),
  );
  const { struck, strikes: listed } = (await world.api.get(`/sandbox/faults/${plan.id}`)).body;
  expect(struck).toBe(strikes.length);
  expect(listed).toEqual(
    strikes.map(({ objectId, atMs, ...strike }, index) => ({
      ...strike,
      number: index + 1,
      timestamp: Math.floor(atMs / 1000),
      subject: 'Customer.created',
      ids: [labId, deliveries.get(objectId)!.eventId, objectId],
    })),
  );

  for (const { objectId, arrivals, isAccepted } of events) {
    expect(arrivals).toBeGreaterThan(0);
    const status = isAccepted ? 'Delivered' : 'Failed';
    expect(deliveries.get(objectId)).toMatchObject({ status, attempts: arrivals });
    if (!isAccepted) expect(await deliverAgain(deliveries.get(objectId)!)).toBe(true);
  }
  expect(lab.signedWith(lab.secret)).toBe(true);

  // The other endpoint gets each event once, at once and in order.
  expect(calm.deliveries.map(({ event }) => event.data.id).slice(0, EVENTS)).toEqual([...recorded.keys()]);
}, 600_000);
