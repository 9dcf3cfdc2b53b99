import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import scenarios from '../../../clients/scenarios.json' with { type: 'json' };
import { copyOfClients, TAPBENCH_COMMAND } from './client-folder.ts';
import { codeBlocks } from '../kit/documented-code.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

// Debian's, the oldest that the module supports, whatever other Go is on the path.
const [GO, GOFMT] = ['/usr/bin/go', '/usr/bin/gofmt'];
// The module needs no other, so nothing is downloaded.
const OFFLINE = { GOPROXY: 'off', GOFLAGS: '' };

const fixture = createSystemFixture();
let clients: string;
beforeAll(() => {
  clients = copyOfClients(fixture);
});
afterAll(() => fixture.cleanUp());

const run = (program: string, args: string[], cwd: string, env: Record<string, string> = {}) =>
  fixture.program(program, args, { cwd, env: { ...OFFLINE, ...env } }).ended;

/** Returns how many lines of `go test -v` say this of a test or subtest. */
const countOf = (result: 'PASS' | 'FAIL' | 'SKIP', name: string, output: string) =>
  output.split('\n').filter((line) => line.trimStart().startsWith(`--- ${result}: ${name}`)).length;

test('Go client: gofmt and go vet find nothing', async () => {
  const folder = join(clients, 'go');
  const formatted = await run(GOFMT, ['-l', '.'], folder);
  expect(formatted).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const vetted = await run(GO, ['vet', './...', './testdata/failing', './testdata/unstruck'], folder);
  expect(vetted).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

test('Go client: its suite passes on a server, with every scenario', async () => {
  const { url, secretKey } = await fixture.tapbench({ args: ['--ephemeral'], env: { RATE_LIMIT: 'off' } });
  const env = { TAPBENCH_COMMAND, TAPBENCH_URL: url, TAPBENCH_KEY: secretKey };
  const suite = await run(GO, ['test', '-v', '-vet=off', '-parallel=8', './...'], join(clients, 'go'), env);
  const { code, stdout, stderr } = suite;
  expect(code, stdout + stderr).toBe(0);
  expect(stdout + stderr).not.toContain(secretKey);
  expect(countOf('PASS', 'TestScenario/', stdout)).toBe(scenarios.scenarios.length);
  expect(countOf('PASS', 'Test', stdout)).toBeGreaterThan(scenarios.scenarios.length + 40);
  expect(countOf('FAIL', '', stdout) + countOf('SKIP', '', stdout)).toBe(0);
});

test('Go client: the tests of its documentation pass in a new module and start a server', async () => {
  const folder = join(clients, 'shop');
  mkdirSync(folder);
  for (const args of [
    ['mod', 'init', 'shop'],
    ['mod', 'edit', '-replace=tapbench=../go'],
    ['get', 'tapbench'],
  ]) {
    const { code, stderr } = await run(GO, args, folder);
    expect(code, stderr).toBe(0);
  }
  const [first, ...others] = codeBlocks('testing-go.md', 'go', 'func Test');
  writeFileSync(join(folder, 'payment_test.go'), first!);
  const imports = ['context', 'os', 'testing', 'time', 'tapbench']
    .map((name) => `import "${name}"\n`)
    .join('');
  writeFileSync(join(folder, 'more_test.go'), `package shop\n\n${imports}\n${others.join('\n')}`);
  const { code, stdout, stderr } = await run(GO, ['test', '-v', '-vet=off'], folder, { TAPBENCH_COMMAND });
  expect(code, stdout + stderr).toBe(0);
  expect(countOf('PASS', 'Test', stdout)).toBe(3);
});
