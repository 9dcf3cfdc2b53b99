import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '../stores/postgres-server.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await fixture.cleanUp();
  await postgres.stop();
});

/** Calls a sandbox with its key. */
function callerOf(tapbench: Tapbench, key: string) {
  return async (method: string, path: string, body?: unknown) =>
    (await tapbench.api(method, path, body, { authorization: key })).body;
}

async function command(tapbench: Tapbench, ...args: string[]) {
  const env = { TAPBENCH_URL: tapbench.url, SECRET_KEY: tapbench.secretKey };
  const { code, stdout, stderr } = await fixture.run(['sandbox', ...args, '--json'], { env });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

const LISTS = [
  '/v1/customers',
  '/v1/payment-sessions',
  '/v1/events',
  '/v1/in-person/terminals',
  '/v1/in-person/locations',
  '/v1/balance-transactions',
];

/** Everything of a sandbox that a client sees. Whether a terminal is online depends on the moment. */
async function shown(call: ReturnType<typeof callerOf>) {
  const lists = await Promise.all(LISTS.map(async (path) => [path, await call('GET', `${path}?limit=50`)]));
  const text = JSON.stringify([...lists, await call('GET', '/v1/webhooks')]);
  return JSON.parse(text.replaceAll(/"(?:online|status)":(?:true|false|"O(?:n|ff)line")/g, '"seen":0'));
}

test('snapshots: a payment at the PIN goes from SQLite to PostgreSQL and back, and is approved there', async () => {
  const laptop = await fixture.tapbench();
  const shared = await fixture.tapbench({ env: { DATABASE_URL: await postgres.freshDatabase() } });
  const receiver = await fixture.receiver();
  const terminal = laptop.terminals[0]!.id;
  const source = callerOf(laptop, laptop.secretKey);
  await source('POST', '/v1/webhooks', {
    url: receiver.url,
    active: true,
    eventTypes: ['Customer.created', 'PaymentSession.captured'],
  });
  await source('POST', '/v1/customers', { email: 'sam@example.com', firstName: 'Zoë "Z" \\ Ünal' });
  await waitFor('the webhook arrives', () => receiver.deliveries.length === 1);
  await source('POST', '/sandbox/clock/advance', { seconds: 864_000 });
  const perform = (call: ReturnType<typeof callerOf>, act: string, body: unknown) =>
    call('POST', `/sandbox/terminals/${terminal}/${act}`, body);
  const stateOf = async (call: ReturnType<typeof callerOf>) => call('GET', `/sandbox/terminals/${terminal}`);
  await perform(source, 'cardholder', { script: 'none' });
  const payment = { amounts: { requested: 1742 }, currency: 'GBP' };
  await source('POST', `/v1/in-person/terminals/${terminal}/payment`, payment);
  await waitFor('it asks for a card', async () => (await stateOf(source)).state === 'awaitingCard');
  await perform(source, 'present-card', { card: 'visa-contact-pin' });
  await waitFor('it asks for the PIN', async () => (await stateOf(source)).state === 'awaitingPin');
  await perform(source, 'press-keys', { keys: ['1', '2'] });

  const folder = fixture.folder();
  const before = await shown(source);
  const time = (await source('GET', '/sandbox/clock')).nowTimestamp;
  await command(laptop, 'save', 'default', join(folder, 'one'));
  const copy = await command(shared, 'restore', join(folder, 'one'), 'copy');
  const onPostgres = callerOf(shared, copy.secretKey);
  expect(await shown(onPostgres)).toEqual(before);
  await command(shared, 'save', 'copy', join(folder, 'two'));
  const back = await command(laptop, 'restore', join(folder, 'two'), 'back');
  const restored = callerOf(laptop, back.secretKey);
  expect(await shown(restored)).toEqual(before);
  const later = (await restored('GET', '/sandbox/clock')).nowTimestamp - time;
  expect(later >= 0 && later < 60).toBe(true);

  for (const call of [restored, onPostgres]) {
    await waitFor('its terminal is online', async () => (await stateOf(call)).online === true);
    await perform(call, 'press-keys', { keys: ['3', '4', 'enter'] });
    const captured = async () => (await call('GET', '/v1/payment-sessions')).items[0].status === 'Captured';
    await waitFor('the payment is captured', captured);
  }
  await waitFor('both send the webhook', () => receiver.deliveries.length === 3);
  expect((await source('GET', '/v1/payment-sessions')).items[0].status).toBe('PendingPayment');
});
