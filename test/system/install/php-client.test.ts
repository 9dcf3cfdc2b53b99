import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import scenarios from '../../../clients/scenarios.json' with { type: 'json' };
import { copyOfClients, countsOf, TAPBENCH_COMMAND } from './client-folder.ts';
import { codeBlocks } from '../kit/documented-code.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
let clients: string;
beforeAll(() => {
  clients = copyOfClients(fixture);
});
afterAll(() => fixture.cleanUp());

test('PHP client: its suite passes on a server, with every scenario', async () => {
  const { url, secretKey } = await fixture.tapbench({ args: ['--ephemeral'] });
  const report = join(clients, 'junit.xml');
  const suite = fixture.program('phpunit', ['--verbose', '--log-junit', report], {
    cwd: join(clients, 'php'),
    env: { TAPBENCH_COMMAND, TAPBENCH_URL: url, TAPBENCH_KEY: secretKey },
  });
  const { code, stdout, stderr } = await suite.ended;
  expect(code, stdout + stderr).toBe(0);
  expect(stdout + stderr).not.toContain(secretKey);
  const junit = readFileSync(report, 'utf8');
  const { tests, ...others } = countsOf(junit);
  expect(others).toEqual({ failures: 0, skipped: 0 });
  expect(tests).toBeGreaterThan(scenarios.scenarios.length + 10);
  expect(junit.match(/testcase name="testScenario with/g)).toHaveLength(scenarios.scenarios.length);
});

test('PHP client: the tests of its documentation pass in a new folder and start a server', async () => {
  const folder = join(clients, 'shop');
  mkdirSync(folder);
  const blocks = codeBlocks('testing-php.md', 'php', 'public function test');
  const [first, ...others] = blocks.filter((block) => !block.includes('class CustomerTest'));
  const prepared = blocks.filter((block) => block.includes('class CustomerTest'));
  writeFileSync(join(folder, 'PaymentTest.php'), [first!.replace(/\}\s*$/, ''), ...others, '}'].join('\n'));
  writeFileSync(join(folder, 'CustomerTest.php'), prepared.join('\n'));
  const args = ['--bootstrap', '../php/autoload.php', '.'];
  const { code, stdout } = await fixture.program('phpunit', args, { cwd: folder, env: { TAPBENCH_COMMAND } })
    .ended;
  expect(code, stdout).toBe(0);
  expect(stdout).toContain('OK (3 tests');
});
