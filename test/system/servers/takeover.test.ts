import { afterAll, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';
import { startTwoServers } from './two-servers.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

/** Longer than any deadline of an action. */
const LATER_SECONDS = 1_800;

test('two servers: when one is killed, the other delivers what it had claimed once its lease has passed, and ends its actions at their deadlines', async () => {
  const { first, second, firstId, rows, startTerminals } = await startTwoServers(fixture);
  const [terminalId] = await startTerminals(first, 1, ['--cardholder', 'none']);
  const till = `/v1/in-person/terminals/${terminalId}`;
  const payment = { amounts: { requested: 1742 }, currency: 'GBP' };
  const receiver = await fixture.receiver();
  receiver.reply = () => 'hang';
  const eventTypes = ['Customer.created', 'Customer.updated'];
  await first.api('POST', '/v1/webhooks', { url: receiver.url, active: true, eventTypes });

  const customer = (await first.api('POST', '/v1/customers', { email: 'kim@corner.example' })).body;
  await waitFor('the delivery to be under way', () => receiver.deliveries.length === 1);
  for (const name of ['Kim', 'Kim Diaz'])
    expect((await first.api('PATCH', `/v1/customers/${customer.id}`, { name })).status).toBe(200);
  const claim = async () => {
    const claimed = await rows<{ claimed_by: string; claimed_until_ms: string }>(
      `SELECT claimed_by, claimed_until_ms FROM jobs WHERE kind = 'webhook.deliver' AND claimed_by IS NOT NULL`,
    );
    expect(claimed).toHaveLength(1);
    return { owner: claimed[0]!.claimed_by, untilMs: Number(claimed[0]!.claimed_until_ms) };
  };
  const [killed, left] = (await claim()).owner === firstId ? [first, second] : [second, first];
  expect((await killed.api('POST', `${till}/payment`, payment)).status).toBe(200);
  const actionAt = async () => (await left.api('GET', till)).body.action;
  expect((await actionAt()).status).toBe('InProgress');
  await killed.kill('SIGKILL');
  const { untilMs } = await claim();
  receiver.reply = () => 200;

  await waitFor('the events of the killed server', () => receiver.deliveries.length === 4);
  const events = await rows<{ id: string }>(
    'SELECT id FROM events WHERE object_id = $1 ORDER BY seq',
    customer.id,
  );
  const [created, ...updates] = events.map(({ id }) => id);
  expect(receiver.deliveries.map(({ event }) => event.id)).toEqual([created, created, ...updates]);
  expect(receiver.deliveries[1]!.atMs).toBeGreaterThanOrEqual(untilMs);

  expect((await actionAt()).status).toBe('InProgress');
  expect((await left.api('POST', '/sandbox/clock/advance', { seconds: LATER_SECONDS })).status).toBe(200);
  await waitFor('the action to end at its deadline', async () => (await actionAt()).status === 'Failed');

  // It was paired through a server that is gone.
  const tap = await left.api('POST', `/sandbox/terminals/${terminalId}/cardholder`, { script: 'tap' });
  expect(tap.status).toBe(200);
  expect((await left.api('POST', `${till}/payment`, payment)).status).toBe(200);
  await waitFor('a payment at the other server', async () => (await actionAt()).status === 'Succeeded');
  const captures = await rows(`SELECT 1 FROM payment_transactions WHERE type = 'Capture'`);
  expect(captures).toHaveLength(1);
}, 120_000);
