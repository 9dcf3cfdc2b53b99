import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import scenarios from '../../../clients/scenarios.json' with { type: 'json' };
import { copyOfClients, countsOf, TAPBENCH_COMMAND } from './client-folder.ts';
import { codeBlocks } from '../kit/documented-code.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

// Debian's, whatever other Python is on the path: the packages of Debian belong to it.
const PYTHON = '/usr/bin/python3';

const fixture = createSystemFixture();
let clients: string;
let env: Record<string, string>;
beforeAll(async () => {
  clients = copyOfClients(fixture);
  const site = join(clients, 'site');
  const offline = ['--no-index', '--no-build-isolation', '--no-deps', '--root-user-action=ignore'];
  const install = ['-m', 'pip', 'install', '--quiet', ...offline, '--target', site, join(clients, 'python')];
  const installed = await fixture.program(PYTHON, install).ended;
  expect({ code: installed.code, stderr: installed.stderr }).toEqual({ code: 0, stderr: '' });
  env = { PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1', TAPBENCH_COMMAND };
});
afterAll(() => fixture.cleanUp());

test('python client: its types are checked strictly', async () => {
  const cwd = join(clients, 'python');
  const checked = fixture.program(PYTHON, ['-m', 'mypy', '--strict', 'src', 'tests'], {
    cwd,
    env: { MYPYPATH: 'src:tests' },
  });
  const { code, stdout, stderr } = await checked.ended;
  expect({ code, stderr, stdout }).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('no issues'),
  });
});

test('python client: its suite passes on a server, with every scenario', async () => {
  const { url, secretKey } = await fixture.tapbench({ args: ['--ephemeral'] });
  const report = join(clients, 'junit.xml');
  const suite = fixture.program(PYTHON, ['-m', 'pytest', '-p', 'no:cacheprovider', `--junit-xml=${report}`], {
    cwd: join(clients, 'python'),
    env: { ...env, TAPBENCH_URL: url, TAPBENCH_KEY: secretKey },
  });
  const { code, stdout, stderr } = await suite.ended;
  expect(code, stdout + stderr).toBe(0);
  expect(stdout + stderr).not.toContain(secretKey);
  const junit = readFileSync(report, 'utf8');
  const { tests, ...others } = countsOf(junit);
  expect(others).toEqual({ failures: 0, skipped: 0 });
  expect(tests).toBeGreaterThan(scenarios.scenarios.length + 10);
  expect(junit.match(/name="test_scenario\[/g)).toHaveLength(scenarios.scenarios.length);
});

test('python client: the tests of its documentation pass in a new folder and start a server', async () => {
  const folder = join(clients, 'shop');
  mkdirSync(folder);
  const tests = codeBlocks('testing-python.md', 'python', 'def test_').join('\n');
  writeFileSync(join(folder, 'test_payment.py'), tests);
  const { code, stdout } = await fixture.program(PYTHON, ['-m', 'pytest'], { cwd: folder, env }).ended;
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('3 passed');
});
