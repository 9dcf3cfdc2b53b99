import { expect, test } from 'vitest';
import { delay } from '../../../protocol/clock.ts';
import { fraction, seededRandom } from '../../../protocol/ids.ts';
import type { Activity, Activities } from '../../../server/platform/activities.ts';
import { startMosquitto } from './mosquitto-server.ts';
import { startNatsCluster } from './nats-cluster.ts';
import { serverOnBroker } from './server-on-broker.ts';
import { realTime, waitFor } from '../kit/wait-for.ts';
import { countFrom } from '../../kit/count-from.ts';

/** Payments of each test: BROKER_PAYMENTS=300 is the full size. */
const PAYMENTS = countFrom('BROKER_PAYMENTS', 60);
const TERMINALS = Math.min(100, PAYMENTS);
/** How long a broker, or a node of one, is away. */
const AWAY_MS = 4_000;
const PAUSE_MAX_MS = 2_000;

type ActionUpdate = Extract<Activity, { kind: 'action.updated' }>;
type Stack = Awaited<ReturnType<typeof serverOnBroker>>;

/** How a payment ended, and how long its terminal had no connection meanwhile. */
interface Payment {
  outcome: string;
  awayMs: number;
}

/**
 * Takes payments at all terminals, one after the other at each, and takes the broker away once a third of them has
 * ended.
 */
async function payThroughout(
  { api, startFleet, made }: Stack,
  interrupt: () => Promise<void>,
): Promise<Payment[]> {
  const { ids, awayMs } = await startFleet(TERMINALS);
  const payments: Payment[] = [];
  const pauses = seededRandom('pauses between payments');
  const endOf = endsIn(made.services.activities);
  let begun = 0;
  const takePayments = async (id: string) => {
    while (begun < PAYMENTS) {
      // Some start before, some while and some just when the broker returns.
      await delay(realTime, fraction(pauses) * PAUSE_MAX_MS);
      if (begun >= PAYMENTS) return;
      const sinceMs = realTime.nowMs();
      const payment = { amounts: { requested: 10_000 + begun++ }, currency: 'GBP' };
      const { status, body } = await api.post(`/v1/in-person/terminals/${id}/payment`, payment);
      expect(status).toBe(200);
      const { action } = body;
      const ended = await endOf(action.id);
      payments.push({ outcome: ended.detail || ended.status, awayMs: awayMs(id, sinceMs) });
    }
  };
  const hasThird = () => payments.length >= PAYMENTS / 3;
  const interrupted = waitFor('a third of the payments', hasThird, 60_000).then(interrupt);
  await Promise.all([...ids.map(takePayments), interrupted]);
  return payments;
}

/** Returns what waits for the end of an action, by what the server says of it. */
function endsIn(activities: Activities): (actionId: string) => Promise<ActionUpdate> {
  const ended = new Map<string, ActionUpdate>();
  const waiting = new Map<string, (update: ActionUpdate) => void>();
  activities.listen('a test of payments', (activity) => {
    if (activity.kind !== 'action.updated' || activity.status === 'InProgress') return;
    ended.set(activity.actionId, activity);
    waiting.get(activity.actionId)?.(activity);
  });
  return async (actionId) => ended.get(actionId) ?? new Promise((resolve) => waiting.set(actionId, resolve));
}

const failed = (payments: readonly Payment[]) => payments.filter(({ outcome }) => outcome !== 'Succeeded');

test(`mosquitto: killed for four seconds under ${PAYMENTS} payments, it makes none of them fail`, async () => {
  const stack = await serverOnBroker('mosquitto', startMosquitto);
  const payments = await payThroughout(stack, async () => {
    await stack.broker.kill();
    await delay(realTime, AWAY_MS);
    await stack.broker.start();
  });
  expect(failed(payments)).toEqual([]);
  expect(payments).toHaveLength(PAYMENTS);
});

/**
 * nats-server 2.9.10 refuses some clients for up to 25 s after the loss of a node: it cannot store their session, since it has
 * still the one of before. Such a terminal cannot finish a payment in its 10 s or 30 s.
 */
const KEPT_OUT_MS = 10_000;

test(`nats-server: a node of three, killed for four seconds under ${PAYMENTS} payments, makes none fail whose terminal is let in again`, async () => {
  const stack = await serverOnBroker('nats', startNatsCluster);
  const payments = await payThroughout(stack, async () => {
    await stack.broker.killNode(0);
    await delay(realTime, AWAY_MS);
    await stack.broker.startNode(0);
  });
  expect(failed(payments).filter(({ awayMs }) => awayMs < KEPT_OUT_MS)).toEqual([]);
  expect(payments).toHaveLength(PAYMENTS);
  expect(failed(payments).length).toBeLessThan(PAYMENTS / 10);
});
