import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import scenarios from '../../../clients/scenarios.json' with { type: 'json' };
import { copyOfClients, countsOf, TAPBENCH_COMMAND } from './client-folder.ts';
import { codeBlock, codeBlocks } from '../kit/documented-code.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

// What Maven has downloaded before.
const DOWNLOADED = join(homedir(), '.m2/repository');

// On a new machine Maven downloads its plugins first.
const PATIENT_MS = 300_000;

const fixture = createSystemFixture();
let clients: string;
let secretKey: string;
let build: Awaited<ReturnType<typeof maven>>;

/**
 * Runs Maven with a local repository of the test, so that the jar is not installed in that of the machine. Returns its exit
 * code and what it printed.
 */
async function maven(args: string[], cwd: string, env: Record<string, string>) {
  const common = ['--quiet', '--batch-mode', `-Dmaven.repo.local=${join(clients, 'm2')}`];
  const settings = { TAPBENCH_COMMAND, MAVEN_OPTS: '-XX:TieredStopAtLevel=1', LC_ALL: 'C.UTF-8' };
  const run = fixture.program('mvn', [...common, ...args], { cwd, env: { ...settings, ...env } });
  const { code, stdout, stderr } = await run.ended;
  // It resets colours, even without any.
  return { code, printed: stripVTControlCharacters(stdout + stderr) };
}

beforeAll(async () => {
  clients = copyOfClients(fixture);
  if (existsSync(DOWNLOADED)) cpSync(DOWNLOADED, join(clients, 'm2'), { recursive: true });
  const server = await fixture.tapbench({ args: ['--ephemeral'] });
  ({ secretKey } = server);
  build = await maven(['clean', 'install'], join(clients, 'java'), {
    TAPBENCH_URL: server.url,
    TAPBENCH_KEY: secretKey,
  });
}, PATIENT_MS);
afterAll(() => fixture.cleanUp());

test('Java client: its suite passes on a server, with every scenario, and builds the jar without a warning', () => {
  expect(build).toEqual({ code: 0, printed: '' });
  const folder = join(clients, 'java/target/surefire-reports');
  const reports = readdirSync(folder)
    .filter((name) => name.endsWith('.xml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(reports.join('\n')).not.toContain(secretKey);
  const counts = reports.map(countsOf);
  expect(counts.filter(({ failures, skipped }) => failures + skipped > 0)).toEqual([]);
  const tests = counts.reduce((sum, each) => sum + each.tests, 0);
  expect(tests).toBeGreaterThan(scenarios.scenarios.length + 30);
  const names = [...reports.join('\n').matchAll(/testcase name="scenario\([^)]*\) ([^"]*)"/g)].map(
    ([, name]) => name,
  );
  expect(names.toSorted()).toEqual(
    scenarios.scenarios.map(({ name }) => name.replaceAll("'", '&apos;')).toSorted(),
  );
  expect(readdirSync(join(clients, 'java/target'))).toContain('tapbench-junit-0.1.0.jar');
});

test(
  'Java client: the tests of its documentation pass in a new folder with the jar and start a server',
  { timeout: PATIENT_MS },
  async () => {
    const folder = join(clients, 'shop');
    mkdirSync(join(folder, 'src/test/java'), { recursive: true });
    writeFileSync(join(folder, 'pom.xml'), codeBlock('testing-java.md', 'xml', '<project'));
    const [first, ...others] = codeBlocks('testing-java.md', 'java', '@Test');
    const source = [first!.replace(/\}\s*$/, ''), ...others, '}'].join('\n');
    writeFileSync(join(folder, 'src/test/java/PaymentTest.java'), source);
    expect(await maven(['test'], folder, {})).toEqual({ code: 0, printed: '' });
    const report = readFileSync(join(folder, 'target/surefire-reports/TEST-PaymentTest.xml'), 'utf8');
    expect(countsOf(report)).toEqual({ tests: 2, failures: 0, skipped: 0 });
  },
);
