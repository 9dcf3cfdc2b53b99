import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { codeBlock } from '../kit/documented-code.ts';
import { startPostgres } from './postgres-server.ts';
import type { Receiver } from '../kit/receiver.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { portOf, type Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

/** Runs the only block of docs/deploying.md that contains a text. */
async function runDocumented(text: string, cwd: string, env: Record<string, string>): Promise<void> {
  const commands = codeBlock('deploying.md', 'sh', text);
  const { code, stderr } = await fixture.program('sh', ['-e', '-c', commands], { cwd, env }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

interface Payment {
  id: string;
  session: string;
}

/** A point of sale whose cardholder presents a card when a test calls `tap`. */
async function openTill(tapbench: Tapbench) {
  const terminal = tapbench.terminals[0]!.id;
  const seen = async () => (await tapbench.api('GET', `/sandbox/terminals/${terminal}`)).body;
  const act = async (name: string, body: object) => {
    const { status } = await tapbench.api('POST', `/sandbox/terminals/${terminal}/${name}`, body);
    expect(status).toBe(200);
  };
  const isOnline = () => waitFor('the terminal to be online', async () => (await seen()).online);
  const ends = async ({ id }: Payment) => {
    const action = await waitFor(`action ${id} to end`, async () => {
      const { body } = await tapbench.api('GET', `/v1/in-person/terminals/${terminal}`);
      return body.action.id === id && body.action.status !== 'InProgress' && body.action;
    });
    return { status: action.status as string, error: action.error?.code as string | undefined };
  };
  await isOnline();
  await act('cardholder', { script: 'none' });
  return {
    isOnline,
    ends,
    async start(amount: number): Promise<Payment> {
      const body = { amounts: { requested: amount }, currency: 'GBP' };
      const path = `/v1/in-person/terminals/${terminal}/payment`;
      const { action } = (await tapbench.api('POST', path, body)).body;
      await waitFor('the terminal to wait for a card', async () => (await seen()).state === 'awaitingCard');
      return { id: action.id, session: action.transaction.paymentSessionId };
    },
    async tap(payment: Payment) {
      expect((await seen()).action).toMatchObject({ id: payment.id, status: 'InProgress' });
      await act('present-card', { card: 'visa-contactless' });
      expect(await ends(payment)).toEqual({ status: 'Succeeded', error: undefined });
    },
  };
}

async function receiveCaptured(tapbench: Tapbench): Promise<Receiver> {
  const receiver = await fixture.receiver();
  const body = { url: receiver.url, active: true, eventTypes: ['PaymentSession.captured'] };
  expect((await tapbench.api('POST', '/v1/webhooks', body)).status).toBe(200);
  return receiver;
}

/** Waits until this number of deliveries about a payment has arrived, and returns the ids of their events. */
const eventsOf = (receiver: Receiver, { session }: Payment, count: number): Promise<string[]> =>
  waitFor(`${count} deliveries`, () => {
    const about = receiver.deliveries.filter(({ event }) => event.data.id === session);
    return about.length >= count ? about.map(({ event }) => event.id as string) : undefined;
  });

const statusOf = async (tapbench: Tapbench, { session }: Payment): Promise<string> =>
  (await tapbench.api('GET', `/v1/payment-sessions/${session}`)).body.status;

/** Creates a sandbox with a customer, and returns what compares the customer with what the sandbox has. */
async function fillSandbox(tapbench: Tapbench): Promise<() => Promise<void>> {
  const { secretKey: authorization } = (await tapbench.api('POST', '/sandboxes', { name: 'ci' })).body;
  const { body: customer } = await tapbench.api(
    'POST',
    '/v1/customers',
    { email: 'sam@example.com' },
    { authorization },
  );
  return async () => {
    const { body } = await tapbench.api('GET', `/v1/customers/${customer.id}`, undefined, { authorization });
    expect(body).toEqual(customer);
  };
}

test('restore on SQLite: a payment continues where the backup of the running server found it, and a webhook is delivered again', async () => {
  const folder = fixture.folder();
  const env = { DATA_DIR: join(folder, 'data') };
  const tapbench = await fixture.tapbench({ dataDir: env.DATA_DIR });
  const till = await openTill(tapbench);
  const receiver = await receiveCaptured(tapbench);
  const checkSandbox = await fillSandbox(tapbench);
  const deliverLater = () => tapbench.api('POST', '/sandbox/clock/advance', { seconds: 3600 });

  receiver.reply = () => 500;
  const paid = await till.start(1742);
  await till.tap(paid);
  await eventsOf(receiver, paid, 1);
  const waiting = await till.start(2599);
  await runDocumented('.backup', folder, env);

  receiver.reply = () => 200;
  await till.tap(waiting);
  await deliverLater();
  const [event, again] = await eventsOf(receiver, paid, 2);
  expect(again).toBe(event);
  const [lost] = await eventsOf(receiver, waiting, 1);
  await tapbench.kill();
  await runDocumented('replaced', folder, env);
  await tapbench.restart();

  await till.isOnline();
  await checkSandbox();
  await till.tap(waiting);
  expect(await statusOf(tapbench, waiting)).toBe('Captured');
  await deliverLater();
  expect((await eventsOf(receiver, paid, 3)).at(-1)).toBe(event);
  expect((await eventsOf(receiver, waiting, 2)).at(-1)).not.toBe(lost);
});

test('restore on PostgreSQL: a payment that a terminal still takes continues; one that ended after the backup fails', async () => {
  const postgres = await startPostgres();
  fixture.onCleanUp(() => postgres.stop());
  const folder = fixture.folder();
  const options = { SIM_AUTOSTART: 'off', DATABASE_URL: postgres.url };
  const first = await fixture.tapbench({ env: options });
  const ports = { PORT: portOf(first.url), MQTT_PORT: portOf(first.mqttUrl) };
  const keys = join(first.dataDir!, 'keys.json');
  /** Starts a server that has of the first one the backup, its keys and its address. */
  const restore = async () => {
    const DATABASE_URL = await postgres.freshDatabase();
    await runDocumented('pg_restore', folder, { DATABASE_URL });
    const dataDir = fixture.folder();
    copyFileSync(keys, join(dataDir, 'keys.json'));
    return fixture.tapbench({ dataDir, env: { ...options, ...ports, DATABASE_URL } });
  };
  // A process of its own, so its journal is not in the backup.
  const env = { SECRET_KEY: first.secretKey, TAPBENCH_URL: first.url, DATA_DIR: fixture.folder() };
  fixture.command(['agent', '--json', '--terminal', first.terminals[0]!.id], { env });
  const till = await openTill(first);
  const receiver = await receiveCaptured(first);
  const checkSandbox = await fillSandbox(first);
  const waiting = await till.start(2599);
  await runDocumented('pg_dump', folder, { DATABASE_URL: postgres.url });
  await first.kill();

  const second = await restore();
  await till.isOnline();
  await checkSandbox();
  await till.tap(waiting);
  await eventsOf(receiver, waiting, 1);
  expect(await statusOf(second, waiting)).toBe('Captured');
  await second.kill();

  const third = await restore();
  expect(await till.ends(waiting)).toEqual({ status: 'Failed', error: 'unexpected_error' });
  expect(await statusOf(third, waiting)).toBe('PendingPayment');
});
