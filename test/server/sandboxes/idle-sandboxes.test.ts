import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createReceivers } from '../../../testing/world/receivers.ts';
import { turn, VirtualClock } from '../../../world/virtual-clock.ts';
import { readClockOffset, type SandboxClock } from '../../../server/platform/sandbox-clock.ts';
import { hostingServer } from './hosting-server.ts';

const START_MS = Date.UTC(2026, 0, 5, 9);
const SLEEP_AFTER_MS = 60_000;
const CHECK_MS = 30_000;
const CUSTOMER = { email: 'sam@example.com' };

/** Sandbox time that goes on with real time. */
function clockOn(realClock: VirtualClock, offsetMs: number): SandboxClock {
  return {
    get offsetMs() {
      return offsetMs;
    },
    nowMs: () => realClock.nowMs() + offsetMs,
    at: (atMs, run) => realClock.at(atMs - offsetMs, run),
    setOffset: (next) => void (offsetMs = next),
  };
}

/** A server whose sandboxes sleep after a minute without use. `seen` lists when they were opened and closed, in order. */
async function sleepingServer() {
  const realClock = new VirtualClock(START_MS);
  const seen: [what: string, name: string | undefined, terminals?: unknown][] = [];
  const opened: WeakRef<object>[] = [];
  const receivers = createReceivers();
  const host = await hostingServer({
    realClock,
    sleepAfterMs: SLEEP_AFTER_MS,
    openClock: async (queries) => clockOn(realClock, await readClockOffset(queries)),
    openOutgoing: () => receivers.outgoing,
    async onOpened(services, { terminals, hasSlept }) {
      const name = services.settings.sandbox;
      opened.push(new WeakRef(services));
      seen.push(hasSlept ? ['resumed', name, terminals] : ['opened', name]);
      services.program.onExport(async () => [{ terminalId: 'tml_1', state: `of ${name}` }]);
      return async () => void seen.push(['closed', name]);
    },
  });
  const use = (key: string) => host.call('GET /v1/in-person/terminals', { key });
  const words = () => seen.map(([what]) => what);
  /** Lets time pass until something has happened `count` times. */
  const passUntil = (happened: () => unknown[], count: number) => {
    const pass = async () => {
      if (happened().length < count) await realClock.advance(CHECK_MS);
      return happened().length;
    };
    return expect.poll(pass, { interval: 100, timeout: 10_000 }).toBeGreaterThanOrEqual(count);
  };
  return { host, realClock, receivers, seen, opened, words, passUntil, use };
}

test('idle sandboxes: one that nobody uses is closed, and the next request opens it with its objects', async () => {
  const { host, realClock, seen, passUntil, use } = await sleepingServer();
  const { secretKey } = await host.create({ name: 'ci' });
  await host.call('POST /v1/customers', { key: secretKey, body: CUSTOMER });
  await realClock.advance(SLEEP_AFTER_MS - 1);
  await use(secretKey);
  await realClock.advance(SLEEP_AFTER_MS - 1);
  expect(seen).toEqual([['opened', 'ci']]);
  await passUntil(() => seen, 2);
  await use(secretKey);
  expect((await host.call('GET /v1/customers', { key: secretKey })).body.items).toHaveLength(1);
  expect(seen).toEqual([
    ['opened', 'ci'],
    ['closed', 'ci'],
    ['resumed', 'ci', [{ terminalId: 'tml_1', state: 'of ci' }]],
  ]);
});

test('idle sandboxes: one whose terminals take longer to connect than it may be idle is not closed meanwhile', async () => {
  let began!: () => void;
  const begun = new Promise<void>((resolve) => (began = resolve));
  let connect!: () => void;
  const connected = new Promise<void>((resolve) => (connect = resolve));
  const closed: string[] = [];
  const host = await hostingServer({
    sleepAfterMs: SLEEP_AFTER_MS,
    async onOpened({ settings }) {
      began();
      await connected;
      return async () => void closed.push(settings.sandbox!);
    },
  });
  const { secretKey } = await host.create({ name: 'ci' });
  const asked = host.call('GET /v1/in-person/terminals', { key: secretKey });
  await begun;
  for (let looks = 0; looks < 4; looks += 1) {
    await host.realClock.advance(CHECK_MS);
    for (let turns = 0; turns < 500; turns += 1) await turn();
  }
  connect();
  expect((await asked).status).toBe(200);
  expect(closed).toEqual([]);
});

test('idle sandboxes: one that sleeps leaves nothing of itself in memory', async () => {
  const { host, seen, opened, passUntil, use } = await sleepingServer();
  const { secretKey } = await host.create({ name: 'ci' });
  await use(secretKey);
  await passUntil(() => seen, 2);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const inMemory = () => {
    collectGarbage();
    return opened.map((services) => services.deref() !== undefined);
  };
  await expect.poll(inMemory, { interval: 20, timeout: 10_000 }).toEqual([false]);
});

test('idle sandboxes: where its terminals stood is used once, and not after the end of the process', async () => {
  const { host, seen, words, passUntil, use } = await sleepingServer();
  const { secretKey } = await host.create({ name: 'ci' });
  await use(secretKey);
  await passUntil(() => seen, 2);
  await use(secretKey);
  await host.restart();
  await use(secretKey);
  expect(words()).toEqual(['opened', 'closed', 'resumed', 'closed', 'opened']);
});

test('idle sandboxes: what is due opens one that sleeps, also after a restart', async () => {
  const { host, receivers, words, passUntil } = await sleepingServer();
  const { secretKey } = await host.create({ name: 'ci' });
  const receiver = receivers.open('shop');
  receiver.behaviour = 500;
  const webhook = { url: receiver.url, active: true, eventTypes: ['Customer.created'] };
  await host.call('POST /v1/webhooks', { key: secretKey, body: webhook });
  await host.call('POST /v1/customers', { key: secretKey, body: CUSTOMER });
  // At once twice, then after one minute, five, ten: the third pause is longer than it stays open.
  await passUntil(() => receiver.deliveries, 4);
  expect(words().slice(0, 3)).toEqual(['opened', 'closed', 'resumed']);
  await host.restart();
  receiver.behaviour = 200;
  await passUntil(() => receiver.deliveries, 5);
});

test('idle sandboxes: a page of the dashboard that connects opens one that sleeps', async () => {
  const { host, words, passUntil, use } = await sleepingServer();
  await use((await host.create({ name: 'ci' })).secretKey);
  await passUntil(words, 2);
  const { url } = await host.server.listen({ host: '127.0.0.1', port: 0 });
  const connect = (path: string) => new WebSocket(url.replace('http', 'ws') + path);
  const page = connect('/s/ci/dashboard/live');
  await once(page, 'open');
  expect(words()).toEqual(['opened', 'closed', 'resumed']);
  page.terminate();
  for (const path of ['/s/none/dashboard/live', '/s/ci/v1/customers'])
    await expect(once(connect(path), 'open')).rejects.toThrow('Unexpected server response');
});

test('idle sandboxes: a page that connects to one that cannot be opened is refused', async () => {
  const { host } = await sleepingServer();
  await host.create({ name: 'ci' });
  await host.restart();
  rmSync(join(host.folder, 'sandboxes/ci/store.db'));
  mkdirSync(join(host.folder, 'sandboxes/ci/store.db'));
  const { url } = await host.server.listen({ host: '127.0.0.1', port: 0 });
  const page = new WebSocket(`${url.replace('http', 'ws')}/s/ci/dashboard/live`);
  await expect(once(page, 'open')).rejects.toThrow('Unexpected server response: 503');
});

test('idle sandboxes: the start of a server opens none in which nothing is due', async () => {
  const { host, realClock, seen, use } = await sleepingServer();
  await use((await host.create({ name: 'used' })).secretKey);
  await host.create({ name: 'unused' });
  await host.restart();
  await realClock.advance(SLEEP_AFTER_MS);
  expect(seen).toEqual([
    ['opened', 'used'],
    ['closed', 'used'],
  ]);
});
