import { afterEach, beforeEach, expect, test } from 'vitest';
import { traceEntries } from '../../../server/traces/trace-entries.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

const start = () => world.server.services.recordings!.startUnlisted('');

test('traceEntries: shows a request where it arrived, with both bodies, and what was done at the terminal', async () => {
  const till = openTill(world, await world.addTerminal());
  const recording = await start();
  const { id } = await till.takes(1742);
  const entries = traceEntries((await recording.stop()).items);

  const { terminalId } = till.terminal;
  const payment = entries.find(({ title }) => title === 'POST …/payment 200')!;
  const { actionId } = entries.find(({ title }) => title === 'action.start Payment')!;
  expect(payment).toMatchObject({
    lane: 'api',
    kind: 'request',
    terminalId,
    actionId,
    detail: {
      request: { method: 'POST', body: { amounts: { requested: 1742 } } },
      response: { status: 200, body: { id: terminalId } },
    },
  });
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq).toSorted((a, b) => a - b));
  expect(entries.indexOf(payment)).toBe(0);
  expect(entries.find(({ kind }) => kind === 'act')).toMatchObject({
    title: 'present-card visa-contactless',
    terminalId,
  });
  // A request about the session belongs to its action.
  expect(entries.at(-1)).toMatchObject({ title: 'GET /payment-sessions/… 200', actionId, objectId: id });
});

test('traceEntries: a refused request is marked, and one of an online payment belongs to its session', async () => {
  const recording = await start();
  const session = await openCheckout(world.api).session();
  await world.api.post('/v1/payment-sessions', { amount: -1 });
  const entries = traceEntries((await recording.stop()).items).filter(({ kind }) => kind === 'request');
  expect(entries).toMatchObject([
    { title: 'POST /payment-sessions 200', tone: 'plain', objectId: session.id, terminalId: null },
    { title: 'POST /payment-sessions 400', tone: 'warn', objectId: null },
  ]);
});
