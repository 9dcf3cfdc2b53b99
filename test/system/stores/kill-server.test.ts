import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../protocol/ids.ts';
import type { Json } from '../kit/http-call.ts';
import { killAt, killPoints, startPayment, titleOf, type KillPoint } from './kill-points.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import { listAll } from '../kit/list-all.ts';
import type { Receiver } from '../kit/receiver.ts';
import { signedBodies } from '../kit/signed-bodies.ts';
import { createAcknowledgedObjects, type AcknowledgedObjects } from './acknowledged-objects.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { createSystemFixture, type SystemFixture } from '../kit/system-fixture.ts';
import { countFrom } from '../../kit/count-from.ts';

/** Another seed is other moments, and more kills take longer: `SEED=two npm run prove:kills`. */
const SEED = process.env['SEED'] ?? 'one';
/** Four have each kind of receipts killed at a webhook and by time. */
const KILLS = countFrom('KILLS', 4);

const EVENT_TYPES = [
  'Terminal.action_updated',
  'PaymentSession.approved',
  'PaymentSession.captured',
  'PaymentSession.declined',
  'PaymentSession.voided',
];

/** A server that is killed repeatedly, its webhook endpoint and acknowledged objects. */
interface Shop {
  tapbench: Tapbench;
  receiver: Receiver;
  webhook: { id: string; secret: string };
  objects: AcknowledgedObjects;
}

async function openShop(fixture: SystemFixture, env: Record<string, string>): Promise<Shop> {
  const tapbench = await fixture.tapbench({ env });
  const receiver = await fixture.receiver();
  const body = { url: receiver.url, active: true, eventTypes: EVENT_TYPES };
  const webhook = (await tapbench.api('POST', '/v1/webhooks', body)).body;
  return { tapbench, receiver, webhook, objects: createAcknowledgedObjects(tapbench) };
}

/** Name and setup of each configuration. */
const SHOPS: [string, (fixture: SystemFixture) => Promise<Shop>][] = [
  ['terminals end with the server', (fixture) => openShop(fixture, {})],
  [
    'the terminal is another process and keeps running',
    async (fixture) => {
      const shop = await openShop(fixture, { SIM_AUTOSTART: 'off' });
      await startAgent(fixture, shop.tapbench);
      return shop;
    },
  ],
  [
    'PostgreSQL, terminals end with the server',
    async (fixture) => {
      const postgres: PostgresServer = await startPostgres();
      fixture.onCleanUp(() => postgres.stop());
      return openShop(fixture, { DATABASE_URL: postgres.url });
    },
  ],
];

async function startAgent(fixture: SystemFixture, tapbench: Tapbench): Promise<void> {
  const env = { SECRET_KEY: tapbench.secretKey, TAPBENCH_URL: tapbench.url, DATA_DIR: fixture.folder() };
  fixture.command(['agent', '--json', '--terminal', tapbench.terminals[0]!.id], { env });
  await terminalOnline(tapbench);
}

const terminalOnline = (tapbench: Tapbench) =>
  waitFor('the terminal to be online', async () => {
    const { body } = await tapbench.api('GET', `/sandbox/terminals/${tapbench.terminals[0]!.id}`);
    return body.online;
  });

describe.each(SHOPS)('killed server: %s', (name, open) => {
  const fixture = createSystemFixture();
  let shop: Shop;
  beforeAll(async () => {
    shop = await open(fixture);
  });
  afterAll(() => fixture.cleanUp());

  const points = killPoints(seededRandom(`${SEED} ${name}`), KILLS);
  // Amounts that end in 901 and above simulate declines and absent cardholders.
  test.each(points.map((point, index) => [titleOf(point), point, 1000 + (index % 90) * 10] as const))(
    'killed server: %s',
    async (_, point, amount) => {
      const { tapbench, receiver, objects } = shop;
      await terminalOnline(tapbench);
      const before = (await readTerminal(tapbench)).action?.id;

      // Prepared before the payment starts: its first webhook may come before the response.
      const dead = killAt(tapbench, receiver, point);
      const writing = objects.create();
      const pos = startPayment(tapbench, amount, point);
      while (tapbench.child.running) await pos.poll();
      await Promise.all([dead, writing]);
      receiver.reply = () => 200;
      await tapbench.restart();

      const action = await endOf(tapbench, point, pos, before);
      if (pos.started) expect(action?.id).toBe(pos.started.action.id);
      await objects.check();
      const events = await allDelivered(shop);
      if (action) await expectEndedOnce(tapbench, action, events, point);
      // A terminal of its own waits longer after each connection that did not last. This one did.
      await terminalOnline(tapbench);
      await advance(tapbench, 10);
    },
  );
});

const readTerminal = async (tapbench: Tapbench): Promise<Json> =>
  (await tapbench.api('GET', `/v1/in-person/terminals/${tapbench.terminals[0]!.id}`)).body;

const advance = (tapbench: Tapbench, seconds: number) =>
  tapbench.api('POST', '/sandbox/clock/advance', { seconds });

/** The action as it ended; undefined when the server died before it had written it down. */
async function endOf(
  tapbench: Tapbench,
  point: KillPoint,
  pos: ReturnType<typeof startPayment>,
  before: string | undefined,
): Promise<Json | undefined> {
  if ((await readTerminal(tapbench)).action?.id === before) return undefined;
  if (point.pointOfSaleContinues) {
    return waitFor('the action to end', async () => {
      const { action } = (await pos.poll()) ?? {};
      return action?.status === 'InProgress' ? undefined : action;
    });
  }
  return waitFor('the action to end by its deadlines', async () => {
    const { action } = await readTerminal(tapbench);
    if (action.status !== 'InProgress') return action;
    await advance(tapbench, 20);
    return undefined;
  });
}

/** All events, once the receiver has acknowledged each of them; time moves on to what is to be tried again. */
async function allDelivered({ tapbench, receiver, webhook }: Shop): Promise<Json[]> {
  const events = await waitFor('every webhook to be delivered', async () => {
    const all = await listAll(tapbench, '/v1/events', '&ascending=true');
    const open = all.filter(({ endpoints }) => endpoints.some((each: Json) => !each.acknowledged));
    if (open.length === 0) return all;
    await advance(tapbench, 60);
    return undefined;
  });
  const bodies = signedBodies(receiver, webhook.secret);
  for (const { id } of events) expect([id, bodies.get(id)?.size]).toEqual([id, 1]);
  return events;
}

/** The money is where the action says it is, and each end was told once. */
async function expectEndedOnce(
  tapbench: Tapbench,
  action: Json,
  events: Json[],
  { pointOfSaleContinues }: KillPoint,
): Promise<void> {
  const sessionId = action.transaction.paymentSessionId;
  const session = (await tapbench.api('GET', `/v1/payment-sessions/${sessionId}`)).body;
  const path = `/v1/payment-sessions/${sessionId}/transactions?ascending=true&limit=50`;
  const items: Json[] = (await tapbench.api('GET', path)).body.items;
  const moved = items.filter(({ status }) => status === 'Succeeded').map(({ type }) => type);

  if (action.status === 'Succeeded') {
    expect([session.status, ...moved]).toEqual(['Captured', 'Authorization', 'Capture']);
  } else {
    expect(pointOfSaleContinues, `it failed: ${JSON.stringify(action.error)}`).toBe(false);
    expect([['PendingPayment'], ['Voided', 'Authorization', 'Void']]).toContainEqual([
      session.status,
      ...moved,
    ]);
  }
  const ends = events.filter(
    ({ data }) => data.action?.id === action.id && data.action.status !== 'InProgress',
  );
  expect(ends.map(({ data }) => data.action.status)).toEqual([action.status]);
  const told = events.filter(({ data }) => data.id === sessionId).map(({ eventType }) => eventType);
  expect(told).toEqual(
    [
      moved.includes('Authorization') && 'PaymentSession.approved',
      moved.includes('Capture') && 'PaymentSession.captured',
      moved.includes('Void') && 'PaymentSession.voided',
    ].filter(Boolean),
  );
}
