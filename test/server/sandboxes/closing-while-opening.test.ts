import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { silentLog } from '../../../protocol/log.ts';
import { Refusal } from '../../../server/platform/http/refusals.ts';
import { createFolderStorage } from '../../../server/sandboxes/folder-storage.ts';
import { hostingServer } from './hosting-server.ts';

const STOPPING = 'the server is shutting down: retry later';

/** A server with the sandbox `ci`, whose terminals never connect: its opening ends when it is closed. */
async function serverWithoutTerminals() {
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended: string[] = [];
  const host = await hostingServer({
    async onOpened({ settings }, { ending }) {
      begin();
      if (!ending.aborted) await once(ending, 'abort');
      return async () => void ended.push(settings.sandbox!);
    },
  });
  const { secretKey: key } = await host.create({ name: 'ci' });
  return { host, key, begun, ended };
}

test('a sandbox that is opened: a server that stops refuses the request that waits for its terminals, and ends them', async () => {
  const { host, key, begun, ended } = await serverWithoutTerminals();
  const asked = host.call('GET /v1/in-person/terminals', { key });
  await begun;
  await host.restart();
  expect([await asked, ended]).toMatchObject([
    { status: 503, body: { errors: [{ message: STOPPING }] } },
    ['ci'],
  ]);
});

test('a sandbox that is opened: a server that stops refuses the page that waits for its terminals', async () => {
  const { host, begun } = await serverWithoutTerminals();
  await host.restart();
  const { url } = await host.server.listen({ host: '127.0.0.1', port: 0 });
  const page = new WebSocket(`${url.replace('http', 'ws')}/s/ci/dashboard/live`);
  const refused = once(page, 'unexpected-response');
  await begun;
  await host.restart();
  const [, { statusCode }] = (await refused) as [unknown, { statusCode: number }];
  expect(statusCode).toBe(503);
});

test('a sandbox that is opened: a server that stops makes no fork without its terminals', async () => {
  const { host, begun } = await serverWithoutTerminals();
  const asked = host.call('POST /sandboxes', { body: { name: 'fork', from: 'ci' } });
  await begun;
  await host.restart();
  expect(await asked).toMatchObject({ status: 503 });
  const { body } = await host.call('GET /sandboxes');
  expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['default', 'ci']);
});

test('a sandbox that is opened: its deletion waits for no terminal, and its key is unknown to the request that waits', async () => {
  const { host, key, begun, ended } = await serverWithoutTerminals();
  const asked = host.call('GET /v1/in-person/terminals', { key });
  await begun;
  expect((await host.call('DELETE /sandboxes/ci')).status).toBe(200);
  expect([(await asked).status, ended]).toEqual([403, ['ci']]);
});

test('a sandbox that is opened: a server that stops while its store is opened waits for no terminal', async () => {
  let begin!: () => void;
  let release!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  let openings = 0;
  const stored = createFolderStorage({
    folder: mkdtempSync(join(tmpdir(), 'tapbench-closing-')),
    ephemeral: true,
    log: silentLog,
  });
  const { server, create, call } = await hostingServer({
    storage: {
      ...stored,
      async open(record) {
        openings += 1;
        if (openings === 1) throw new Error('not now');
        begin();
        await released;
        return stored.open(record);
      },
    },
    async onOpened(_services, { ending }) {
      if (!ending.aborted) await once(ending, 'abort');
      return async () => {};
    },
  });
  const { secretKey: key } = await create();
  const asked = call('GET /v1/in-person/terminals', { key });
  await begun;
  const stopped = server.stop();
  release();
  await stopped;
  expect((await asked).status).toBe(503);
});

test('a sandbox that was closed: what still comes in does not open it again', async () => {
  const opened: string[] = [];
  const host = await hostingServer({
    async onOpened({ settings }) {
      opened.push(settings.sandbox!);
      return async () => {};
    },
  });
  const { secretKey: key } = await host.create({ name: 'ci' });
  await host.call('GET /v1/in-person/terminals', { key });
  const { sandboxes } = host.server.services;
  await host.server.stop();
  await expect(sandboxes!.create({ from: 'ci' })).rejects.toThrow(Refusal);
  expect(opened).toEqual(['ci']);
});

test('a sandbox that is created while the server stops: it is there, and is not opened', async () => {
  let begin!: () => void;
  let release!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-closing-'));
  const stored = createFolderStorage({ folder, ephemeral: true, log: silentLog });
  const openings: string[] = [];
  const { server, call } = await hostingServer({
    storage: {
      ...stored,
      async create(record, origin) {
        begin();
        await released;
        await stored.create(record, origin);
      },
      async open(record) {
        openings.push(record.name);
        return stored.open(record);
      },
    },
  });
  const { sandboxes } = server.services;
  const asked = call('POST /sandboxes', { body: { name: 'ci' } });
  await begun;
  const stopped = server.stop();
  release();
  await stopped;
  expect([(await asked).status, openings]).toEqual([200, []]);
  await expect(sandboxes!.create({ name: 'late' })).rejects.toThrow(Refusal);
});
