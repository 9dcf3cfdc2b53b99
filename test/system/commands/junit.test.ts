import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runProgram } from '../kit/run-program.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

const ROOT = join(import.meta.dirname, '../../..');
const SHOP = `exec python3 ${join(ROOT, 'examples/shop-python/shop.py')}`;
const PATHS = ['--sell', '/orders', '--books', '/books', '--webhooks', '/webhooks'];

/**
 * Reads results with Python's parser of XML, and holds what Jenkins' and Surefire's schemas of JUnit say: the elements, their
 * attributes, and that the counts are those of the cases.
 */
const READ = `
import json, sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == 'testsuites', root.tag
NUMBERS = {'tests', 'failures', 'errors', 'skipped', 'time'}
cases = []
for suite in root:
    assert suite.tag == 'testsuite' and set(suite.attrib) == NUMBERS | {'name', 'timestamp'}, suite.attrib
    found = {'failure': 0, 'error': 0, 'skipped': 0}
    for case in suite:
        assert case.tag == 'testcase' and set(case.attrib) == {'classname', 'name', 'time'}, case.attrib
        assert float(case.get('time')) >= 0
        assert len(case) <= 1
        kind, message = 'passed', None
        for outcome in case:
            kind, message = outcome.tag, outcome.get('message')
            found[kind] += 1
        cases.append([suite.get('name'), case.get('name'), kind, message])
    counts = [int(suite.get(name)) for name in ('tests', 'failures', 'errors', 'skipped')]
    assert counts == [len(suite), found['failure'], found['error'], found['skipped']], counts
for name in ('tests', 'failures', 'errors', 'skipped'):
    assert int(root.get(name)) == sum(int(suite.get(name)) for suite in root), name
json.dump(cases, sys.stdout)
`;

/** Returns the suite, name, kind and message of each case. */
async function casesIn(path: string): Promise<(string | null)[][]> {
  const { code, output } = await runProgram('python3', ['-c', READ, path]);
  expect({ code, output }).toMatchObject({ code: 0 });
  return JSON.parse(output);
}

test('drill --junit: passed, failed and what nothing struck are read by a parser of XML', async () => {
  const tapbench = await fixture.tapbench();
  const folder = fixture.folder();
  const run = async (...words: string[]) => {
    const env = { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! };
    const args = ['drill', 'duplicate-webhook', '--junit', 'out/drill.xml', ...words];
    const { code } = await fixture.run(args, { cwd: folder, env });
    const [suite, ...more] = await casesIn(join(folder, 'out/drill.xml'));
    return [code, suite, ...more];
  };
  expect(await run()).toEqual([0, ['tapbench drill', 'right integration', 'passed', null]]);
  const lost = 'the shop has 34.84 GBP for the order order-1, and 17.42 GBP were taken';
  expect(await run('--integration', 'wrong')).toEqual([
    1,
    ['tapbench drill', 'wrong integration', 'failure', lost],
  ]);
  expect(await run('--', 'true')).toEqual([
    2,
    ['tapbench drill', 'own integration', 'error', expect.stringContaining('nothing was sold')],
  ]);
  // The file of the run before is replaced when nothing can be found out.
  expect(await run('--url', 'http://127.0.0.1:9')).toEqual([
    2,
    ['tapbench drill', 'duplicate-webhook', 'error', expect.stringContaining('no server at')],
  ]);
}, 120_000);

test('drill --junit: a misspelt name replaces the file of the run before, and no name is refused', async () => {
  const cwd = fixture.folder();
  const junit = join(cwd, 'drill.xml');
  writeFileSync(junit, 'of the run before');
  const misspelt = await fixture.run(['drill', 'duplicate-webhok', '--junit', junit], { cwd });
  expect([misspelt.code, ...(await casesIn(junit))]).toEqual([
    2,
    ['tapbench drill', 'duplicate-webhok', 'error', expect.stringContaining('NAME must be one of')],
  ]);
  const unnamed = await fixture.run(['drill', '--junit', junit], { cwd });
  expect(unnamed).toMatchObject({ code: 2, stderr: expect.stringContaining('--junit needs the name') });
});

test('drill --junit: a file that cannot be written is refused', async () => {
  const args = ['drill', 'duplicate-webhok', '--junit', '/proc/none/drill.xml'];
  const { code, stderr } = await fixture.run(args, { cwd: fixture.folder() });
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--junit /proc/none/drill.xml cannot be written'),
  });
});

test('hunt --junit: a shop with a defect is a failure, and a command that cannot be used an error', async () => {
  const folder = fixture.folder();
  const junit = join(folder, 'hunt.xml');
  const run = async (command: string) => {
    // Found after few plans.
    const limits = ['--seed', '2', '--plans', '60', '--seconds', '60', '--quiet', '1', '--jobs', '2'];
    const args = ['hunt', '--command', command, ...PATHS, ...limits, '--junit', junit];
    const { code } = await fixture.run(args, { cwd: folder });
    return [code, ...(await casesIn(junit))];
  };
  expect(await run(`${SHOP} --defect charges-again`)).toEqual([
    1,
    ['tapbench hunt', 'without faults', 'passed', null],
    ['tapbench hunt', 'under plans of faults, seed 2', 'failure', expect.stringContaining('charged 2 times')],
  ]);
  expect(await run('exit 3')).toEqual([2, ['tapbench hunt', 'hunt', 'error', expect.any(String)]]);
}, 120_000);

const TESTS = `
import { expect, test } from 'vitest';
test('passes', () => {});
test('compares <a> & "b"', () => expect('one').toBe('two\\u0000'));
test.skip('is left out', () => {});
test.todo('is to be written');
`;

test('the reporter: TAPBENCH_JUNIT writes each test and each file that did not load', async () => {
  const folder = fixture.folder();
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'one.test.js'), TESTS);
  writeFileSync(join(folder, 'two.test.js'), "import './nowhere.js';");
  cpSync(join(ROOT, 'dist'), join(folder, 'tapbench/dist'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'tapbench/package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'tapbench/node_modules'));
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const exported = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).exports['./vitest'];
  const reporter = join(folder, 'tapbench', exported.default ?? exported.import ?? exported);
  const ended = await fixture.program(process.execPath, [vitest, 'run', `--reporter=${reporter}`], {
    cwd: folder,
    env: { TAPBENCH_JUNIT: 'out/junit.xml', TAPBENCH_REPORT: '' },
  }).ended;
  expect(ended).toMatchObject({ code: 1 });
  expect(await casesIn(join(folder, 'out/junit.xml'))).toEqual([
    ['one.test.js', 'passes', 'passed', null],
    ['one.test.js', 'compares <a> & "b"', 'failure', expect.stringContaining("to be 'two")],
    ['one.test.js', 'is left out', 'skipped', null],
    ['one.test.js', 'is to be written', 'skipped', null],
    ['two.test.js', 'two.test.js', 'error', expect.stringContaining('nowhere.js')],
  ]);
}, 60_000);
