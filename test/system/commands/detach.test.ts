import { once } from 'node:events';
import { existsSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ChildOptions, Ended } from '../kit/child-command.ts';
import { call } from '../kit/http-call.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

const ROOT = join(import.meta.dirname, '../../..');
const FREE = { PORT: '0', MQTT_PORT: '0' };

interface Project {
  cwd: string;
  dataDir: string;
  run(args: string[], env?: Record<string, string>): Promise<Ended>;
  options: ChildOptions;
}

/** A folder in which commands run. What they leave running is ended with the test. */
function project(): Project {
  const cwd = fixture.folder();
  const dataDir = join(cwd, '.tapbench');
  const options = { cwd, env: FREE };
  fixture.onCleanUp(async () => {
    const pid = existsSync(join(dataDir, 'process.json')) ? processOf(dataDir).pid : undefined;
    // Whatever it is by now, only a process that runs in this folder is ended.
    if (pid !== undefined && folderOf(pid) === cwd) process.kill(pid, 'SIGKILL');
  });
  return {
    cwd,
    dataDir,
    options,
    run: (args, env) => fixture.run(args, { cwd, env: { ...FREE, ...env } }),
  };
}

function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function processOf(dataDir: string): { pid: number; port: number; key: string } {
  return JSON.parse(readFileSync(join(dataDir, 'process.json'), 'utf8'));
}

async function listenerOnFreePort(onConnected: () => void): Promise<number> {
  const server = createServer((socket) => {
    onConnected();
    socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  fixture.onCleanUp(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('up --detach: returns when the server is ready, which goes on until down stops it', async () => {
  const { run, dataDir } = project();
  const started = await run(['up', '--detach']);
  expect(started).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(started.stdout).toMatch(
    /Secret key +sk_sandbox_[\s\S]*Runs until 'tapbench down'\. Log: .*up\.log\n$/,
  );
  const [, url] = /API +(\S+)\/v1/.exec(started.stdout)!;
  expect(await run(['wait', '--timeout', '20'])).toMatchObject({ code: 0, stderr: '' });
  expect((await run(['pay', '1742'])).stdout).toMatch(/17\.42 GBP/);

  expect(await run(['down'])).toMatchObject({
    code: 0,
    stdout: 'the server with DATA_DIR .tapbench has stopped\n',
    stderr: '',
  });
  await expect(call({ method: 'GET', url: `${url}/healthz` })).rejects.toThrow('ECONNREFUSED');
  // Only a server that stops cleanly closes its store, and SQLite removes this file then.
  expect(existsSync(join(dataDir, 'store.db'))).toBe(true);
  for (const file of ['store.db-wal', 'server.json', 'process.json'])
    expect(existsSync(join(dataDir, file))).toBe(false);
  expect(await run(['down'])).toMatchObject({
    code: 0,
    stdout: 'no server runs with DATA_DIR .tapbench\n',
    stderr: '',
  });
});

test('up --detach --json: prints one line, and keeps keys out of its log', async () => {
  const { run, cwd } = project();
  const started = await run(['up', '--json', '--data-dir', 'other', '--detach']);
  expect(started).toMatchObject({ code: 0, stderr: '' });
  expect(started.stdout).toMatch(/^\{.*\}\n$/);
  const { url, secretKey, terminals, dataDir } = JSON.parse(started.stdout);
  expect(dataDir).toBe(join(cwd, 'other'));
  fixture.onCleanUp(() => run(['down', '--data-dir', 'other']));
  const headers = { authorization: secretKey as string };
  const terminal = await call({
    method: 'GET',
    url: `${url}/v1/in-person/terminals/${terminals[0].id}`,
    headers,
  });
  expect(terminal.status).toBe(200);
  const log = join(dataDir, 'up.log');
  expect(readFileSync(log, 'utf8')).not.toMatch(/[sp]k_sandbox_|dash_/);
  expect(statSync(log).mode & 0o777).toBe(0o600);
  expect((await run(['down'])).stdout).toBe('no server runs with DATA_DIR .tapbench\n');
  expect((await run(['down', '--data-dir', 'other'])).stdout).toMatch(/has stopped/);
});

test('up --detach: npx leaves the server running', async () => {
  const { dataDir, run, cwd } = project();
  const env = { ...FREE, DATA_DIR: dataDir };
  const npx = await fixture.program('npx', ['tapbench', 'up', '--detach'], { cwd: ROOT, env }).ended;
  expect(npx).toMatchObject({ code: 0, signal: null });
  fixture.onCleanUp(() => run(['down']));
  const { pid } = processOf(dataDir);
  // npm's shell and the command have ended, and the server has no parent of its own any more.
  await waitFor('the parent to be gone', () =>
    /^PPid:\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')),
  );
  expect(await run(['pay', '1742'], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  expect(existsSync(join(cwd, '.tapbench', 'server.json'))).toBe(true);
});

test('up --detach: of two at once on one folder one runs, and the other says why it does not', async () => {
  const { run, dataDir } = project();
  const ended = await Promise.all([run(['up', '--detach']), run(['up', '--detach'])]);
  expect(ended.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  const refused = ended.find(({ code }) => code === 1)!;
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toMatch(/^tapbench: DATA_DIR \.tapbench is in use by .*: stop that one.*\n$/);
  expect(folderOf(processOf(dataDir).pid)).toBeDefined();
  expect((await run(['up', '--detach'])).stderr).toMatch(/is in use by the server at http:/);
  expect(await run(['wait'])).toMatchObject({ code: 0 });
  expect((await run(['down'])).stdout).toMatch(/has stopped/);
});

test.each([
  ['--seed nowhere.json', ['--seed', 'nowhere.json'], {}, '--seed nowhere.json cannot be read'],
  ['a bad setting', [], { RATE_LIMIT: 'maybe' }, 'RATE_LIMIT must be one of'],
  ['--ephemeral', ['--ephemeral'], {}, 'leave out --ephemeral'],
])('up --detach: a start that fails shows its error: %s', async (_title, args, env, said) => {
  const { run } = project();
  const ended = await run(['up', '--detach', ...args], env);
  expect(ended).toMatchObject({ code: 1, signal: null, stdout: '' });
  expect(ended.stderr).toMatch(/^tapbench: [^\n]+\n$/);
  expect(ended.stderr).toContain(said);
  expect((await run(['down'])).stdout).toBe('no server runs with DATA_DIR .tapbench\n');
});

test('up --detach: a port in use is named', async () => {
  const { run } = project();
  const port = String(await listenerOnFreePort(() => {}));
  const ended = await run(['up', '--detach'], { PORT: port });
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toContain(`PORT: port ${port} is in use`);
});

test('up --detach: a server that is killed before it is ready is reported', async () => {
  const { options, dataDir } = project();
  // Nothing answers there, so the server waits for its broker.
  const broker = await silentBroker();
  const starting = fixture.command(['up', '--detach'], { ...options, env: { ...FREE, MQTT_URL: broker } });
  await waitFor('the server to start', () => existsSync(join(dataDir, 'process.json')));
  process.kill(processOf(dataDir).pid, 'SIGKILL');
  expect(await starting.ended).toMatchObject({ code: 1, stdout: '' });
  expect(starting.stderr).toContain(
    'tapbench: the server ended by SIGKILL before it was ready: see .tapbench/up.log\n',
  );
});

test('up --detach: Control-C while it starts leaves nothing running', async () => {
  const { options, dataDir, run } = project();
  const broker = await silentBroker();
  const starting = fixture.command(['up', '--detach'], { ...options, env: { ...FREE, MQTT_URL: broker } });
  await waitFor('the server to start', () => existsSync(join(dataDir, 'process.json')));
  const { pid } = processOf(dataDir);
  expect(await starting.kill('SIGINT')).toMatchObject({ code: 130, stdout: '' });
  expect(folderOf(pid)).toBeUndefined();
  expect((await run(['down'])).stdout).toBe('no server runs with DATA_DIR .tapbench\n');
});

/** Accepts connections and says nothing. */
async function silentBroker(): Promise<string> {
  const server = createServer((socket) => void socket.on('error', () => {}).resume());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  fixture.onCleanUp(() => void server.close());
  return `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('down: stops a server that another window runs', async () => {
  const tapbench = await fixture.tapbench();
  const down = await fixture.run(['down'], { env: { DATA_DIR: tapbench.dataDir! } });
  expect(down).toMatchObject({ code: 0, stdout: expect.stringContaining('has stopped') });
  expect(await tapbench.child.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

test('down: a folder whose server was killed has none, and the next start replaces what it left', async () => {
  const { run, dataDir } = project();
  await run(['up', '--detach']);
  const left = processOf(dataDir);
  process.kill(left.pid, 'SIGKILL');
  await waitFor('the process to end', () => folderOf(left.pid) === undefined);
  expect(await run(['down'])).toMatchObject({ code: 0, stdout: 'no server runs with DATA_DIR .tapbench\n' });
  const none = await run(['wait', '--timeout', '1']);
  expect(none).toMatchObject({ code: 1, stdout: '' });
  expect(none.stderr).toContain('it cannot be reached');
  expect((await run(['up', '--detach'])).code).toBe(0);
  expect(processOf(dataDir).key).not.toBe(left.key);
  expect((await run(['down'])).stdout).toMatch(/has stopped/);
});

test('down: neither the process nor the program on the port is ended that has the id and the port of a killed server', async () => {
  const { run, dataDir } = project();
  await run(['up', '--detach']);
  await run(['down']);
  const foreign = fixture.program('sleep', ['600'], {});
  let connections = 0;
  const port = await listenerOnFreePort(() => (connections += 1));
  writeFileSync(join(dataDir, 'process.json'), JSON.stringify({ pid: foreign.pid, port, key: 'k' }));
  expect(await run(['down'])).toMatchObject({ code: 0, stdout: 'no server runs with DATA_DIR .tapbench\n' });
  expect([foreign.running, connections]).toEqual([true, 1]);
});
