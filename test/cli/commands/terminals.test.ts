import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { refusal, createCliFixture, terminal } from '../cli-fixture.ts';

const ok = (body: unknown) => ({ status: 200, body });
const page = (items: unknown[], paginationToken: string | null = null) => ok({ items, paginationToken });

test('terminals: lists all pages with presence and last action', async () => {
  const on = createCliFixture();
  const second = { ...terminal({ status: 'Failed', code: 'timeout' }), id: 'tml_2' };
  on.answer('GET /v1/in-person/terminals', page([terminal(null)], 'tml_1'), page([second]));
  on.answer(
    'GET /sandbox/terminals',
    ok({
      items: [
        { id: 'tml_1', online: true },
        { id: 'tml_2', online: false },
      ],
    }),
  );
  expect(await on.run('terminals')).toBe(0);
  const [heading, first, last] = on.out.split('\n').map((line) => line.split(/  +/));
  expect(heading).toEqual(['ID', 'SERIAL', 'NAME', 'DEVICE', 'LINK', 'LAST ACTION']);
  expect(first).toEqual(['tml_1', 'SIM-0001', 'Till 1', 'A920Pro', 'online', '-']);
  expect(last?.slice(-2)).toEqual(['offline', 'Payment Failed timeout']);
  expect(on.requests.map(({ path }) => path)).toContain(
    '/v1/in-person/terminals?ascending=true&limit=50&startsAfter=tml_1',
  );
});

test('terminals: shows unknown presence with live keys', async () => {
  const on = createCliFixture();
  on.answer('GET /v1/in-person/terminals', page([terminal(null)]));
  on.answer('GET /sandbox/terminals', refusal(404, 'there is nothing there'));
  expect(await on.run('terminals', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toMatchObject([{ id: 'tml_1', online: null }]);
});

test('terminals add: registers a terminal at the first location', async () => {
  const on = createCliFixture();
  on.answer('GET /v1/in-person/locations', page([{ id: 'iploc_1' }]));
  on.answer('POST /v1/in-person/terminals', ok(terminal(null)));
  expect(await on.run('terminals', 'add', '--serial', 'SIM-0002')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ serialNumber: 'SIM-0002', locationId: 'iploc_1' });
  expect(await on.run('terminals', 'add')).toBe(1);
  expect(on.err).toContain('--serial is missing');
});

test('pair: prints credentials, or writes a file readable by its owner only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-pair-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'till.json');
  writeFileSync(file, 'old', { mode: 0o644 });
  const keys = { scheme: 'TDES', initialKeyId: 'FFFF9876543210E00000', initialKey: '6AC292FAA1315B4D' };
  const credentials = { clientId: 'tml_1', username: 'tml_1', password: 'hunter2', keys };
  const on = createCliFixture();
  on.answer('POST /pairing/terminals/tml_1', ok(credentials));

  expect(await on.run('pair', 'tml_1', '--out', file, '--keys', 'TDES')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ keyScheme: 'TDES' });
  expect(on.out + on.err).not.toMatch(/hunter2|6AC2/);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(credentials);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  expect(await on.run('pair', 'tml_1', '--json')).toBe(0);
  expect(on.requests.at(-1)?.body).toEqual({ keyScheme: 'AES' });
  expect(JSON.parse(on.out)).toEqual(credentials);
});

test('wait: ends when the server replies and a terminal is online', async () => {
  const on = createCliFixture();
  on.answer('GET /healthz', refusal(503, 'not ready'), ok({ status: 'ok' }));
  on.answer(
    'GET /sandbox/terminals',
    ok({ items: [{ id: 'tml_1', online: false }] }),
    ok({ items: [{ id: 'tml_1', online: true }] }),
  );
  expect(await on.run('wait')).toBe(0);
  expect(on.requests.map(({ path }) => path)).toEqual([
    '/healthz',
    '/healthz',
    '/sandbox/terminals',
    '/healthz',
    '/sandbox/terminals',
  ]);
  expect(on.out).toBe('');
});

test('wait: fails after its timeout with what is missing', async () => {
  const on = createCliFixture();
  on.answer('GET /healthz', ok({ status: 'ok' }));
  on.answer('GET /sandbox/terminals', ok({ items: [] }));
  expect(await on.run('wait', '--timeout', '5', '--terminals', '3')).toBe(1);
  expect(on.err).toContain('Waiting for http://127.0.0.1:8080: 0 of 3 terminals online (1 s)\n');
  expect(on.err).toContain('http://127.0.0.1:8080 is not ready after 5 s: 0 of 3 terminals online\n');
});

test('wait: --terminals 0 needs no key', async () => {
  const on = createCliFixture({ DATA_DIR: '/nonexistent' });
  on.answer('GET /healthz', ok({ status: 'ok' }));
  expect(await on.run('wait', '--terminals', '0')).toBe(0);
});

test('wait: reports that the server cannot be reached', async () => {
  const on = createCliFixture();
  expect(await on.run('wait', '--timeout', '2')).toBe(1);
  expect(on.err).toContain('is not ready after 2 s: it cannot be reached');
});
