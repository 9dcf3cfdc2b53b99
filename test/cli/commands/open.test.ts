import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { refusal, createCliFixture } from '../cli-fixture.ts';

const TOKEN = `dash_${'a'.repeat(43)}`;

/** The data folder of a server, with these keys. */
function dataFolder(keys: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-open-'));
  chmodSync(folder, 0o700);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(keys));
  return folder;
}

test('open: prints the link with the token and opens the browser with a one-time code', async () => {
  const command = createCliFixture({ DATA_DIR: dataFolder({ dashboardToken: TOKEN }), DISPLAY: ':0' });
  command.answer('POST /dashboard/codes', { status: 200, body: { code: 'once' } });
  expect(await command.run('open')).toBe(0);
  expect(command.out).toBe(`http://127.0.0.1:8080/#token=${TOKEN}\n`);
  expect(command.opened).toEqual(['http://127.0.0.1:8080/#code=once']);
  expect(command.requests).toMatchObject([{ authorization: TOKEN }]);
  expect(command.err).toBe('');
});

test('open: prints the link when no browser can be opened', async () => {
  const command = createCliFixture({ DASHBOARD_TOKEN: TOKEN, TAPBENCH_URL: 'https://tapbench.example' });
  command.answer('POST /dashboard/codes', { status: 200, body: { code: 'once' } });
  expect(await command.run('open')).toBe(0);
  expect(command.out).toBe(`https://tapbench.example/#token=${TOKEN}\n`);
  expect(command.err).toBe('no browser could be opened: open the link yourself\n');
});

test('open: names the folder without a token, and the server that rejects it', async () => {
  const without = createCliFixture({ DATA_DIR: dataFolder({ secretKey: 'sk_sandbox_a' }) });
  expect(await without.run('open')).toBe(1);
  expect(without.err).toMatch(/^tapbench: .*keys\.json has no dashboard token: set DATA_DIR/);

  const other = createCliFixture({ DATA_DIR: dataFolder({ dashboardToken: TOKEN }), DISPLAY: ':0' });
  other.answer('POST /dashboard/codes', refusal(403, 'the API key is unknown: use a key of this server'));
  expect(await other.run('open')).toBe(1);
  expect(other.err).toMatch(/^tapbench: the server at \S+ does not accept the dashboard token of .*\(403\)/);
  expect(other.err + other.out).not.toContain(TOKEN);
  expect(other.opened).toEqual([]);

  const away = createCliFixture({ DATA_DIR: dataFolder({ dashboardToken: TOKEN }) });
  expect(await away.run('open')).toBe(1);
  expect(away.err).toMatch(/^tapbench: no server at/);
});
