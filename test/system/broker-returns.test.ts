import { expect, test } from 'vitest';
import { delay } from '../../protocol/clock.ts';
import { fraction, seededRandom } from '../../protocol/ids.ts';
import type { Notice, Notices } from '../../server/platform/notices.ts';
import { startMosquitto } from './mosquitto-server.ts';
import { startNatsCluster } from './nats-cluster.ts';
import { serverOnBroker } from './server-on-broker.ts';
import { realTime, waitFor } from './wait-for.ts';

/** Payments of each test: BROKER_PAYMENTS=300 is the full size. */
const PAYMENTS = Number(process.env.BROKER_PAYMENTS ?? 60);
const TERMINALS = Math.min(100, PAYMENTS);
/** How long a broker, or a node of one, is away. */
const AWAY_MS = 4_000;
const PAUSE_MAX_MS = 2_000;

type ActionUpdate = Extract<Notice, { kind: 'action.updated' }>;
type Stack = Awaited<ReturnType<typeof serverOnBroker>>;

/**
 * Takes payments at all terminals, one after the other at each, and takes the broker away once a third of them has
 * ended. Resolves with how they ended.
 */
async function payThroughout(
  { api, startFleet, made }: Stack,
  interrupt: () => Promise<void>,
): Promise<string[]> {
  const { ids } = await startFleet(TERMINALS);
  const outcomes: string[] = [];
  const pauses = seededRandom('pauses between payments');
  const endOf = endsIn(made.services.notices);
  let begun = 0;
  const takePayments = async (id: string) => {
    while (begun < PAYMENTS) {
      // Some start before, some while and some just when the broker returns.
      await delay(realTime, fraction(pauses) * PAUSE_MAX_MS);
      if (begun >= PAYMENTS) return;
      const payment = { amounts: { requested: 10_000 + begun++ }, currency: 'GBP' };
      const { status, body } = await api.post(`/v1/in-person/terminals/${id}/payment`, payment);
      expect(status).toBe(200);
      const { action } = body;
      const ended = await endOf(action.id);
      outcomes.push(ended.detail || ended.status);
    }
  };
  const hasThird = () => outcomes.length >= PAYMENTS / 3;
  const interrupted = waitFor('a third of the payments', hasThird, 60_000).then(interrupt);
  await Promise.all([...ids.map(takePayments), interrupted]);
  return outcomes;
}

/** Returns what waits for the end of an action, by what the server says of it. */
function endsIn(notices: Notices): (actionId: string) => Promise<ActionUpdate> {
  const ended = new Map<string, ActionUpdate>();
  const waiting = new Map<string, (update: ActionUpdate) => void>();
  notices.listen('a test of payments', (notice) => {
    if (notice.kind !== 'action.updated' || notice.status === 'InProgress') return;
    ended.set(notice.actionId, notice);
    waiting.get(notice.actionId)?.(notice);
  });
  return async (actionId) => ended.get(actionId) ?? new Promise((resolve) => waiting.set(actionId, resolve));
}

/** Expects that every payment was taken and ended, and that each succeeded: what did not is shown. */
function expectSuccess(outcomes: readonly string[]): void {
  expect(outcomes.filter((outcome) => outcome !== 'Succeeded')).toEqual([]);
  expect(outcomes).toHaveLength(PAYMENTS);
}

test(`mosquitto: killed for four seconds under ${PAYMENTS} payments, it makes none of them fail`, async () => {
  const stack = await serverOnBroker('mosquitto', startMosquitto);
  const outcomes = await payThroughout(stack, async () => {
    await stack.broker.kill();
    await delay(realTime, AWAY_MS);
    await stack.broker.start();
  });
  expectSuccess(outcomes);
});

test(`nats-server: a node of three, killed for four seconds under ${PAYMENTS} payments, makes none of them fail`, async () => {
  const stack = await serverOnBroker('nats', startNatsCluster);
  const outcomes = await payThroughout(stack, async () => {
    await stack.broker.killNode(0);
    await delay(realTime, AWAY_MS);
    await stack.broker.startNode(0);
  });
  expectSuccess(outcomes);
});
