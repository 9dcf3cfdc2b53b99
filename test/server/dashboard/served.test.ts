import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { encode } from '../../../protocol/message.ts';
import { MachineDescribed } from '../../../protocol/messages/inspection.messages.ts';
import { pageRoutes } from '../../../server/dashboard/page-files.ts';
import { sandboxKeysRoute } from '../../../server/dashboard/serve-dashboard.ts';
import { NO_CALLER } from '../../../server/platform/http/auth.ts';
import { Refusal } from '../../../server/platform/http/refusals.ts';
import type { Api } from '../../../testing/world/api.ts';
import { openTill, type Till } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { tokenOf } from './open-page.ts';

/** The page's routes on a folder of its own. */
function page() {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const routes = pageRoutes(folder);
  const get = (path: string, params: Record<string, string> = {}) =>
    routes
      .find((route) => route.path === path)!
      .handle(
        { params, query: () => undefined, body: '', header: () => undefined, senderAddress: '' },
        undefined,
      );
  return {
    get,
    asset: (name: string) => get('/dashboard/assets/{name}', { name }),
    build() {
      mkdirSync(join(folder, 'assets'));
      for (const name of ['index.html', 'reference.html', 'recordings.html'])
        writeFileSync(join(folder, name), '<script src="./assets/index-1.js"></script>');
      writeFileSync(join(folder, 'assets', 'index-1.js'), 'start()');
      writeFileSync(join(folder, 'secret.txt'), 'nobody’s');
    },
  };
}

test('GET /dashboard: serves the page with nothing from outside, its assets cached for ever', async () => {
  const { get, asset, build } = page();
  build();
  const index = await get('/');
  expect(index.body).toBe('<script src="dashboard/assets/index-1.js"></script>');
  expect(index.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  const policy = index.headers['content-security-policy']!;
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  const script = await asset('index-1.js');
  expect(String(script.body)).toBe('start()');
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
});

test.each(['../index.html', '../secret.txt', 'index-2.js', '', '__proto__', 'index-1.js/..'])(
  'GET /dashboard/assets: serves assets only, not %j',
  async (name) => {
    const { asset, build } = page();
    build();
    await expect(asset(name)).rejects.toThrow(Refusal);
  },
);

test('GET /dashboard: says when the page is not built, and serves it once it is', async () => {
  const { get, build } = page();
  expect(String((await get('/')).body)).toContain('npm run build');
  build();
  expect(String((await get('/')).body)).toContain('dashboard/assets');
});

let world: World;
let till: Till;
let api: Api;
beforeEach(async () => {
  world = await startWorld();
  till = openTill(world, await world.addTerminal());
  api = world.api.withKey(tokenOf(world));
});
afterEach(() => world.close());

test('GET /: has a page, and the OpenAPI document has no route of the dashboard', async () => {
  const { status, headers } = await world.api.withKey('').get('/');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const { body } = await world.api.get('/openapi.json');
  expect(Object.keys(body.paths).filter((path) => path === '/' || path.startsWith('/dashboard'))).toEqual([]);
});

test.each(['machines', 'machines/action', 'cards', 'receipts/tmlact_1'])(
  '/dashboard/%s: needs a token or the secret key',
  async (path) => {
    const get = async (caller: Api) => (await caller.get(`/dashboard/${path}`)).status;
    expect(await get(world.api.withKey(''))).toBe(401);
    expect(await get(world.api.withKey('dash_guessed'))).toBe(403);
    expect(await get(world.api.withKey(world.server.services.settings.publicKey))).toBe(403);
    const known = path.startsWith('receipts') ? 404 : 200;
    expect([await get(api), await get(world.api)]).toEqual([known, known]);
  },
);

test('dashboard keys: are those of the sandbox, and never live ones', async () => {
  const { secretKey, publicKey } = world.server.services.settings;
  expect((await api.get('/dashboard/keys')).body).toEqual({ secretKey, publicKey });
  const settings = { ...world.server.services.settings, mode: 'live' as const };
  const request = {
    params: {},
    query: () => undefined,
    body: '',
    header: () => undefined,
    senderAddress: '',
  };
  const guard = async () => NO_CALLER;
  const asked = sandboxKeysRoute.handle(request, { services: { settings }, guard });
  await expect(asked).rejects.toThrow('there is nothing at /dashboard/keys');
});

test('dashboard machines: lays out those of the server and those that terminals describe', async () => {
  const { body } = await api.get('/dashboard/machines');
  const ids = body.machines.map(({ shape }: { shape: { machineId: string } }) => shape.machineId);
  expect(ids).toEqual([
    'serverAction',
    'paymentSession',
    'subscription',
    'dispute',
    'payout',
    'verification',
    'action',
  ]);
  for (const { layout } of body.machines) expect(layout.states.length).toBeGreaterThan(2);
  const one = await api.get('/dashboard/machines/action');
  expect(one.body.layout).toEqual(body.machines.at(-1).layout);
  expect((await api.get('/dashboard/machines/nobody')).status).toBe(404);
});

test('dashboard machines: an invalid description of a terminal affects no other chart', async () => {
  await describeAs(till.terminal.terminalId, { machineId: 'nonsense', definition: null });
  const { status, body } = await api.get('/dashboard/machines');
  expect(status).toBe(200);
  const ids = body.machines.map(({ shape }: { shape: { machineId: string } }) => shape.machineId);
  expect([ids.length, ids.includes('nonsense')]).toEqual([7, false]);
  expect((await api.get('/dashboard/machines/nonsense')).status).toBe(404);
});

/** Says something of a terminal's machine in its name. */
async function describeAs(
  terminalId: string,
  body: { machineId: string; definition: unknown },
): Promise<void> {
  const { body: credentials } = await world.api.post(`/pairing/terminals/${terminalId}`);
  const handlers = { online() {}, offline() {}, message() {} };
  const link = world.forTerminals.connect({ credentials, subscriptions: [], handlers });
  link.open();
  await world.until('the other end is online', () => link.online);
  await link.publish(encode(MachineDescribed, terminalId, body));
  await world.settled();
  await link.close();
}

test('dashboard cards: returns the cards of the connected simulators', async () => {
  const { body } = await api.get('/dashboard/cards');
  expect(body.cards).toContainEqual({
    name: 'visa-contact-pin',
    title: 'Visa debit with chip and PIN; can be tapped too',
    entryModes: ['Contact', 'Contactless'],
    hasPin: true,
  });
  const names: string[] = body.cards.map(({ name }: { name: string }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const card of names) {
    const { status } = await api.post(`/sandbox/terminals/${till.terminal.terminalId}/present-card`, {
      card,
    });
    expect([card, status]).toEqual([card, 200]);
    await api.post(`/sandbox/terminals/${till.terminal.terminalId}/remove-card`);
  }
});

test('dashboard receipt: returns the receipt of an action once there is one', async () => {
  await till.takes(1742);
  const { id } = await till.action();
  const { body } = await api.get(`/dashboard/receipts/${id}`);
  expect(body.customerCopy).toContain('17.42');
  expect((await api.get('/dashboard/receipts/tmlact_1')).status).toBe(404);
});
