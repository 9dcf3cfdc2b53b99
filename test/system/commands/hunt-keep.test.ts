import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

const ROOT = join(import.meta.dirname, '../../..');

/** A till that loses its second sale when its reply is lost; a mended one asks again. */
const tillOf = (isMended: boolean) => `
  let lost = false;
  export default {
    async scenario({ world, fetch }) {
      lost = false;
      const headers = { authorization: world.secretKey, 'content-type': 'application/json' };
      const body = JSON.stringify({ amount: 1742, currency: 'GBP' });
      for (let sale = 1; sale <= 3; sale += 1)
        await fetch(world.url + '/v1/payment-sessions', { method: 'POST', headers, body })
          .catch(() => (lost ||= sale === 2 && ${!isMended}));
    },
    verdicts: [() => lost ? 'the second sale was lost' : undefined],
  };`;

test('hunt FILE: keeps what it found beside the module, tries it first next time, and writes it as a test', async () => {
  const cwd = fixture.folder();
  const till = join(cwd, 'till.hunt.mjs');
  writeFileSync(till, tillOf(false));
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
  const first = await fixture.run(['hunt', 'till.hunt.mjs', '--keep', 'till.test.js'], { cwd });
  expect([first.code, first.stdout]).toEqual([
    1,
    expect.stringMatching(/\nkept in: {4}hunts\/till\.json, [^]*\ntest: {7}till\.test\.js\n/),
  ]);
  const { plans } = JSON.parse(readFileSync(join(cwd, 'hunts/till.json'), 'utf8'));
  expect(plans).toMatchObject([{ verdict: 'the second sale was lost' }]);
  // The one without faults, and this one.
  const again = await fixture.run(['hunt', 'till.hunt.mjs', '--plans', '1', '--seed', 'other', '--json'], {
    cwd,
  });
  const { found } = JSON.parse(again.stdout);
  expect([again.code, found.example]).toEqual([1, plans[0].faults]);

  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules/tapbench'));
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(cwd, 'node_modules/vitest'));
  const runTest = async () => {
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    const ended = await fixture.program(process.execPath, [vitest, 'run', 'till.test.js'], { cwd }).ended;
    return [ended.code, ended.stdout + ended.stderr];
  };
  expect(await runTest()).toEqual([
    1,
    expect.stringContaining("expected 'the second sale was lost' to be undefined"),
  ]);
  writeFileSync(till, tillOf(true));
  expect(await runTest()).toEqual([0, expect.stringContaining('1 passed')]);
}, 60_000);

/** A till with two defects: it loses its first sale when the reply is lost, and its second one in another way. */
const TWO_DEFECTS = `
  let lost = new Set();
  export default {
    async scenario({ world, fetch }) {
      lost = new Set();
      const headers = { authorization: world.secretKey, 'content-type': 'application/json' };
      const post = (path, body) =>
        fetch(world.url + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => lost.add(path));
      await post('/v1/customers', { email: 'a@example.com' });
      await post('/v1/payment-sessions', { amount: 1742, currency: 'GBP' });
    },
    verdicts: [
      () => lost.has('/v1/payment-sessions') ? 'the sale was lost' : undefined,
      () => lost.has('/v1/customers') ? 'the customer was lost' : undefined,
    ],
  };`;

test('hunt FILE --all: goes on, and reports, keeps and writes a plan of each defect', async () => {
  const cwd = fixture.folder();
  writeFileSync(join(cwd, 'till.mjs'), TWO_DEFECTS);
  const files = ['--keep', 'till.test.js', '--junit', 'hunt.xml', '--sarif', 'hunt.sarif'];
  const args = ['hunt', 'till.mjs', '--all', '--max-faults', '1', ...files];
  const { code, stdout } = await fixture.run(args, { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^found [2-9] defects in \d+ plans, seed 1\ndefect 1: the /);
  const verdicts = ['the customer was lost', 'the sale was lost'];
  const textOf = (file: string) => readFileSync(join(cwd, file), 'utf8');
  for (const verdict of verdicts)
    for (const text of [stdout, textOf('till.test.js'), textOf('hunt.xml'), textOf('hunt.sarif')])
      expect(text).toContain(verdict);
  const defects = stdout.match(/^defect \d+: /gm)!.length;
  const { plans } = JSON.parse(textOf('hunts/till.json'));
  expect([plans.length, textOf('till.test.js').split('\ntest(').length - 1]).toEqual([defects, defects]);
  const traces = [...stdout.matchAll(/trace --open (\S+)/g)].map(([, file]) => file!);
  expect(traces.slice(0, 2)).toEqual(['hunt-1.tapbench', 'hunt-1-2.tapbench']);
  expect(traces.map((file) => readFileSync(join(cwd, file)).length > 0)).not.toContain(false);
  const json = await fixture.run(['hunt', 'till.mjs', '--all', '--max-faults', '1', '--json'], { cwd });
  const { found, others } = JSON.parse(json.stdout);
  expect([found.trace, others[0].trace, others.length]).toEqual([...traces.slice(0, 2), defects - 1]);
});

test('hunt FILE: the seed of CI is the date, unless one is given', async () => {
  const cwd = fixture.folder();
  writeFileSync(join(cwd, 'till.mjs'), tillOf(true));
  const seedOf = async (env: Record<string, string>, ...words: string[]) => {
    const { stdout } = await fixture.run(['hunt', 'till.mjs', '--plans', '3', ...words], { cwd, env });
    return /^nothing found: \d plans tried, seed (\S+?)[;\n]/.exec(stdout)?.[1];
  };
  expect(await seedOf({})).toBe('1');
  expect(await seedOf({ CI: 'true' })).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(await seedOf({ CI: 'true' }, '--seed', '7')).toBe('7');
});

test('hunt FILE: a file of plans that is damaged is refused', async () => {
  const cwd = fixture.folder();
  writeFileSync(join(cwd, 'till.mjs'), tillOf(false));
  writeFileSync(join(cwd, 'plans.json'), '{"format":"other"}');
  const { code, stderr } = await fixture.run(['hunt', 'till.mjs', '--hunts', 'plans.json'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('hunt: plans.json: ') });
});

test('hunt --hunts: a file that is not there is said to be none', async () => {
  const cwd = fixture.folder();
  writeFileSync(join(cwd, 'till.mjs'), tillOf(true));
  const args = ['hunt', 'till.mjs', '--plans', '3', '--hunts', 'misspelt.json'];
  const { stdout } = await fixture.run(args, { cwd });
  expect(stdout).toContain(
    'warning: there was no file misspelt.json: no plan that was found before was tried\n',
  );
});

test('hunt --keep: needs a module, which the test imports, and leaves no file of an earlier run as it was', async () => {
  const cwd = fixture.folder();
  for (const file of ['old.xml', 'old.sarif']) writeFileSync(join(cwd, file), 'of an earlier run');
  const args = [
    'hunt',
    '--command',
    'true',
    '--keep',
    'shop.test.js',
    '--junit',
    'old.xml',
    '--sarif',
    'old.sarif',
  ];
  const { code, stderr } = await fixture.run(args, { cwd });
  const why = '--keep writes a test that imports FILE';
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
  expect(readFileSync(join(cwd, 'old.xml'), 'utf8')).toContain(why);
  expect(readFileSync(join(cwd, 'old.sarif'), 'utf8')).toContain(why);
});
