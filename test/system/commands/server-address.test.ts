import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { portOf } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

/** Runs a command with nothing but the data folder of a server. */
const runIn = (dataDir: string, ...words: string[]) =>
  fixture.run(words, { env: { DATA_DIR: dataDir }, cwd: dataDir });

test('commands find the server that runs with their data folder', async () => {
  const tapbench = await fixture.tapbench();
  const dataDir = tapbench.dataDir!;
  expect(await runIn(dataDir, 'terminals')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('SIM-0001'),
  });
  expect(await runIn(dataDir, 'wait')).toMatchObject({ code: 0 });
  const paid = await runIn(dataDir, 'pay', '1742', '--wait');
  expect(paid).toMatchObject({ code: 0, stdout: expect.stringContaining('Succeeded') });
  expect(await runIn(dataDir, 'sandbox', 'create', 'ci')).toMatchObject({ code: 0 });
  expect(await runIn(dataDir, 'terminals', '--sandbox', 'ci')).toMatchObject({ code: 0 });
});

test('two servers with a data folder each: every command calls its own, and --url and TAPBENCH_URL win', async () => {
  const [one, other] = await Promise.all([fixture.tapbench(), fixture.tapbench()]);
  const listed = await runIn(other.dataDir!, 'terminals');
  expect(listed.stdout).toContain(other.terminals[0]!.id);
  const byFlag = await fixture.run(['terminals', '--url', one.url], {
    env: { DATA_DIR: other.dataDir!, SECRET_KEY: one.secretKey },
  });
  expect(byFlag.stdout).toContain(one.terminals[0]!.id);
  const bySetting = await fixture.run(['terminals'], {
    env: { DATA_DIR: other.dataDir!, SECRET_KEY: one.secretKey, TAPBENCH_URL: one.url },
  });
  expect(bySetting.stdout).toContain(one.terminals[0]!.id);
});

test('a server that stops takes its address away; after a kill -9 the error names the file of the old one', async () => {
  const tapbench = await fixture.tapbench();
  const dataDir = tapbench.dataDir!;
  const file = join(dataDir, 'server.json');
  await tapbench.kill('SIGKILL');
  expect(await runIn(dataDir, 'terminals')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `no server at ${tapbench.url}, the address in ${file}: that server has ended`,
    ),
  });
  await tapbench.restart();
  await tapbench.kill('SIGTERM');
  expect(existsSync(file)).toBe(false);
});

test('a file with no address is refused, and one with an address of another server says where it came from', async () => {
  const [one, other] = await Promise.all([fixture.tapbench(), fixture.tapbench()]);
  const file = join(one.dataDir!, 'server.json');
  writeFileSync(file, '{"url":"file:///etc/passwd"}');
  expect(await runIn(one.dataDir!, 'terminals')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${file} has no address of a server`),
  });
  writeFileSync(file, JSON.stringify({ url: other.url }));
  expect(await runIn(one.dataDir!, 'terminals')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`the address ${other.url} comes from ${file}`),
  });
});

test('up: a port that another Tapbench server has is named with that server, and a folder too', async () => {
  const tapbench = await fixture.tapbench();
  const env = { PORT: portOf(tapbench.url), MQTT_PORT: '0', DATA_DIR: fixture.folder() };
  expect(await fixture.run(['up'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `by the Tapbench server at ${tapbench.url}: use that one, or stop it, or set PORT`,
    ),
  });
  const shared = { PORT: '0', MQTT_PORT: '0', DATA_DIR: tapbench.dataDir! };
  expect(await fixture.run(['up'], { env: shared })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`is in use by the server at ${tapbench.url}`),
  });
  writeFileSync(join(tapbench.dataDir!, 'server.json'), 'no address');
  expect(await fixture.run(['up'], { env: shared })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is in use by another server'),
  });
});

test('long-running commands find it too, terminals over MQTT included', async () => {
  const folder = fixture.folder();
  await fixture.tapbench({ dataDir: join(folder, '.tapbench') });
  const listening = fixture.command(['listen', '--json'], { cwd: folder });
  await waitFor('the endpoint to be registered', () => listening.stderr.includes('Ctrl-C to stop'));
  const sim = fixture.command(['sim', '--terminals', '2', '--json'], { cwd: folder });
  await sim.prints(/^\{.*\}$/m);
  const file = join(folder, 'session.tapbench');
  const recording = fixture.command(['record', file], { cwd: folder });
  await waitFor('the recording to begin', () => recording.stderr.includes('Ctrl-C to stop'));
  const watching = fixture.command(['watch'], { cwd: folder });
  expect((await fixture.run(['pay', 'SIM-0001', '1742', '--wait'], { cwd: folder })).code).toBe(0);
  await listening.prints(/PaymentSession\.captured/);
  await watching.prints(/SIM-0001/);
  expect(await recording.kill('SIGINT')).toMatchObject({ code: 0, stdout: `recorded in ${file}\n` });
  expect((await fixture.run(['drill', 'lost-reply'], { cwd: folder })).code).toBe(0);
});

test('a server at the address that is not Tapbench is named as such', async () => {
  const web = createServer((_, response) => void response.writeHead(404).end('<p>not here</p>'));
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  fixture.onCleanUp(() => void web.close());
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const folder = fixture.folder();
  writeFileSync(join(folder, 'server.json'), JSON.stringify({ url }));
  const { code, stderr } = await fixture.run(['terminals'], {
    cwd: folder,
    env: { DATA_DIR: '.', SECRET_KEY: 'sk_sandbox_nobody' },
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('is that a Tapbench server?')]);
  expect(stderr).toContain(`the address ${url} comes from server.json`);
});

test('up: a port that another program has is refused with what to set', async () => {
  const web = createServer((_, response) => void response.end('hello'));
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  fixture.onCleanUp(() => void web.close());
  const PORT = String((web.address() as AddressInfo).port);
  const cwd = fixture.folder();
  const http = await fixture.run(['up'], { cwd, env: { PORT, MQTT_PORT: '0' } });
  expect([http.code, http.stderr]).toEqual([
    1,
    expect.stringContaining(`PORT: port ${PORT} is in use on 127.0.0.1: set PORT to another port, or to 0`),
  ]);
  const mqtt = await fixture.run(['up'], { cwd, env: { PORT: '0', MQTT_PORT: PORT } });
  expect([mqtt.code, mqtt.stderr]).toEqual([
    1,
    expect.stringContaining(`MQTT_PORT: port ${PORT} is in use on 127.0.0.1: set MQTT_PORT to another port`),
  ]);
});
