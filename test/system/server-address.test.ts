import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { portOf } from './tapbench.ts';
import { createSystemFixture } from './system-fixture.ts';

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
});
