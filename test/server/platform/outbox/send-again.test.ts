import { expect, test } from 'vitest';
import { sendAgain } from '../../../../server/platform/outbox/send-again.ts';
import { attemptsInLog } from '../../../../server/platform/outbox/attempt-log.ts';
import { startEventServer, type EventServer } from './event-server.ts';

const MINUTE_MS = 60_000;

interface Stored {
  state: string;
  attempts: number;
  attempt_log: string;
  next_ms: number | null;
}

async function storedDelivery({ services }: EventServer) {
  const row = await services.store.get('SELECT state, attempts, attempt_log, next_ms FROM deliveries');
  const { attempt_log: log, attempts, ...rest } = row as unknown as Stored;
  return { ...rest, attempts, log: attemptsInLog(log, attempts) };
}

test('sending again: while an attempt of the schedule is under way, both are counted and the schedule goes on', async () => {
  const server = await startEventServer();
  const { id: webhookId } = await server.register('/hook', ['Customer.created']);
  server.outgoing.answers('/hook', 'hang', 500);
  const eventId = await server.record('Customer.created');
  await server.settled();
  await sendAgain(server.services, { eventId, webhookId });
  server.outgoing.releaseAll();
  await server.settled();
  const { attempts, log, state } = await storedDelivery(server);
  expect([state, attempts]).toEqual(['Pending', 3]);
  expect(
    log.map(({ number, sentAgain, problem, reply }) => [number, sentAgain, problem ?? reply!.status]),
  ).toEqual([
    [1, true, 500],
    [2, false, 'no answer (timed out)'],
    [3, false, 500],
  ]);
  await server.clock.advance(60 * MINUTE_MS);
  expect(await storedDelivery(server)).toMatchObject({ state: 'Failed', attempts: 8, next_ms: null });
});

test('sending again: an acknowledged one ends the schedule', async () => {
  const server = await startEventServer();
  const { id: webhookId } = await server.register('/hook', ['Customer.created']);
  server.outgoing.answers('/hook', 500, 500, 200);
  const eventId = await server.record('Customer.created');
  await server.settled();
  await sendAgain(server.services, { eventId, webhookId });
  await server.clock.advance(60 * MINUTE_MS);
  expect(await storedDelivery(server)).toMatchObject({ state: 'Acknowledged', attempts: 3, next_ms: null });
  expect(server.outgoing.sent).toHaveLength(3);
  expect(await server.services.store.all('SELECT kind FROM jobs')).toEqual([]);
});
