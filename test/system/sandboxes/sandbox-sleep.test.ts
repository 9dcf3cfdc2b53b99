import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Json } from '../kit/http-call.ts';
import { openSandboxClient, type SandboxClient } from './sandbox-client.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

// A job that is due within ten seconds keeps a sandbox open: until then a slow machine has time to close it.
const DUE_SECONDS = 30;
const RETRY_SECONDS = 60;

/** Starts a server whose sandboxes sleep after a second without use, and a client with a sandbox and its payments. */
async function sleepingServer() {
  const env = { SANDBOX_SLEEP_AFTER: '1', LOG_LEVEL: 'debug', LOG_FORMAT: 'json' };
  const tapbench = await fixture.tapbench({ env });
  const client = await openSandboxClient(tapbench, await fixture.receiver(), 1);
  return { tapbench, client };
}

/** Returns how often the server has opened a sandbox, or closed it for lack of use. */
function countOf({ child }: Tapbench, what: string, name: string): number {
  const lines = child.stderr.split('\n').filter((line) => line.includes(what));
  return lines.filter((line) => line.includes(`"sandbox":"${name}"`)).length;
}

const opens = (tapbench: Tapbench, name: string) => countOf(tapbench, 'a sandbox was opened', name);
const sleeps = (tapbench: Tapbench, name: string) => countOf(tapbench, 'an idle sandbox was closed', name);
const isAwake = (tapbench: Tapbench, name: string) => opens(tapbench, name) > sleeps(tapbench, name);

async function untilAsleep(tapbench: Tapbench, name: string): Promise<void> {
  await waitFor(`the sandbox ${name} to sleep`, () => !isAwake(tapbench, name), 40_000);
}

/** Waits until a sandbox that is opened now sleeps: other idle ones sleep before. */
async function untilAnotherSleeps(tapbench: Tapbench): Promise<void> {
  const other = (await tapbench.api('POST', '/sandboxes', { name: 'other' })).body;
  await tapbench.api('GET', '/v1/customers', undefined, { authorization: other.secretKey });
  await waitFor('the sandbox other to be opened', () => opens(tapbench, 'other') > 0);
  await untilAsleep(tapbench, 'other');
}

/** Returns the payments and events of a client, without those that came after. */
async function recordOf({ api }: SandboxClient): Promise<Json> {
  const lists = ['/v1/payment-sessions', '/v1/events', '/v1/customers', '/v1/webhooks'];
  return Promise.all(lists.map(async (path) => (await api('GET', path)).body.items));
}

async function isOnline({ api, sandbox }: SandboxClient): Promise<boolean> {
  const { items } = (await api('GET', '/sandbox/terminals')).body;
  return items.find(({ id }: Json) => id === sandbox.terminals[0].id).online === true;
}

test(
  'sandbox that sleeps: the next request wakes it, with its payments, events and terminal',
  { timeout: 60_000 },
  async () => {
    const { tapbench, client } = await sleepingServer();
    const before = await recordOf(client);
    await untilAsleep(tapbench, 'client-1');
    const opened = opens(tapbench, 'client-1');
    expect(await recordOf(client)).toEqual(before);
    await waitFor('the log to tell of it', () => opens(tapbench, 'client-1') > opened);
    expect(opens(tapbench, 'client-1')).toBe(opened + 1);
    await waitFor('its terminal to be online', () => isOnline(client));

    const path = `/v1/in-person/terminals/${client.ids['terminals']}`;
    const body = { amounts: { requested: 1742 }, currency: 'GBP' };
    expect((await client.api('POST', `${path}/payment`, body)).status).toBe(200);
    await waitFor(
      'the payment',
      async () => (await client.api('GET', path)).body.action.status === 'Succeeded',
    );
  },
);

test('sandbox that sleeps: a webhook that is due wakes it', { timeout: 90_000 }, async () => {
  const { tapbench, client } = await sleepingServer();
  const { receiver, api } = client;
  const isCreation = ({ event }: Json) => event.data.email === 'sam@example.com';
  const attempts = () => receiver.deliveries.filter(isCreation).length;
  receiver.reply = (delivery) => (isCreation(delivery) && attempts() < 3 ? 500 : 200);
  await api('POST', '/v1/customers', { email: 'sam@example.com' });
  await waitFor('the first two attempts', () => attempts() === 2);
  await api('POST', '/sandbox/clock/advance', { seconds: RETRY_SECONDS - DUE_SECONDS });
  await untilAsleep(tapbench, 'client-1');
  expect(attempts()).toBe(2);
  await waitFor('the third attempt', () => attempts() === 3, 40_000);
});

test(
  'sandbox that sleeps: a terminal of another program that connects wakes it, and keeps it awake',
  { timeout: 90_000 },
  async () => {
    const { tapbench, client } = await sleepingServer();
    const file = join(fixture.folder(), 'credentials.json');
    const given = ['--url', tapbench.url, '--sandbox', 'client-1', '--data-dir', tapbench.dataDir!];
    await fixture.run(['terminals', 'add', '--serial', '1853000042', ...given]);
    const paired = await fixture.run(['pair', '1853000042', '--out', file, ...given]);
    expect(paired.code).toBe(0);
    await untilAsleep(tapbench, 'client-1');

    const agent = fixture.command([
      'agent',
      '--credentials',
      file,
      '--url',
      tapbench.url,
      '--data-dir',
      fixture.folder(),
    ]);
    await waitFor('the sandbox to wake', () => isAwake(tapbench, 'client-1'));
    await untilAnotherSleeps(tapbench);
    expect(isAwake(tapbench, 'client-1')).toBe(true);
    const { username } = JSON.parse(readFileSync(file, 'utf8'));
    const path = `/sandbox/terminals/${username.split('@')[0]}`;
    await waitFor('it to be online', async () => (await client.api('GET', path)).body.online === true);
    await agent.kill();
    await untilAsleep(tapbench, 'client-1');
  },
);

test(
  'sandbox that sleeps: a page of its dashboard wakes it, and keeps it awake while it is open',
  { timeout: 90_000 },
  async () => {
    const { tapbench, client } = await sleepingServer();
    await untilAsleep(tapbench, 'client-1');
    const { url, dashboardUrl } = client.sandbox;
    const token = new URL(dashboardUrl).hash.replace('#token=', '');
    const page = new WebSocket(`${url.replace('http', 'ws')}/dashboard/live`);
    const [hello] = await Promise.all([
      once(page, 'message'),
      once(page, 'open').then(() => page.send(JSON.stringify({ type: 'session', token }))),
    ]);
    expect(JSON.parse(String(hello[0]))).toMatchObject({
      type: 'hello',
      terminals: [{ id: client.ids['terminals'] }],
    });

    await untilAnotherSleeps(tapbench);
    expect([page.readyState, isAwake(tapbench, 'client-1')]).toEqual([WebSocket.OPEN, true]);
    page.close();
    await untilAsleep(tapbench, 'client-1');
  },
);
