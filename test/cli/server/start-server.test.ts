import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalFleet } from '../../../cli/server/local-fleet.ts';
import { readOptions } from '../../../cli/command-line/option.ts';
import { acquireLock } from '../../../cli/data-folder/data-folder.ts';
import { applySeed, type Seed } from '../../../cli/server/seed.ts';
import { SERVER_OPTIONS } from '../../../cli/server/server-options.ts';
import { ensureDefaultTerminal } from '../../../cli/server/default-terminal.ts';
import { startServer, type StartedServer } from '../../../cli/server/start-server.ts';
import { SystemClock } from '../../../protocol/clock.ts';
import { makeFolder } from '../../../protocol/system/make-folder.ts';
import type { Connector } from '../../../protocol/link.ts';
import { listSimulated } from '../../../server/api/in-person/terminals/terminal.records.ts';
import { createCliFixture } from '../cli-fixture.ts';

/** A server of this process that listens nowhere; without a folder it keeps nothing. */
async function started(dataDir?: string, env: Record<string, string> = {}): Promise<StartedServer> {
  const typed = dataDir === undefined ? { ephemeral: true } : { dataDir };
  const server = await startServer(
    { ...createCliFixture().context, clock: new SystemClock() },
    readOptions(SERVER_OPTIONS, typed, { LOG_LEVEL: 'silent', ...env }),
  );
  onTestFinished(() => server.stop());
  return server;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const ADDRESS = { lineOne: '12 High Street', city: 'York', country: 'GB', postalCode: 'YO1 7AB' };

const SEED: Seed = {
  version: 1,
  accounts: [{ name: 'Harbour Cafe', settings: { currencies: ['GBP'] } }],
  locations: [
    { name: 'High Street', address: ADDRESS },
    { account: 'Harbour Cafe', name: 'Harbour quay', address: ADDRESS },
  ],
  terminals: [
    { serialNumber: 'SIM-TILL-1', location: 'High Street', name: 'Till 1' },
    { account: 'Harbour Cafe', serialNumber: 'SIM-CAFE-1', location: 'Harbour quay' },
  ],
  webhooks: [{ url: 'http://127.0.0.1:3000/hook' }],
};

/** Puts a seed in, as `tapbench up --seed` does. */
function plant(server: StartedServer, seed: Seed) {
  return applySeed(
    { api: server.api, addAccount: () => Promise.resolve(server.accounts.subAccountId) },
    seed,
    'f.json',
  );
}

test('applySeed: applying a seed twice creates its objects once', async () => {
  const server = await started();
  const [webhook] = await plant(server, SEED);
  expect(webhook).toMatchObject({ url: 'http://127.0.0.1:3000/hook' });
  expect(webhook?.secret).toMatch(/^whs_/);
  expect(await plant(server, SEED)).toEqual([]);

  const own = await server.api().list('GET /v1/in-person/terminals');
  const cafe = await server.api(server.accounts.subAccountId).list('GET /v1/in-person/terminals');
  expect(own.map(({ name }) => name)).toEqual(['Till 1']);
  expect(cafe.map(({ device }) => device.serialNumber)).toEqual(['SIM-CAFE-1']);
  const { items } = await server.api().call('GET /v1/webhooks');
  expect(items).toHaveLength(1);
});

test.each<[Omit<Seed, 'version'>, string]>([
  [
    { terminals: [{ serialNumber: 'SIM-1X', location: 'Nowhere' }] },
    "terminals.0.location 'Nowhere' is not a location",
  ],
  [
    { locations: [{ account: 'Nobody', name: 'High Street', address: ADDRESS }] },
    "locations.0.account 'Nobody' is not an account",
  ],
  [
    { locations: [{ name: 'Fifth Avenue', address: { ...ADDRESS, country: 'US' } }] },
    'locations.0 was refused: address.region',
  ],
  [{ webhooks: [{ url: 'ftp://127.0.0.1' }] }, 'webhooks.0 was refused: url'],
  [
    { accounts: [{ name: 'Corner Shop', settings: { currencies: ['XXX'] } }] },
    'accounts.0.settings was refused: currencies',
  ],
])('applySeed: a refusal names the path in the file: %j', async (seed, words) => {
  await expect(plant(await started(), { version: 1, ...seed })).rejects.toThrow(`--seed f.json: ${words}`);
});

test('ensureDefaultTerminal: the second start finds the terminal of the first', async () => {
  const server = await started();
  const { platformId } = server.accounts;
  const first = await ensureDefaultTerminal(server.api(), platformId, []);
  expect(first.made?.serialNumber).toBe('SIM-0001');
  const known = await listSimulated(server.server.services.store);
  expect(await ensureDefaultTerminal(server.api(), platformId, known)).toEqual({
    locationId: first.locationId,
    made: undefined,
  });
});

test('ensureDefaultTerminal: skips serial numbers of other accounts', async () => {
  const server = await started();
  const elsewhere = { id: 'tml_9', serialNumber: 'SIM-0001', accountId: 'ac_other', locationId: 'iploc_9' };
  const { made } = await ensureDefaultTerminal(server.api(), server.accounts.platformId, [elsewhere]);
  expect(made?.serialNumber).toBe('SIM-0002');
});

/** The links that a fleet opens to a server, by terminal: what becomes of each can be waited for. */
function watchedLinks(server: StartedServer) {
  const states = new Map<string, 'online' | 'offline'>();
  const waiting: (() => void)[] = [];
  const note = (clientId: string, state: 'online' | 'offline') => {
    states.set(clientId, state);
    for (const look of waiting.splice(0)) look();
  };
  const connect: Connector = (plan) => {
    const { clientId } = plan.credentials;
    const online = () => (plan.handlers.online(), note(clientId, 'online'));
    const link = server.connect({ ...plan, handlers: { ...plan.handlers, online } });
    return {
      open: () => link.open(),
      publish: (envelope) => link.publish(envelope),
      get online() {
        return link.online;
      },
      close: () => link.close().then(() => note(clientId, 'offline')),
      drop: () => link.drop(),
    };
  };
  return {
    server: { ...server, connect },
    async until(terminalId: string, state: 'online' | 'offline') {
      while (states.get(terminalId) !== state) await new Promise<void>((look) => waiting.push(look));
    },
  };
}

test('startLocalFleet: simulates existing and later registered terminals until they are deleted', async () => {
  const { server, until } = watchedLinks(await started());
  const { locationId, made } = await ensureDefaultTerminal(server.api(), server.accounts.platformId, []);
  const fleet = startLocalFleet({ ...createCliFixture().context, clock: new SystemClock() }, server, [
    made!.id,
  ]);
  onTestFinished(() => fleet.close());
  await fleet.online;
  await until(made!.id, 'online');

  const wanted = { serialNumber: 'SIM-0002', locationId };
  const later = await server.api().call('POST /v1/in-person/terminals', { body: wanted });
  await until(later.id, 'online');
  await server.api().call('DELETE /v1/in-person/terminals/{id}', { params: { id: later.id } });
  await until(later.id, 'offline');
});

test('startLocalFleet: does not wait for a terminal that is deleted before it is online', async () => {
  const server = await started();
  const { made } = await ensureDefaultTerminal(server.api(), server.accounts.platformId, []);
  let begin!: () => void;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const connect: Connector = ({ credentials: { clientId } }) => ({
    open: () => (clientId === made!.id ? begin() : undefined),
    publish: () => Promise.reject(new Error('never online')),
    online: false,
    close: async () => {},
    drop() {},
  });
  // The clock of the fixture stands still, so that the wait does not end by its time.
  const fleet = startLocalFleet(createCliFixture().context, { ...server, connect }, [made!.id]);
  onTestFinished(() => fleet.close());
  await begun;
  await server.api().call('DELETE /v1/in-person/terminals/{id}', { params: { id: made!.id } });
  await fleet.online;
});

test('startLocalFleet: stops a terminal that is paired with another program', async () => {
  const { server, until } = watchedLinks(await started());
  const { made } = await ensureDefaultTerminal(server.api(), server.accounts.platformId, []);
  const { context } = createCliFixture();
  const fleet = startLocalFleet({ ...context, clock: new SystemClock() }, server, [made!.id]);
  onTestFinished(() => fleet.close());
  await until(made!.id, 'online');

  await server.api().call('POST /pairing/terminals/{id}', { params: { id: made!.id }, body: {} });
  await until(made!.id, 'offline');
});

test('startLocalFleet: leaves out a terminal that another process with its DATA_DIR runs', async () => {
  const folder = temporaryFolder();
  const { server, until } = watchedLinks(await started(folder));
  const { locationId, made } = await ensureDefaultTerminal(server.api(), server.accounts.platformId, []);
  makeFolder(join(folder, 'terminals'), 0o700);
  onTestFinished(await acquireLock(join(folder, 'terminals', `${made!.id}.lock`), 'in use'));
  const { context } = createCliFixture();
  const fleet = startLocalFleet({ ...context, clock: new SystemClock() }, server, [made!.id]);
  onTestFinished(() => fleet.close());
  await fleet.online;

  const wanted = { serialNumber: 'SIM-0002', locationId };
  const other = await server.api().call('POST /v1/in-person/terminals', { body: wanted });
  await until(other.id, 'online');
  expect(await server.api().call('GET /sandbox/terminals/{id}', { params: { id: made!.id } })).toMatchObject({
    online: false,
  });
});

test('startServer: data and keys persist, and one folder allows one server at a time', async () => {
  const folder = temporaryFolder();
  const first = await started(folder);
  const { made } = await ensureDefaultTerminal(first.api(), first.accounts.platformId, []);
  await expect(started(folder)).rejects.toThrow(expect.objectContaining({ code: 'data_folder_in_use' }));
  await first.stop();

  const second = await started(folder);
  expect(second.keys).toEqual(first.keys);
  expect(second.accounts).toEqual(first.accounts);
  const [terminal] = await second.api().list('GET /v1/in-person/terminals');
  expect(terminal?.id).toBe(made?.id);
});

test('startServer: a failed start unlocks the data folder', async () => {
  const folder = temporaryFolder();
  await expect(started(folder, { SECRET_KEY: 'nonsense' })).rejects.toThrow(/^SECRET_KEY must/);
  const server = await started(folder);
  expect(server.mode).toBe('sandbox');
});

test('startServer: with live keys there is no /sandbox', async () => {
  const server = await started(undefined, { SECRET_KEY: 'sk_live_a', PUBLIC_KEY: 'pk_live_a' });
  expect(server.mode).toBe('live');
  expect((await server.api().ask('GET', '/sandbox/accounts')).status).toBe(404);
});
