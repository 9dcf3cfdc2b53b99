import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readTrace } from '../../../server/traces/trace-file.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

const fixture = createSystemFixture();
afterEach(() => fixture.cleanUp());

const FILES = ['--junit', 'hunt.xml', '--sarif', 'hunt.sarif', '--trace', 'hunt.tapbench'];

/**
 * Writes the module of a hunt whose plans hang after the last one that ends, since its verdict never comes. A timer of its own keeps the
 * process running. Returns the folder.
 * @param verdict expression of what is wrong in the plans before, whose number is `plans`
 */
function hangingTill(verdict: string, lastPlan = 20): string {
  const folder = fixture.folder();
  writeFileSync(
    join(folder, 'till.mjs'),
    `import { writeFileSync } from 'node:fs';
    setInterval(() => {}, 1_000);
    let plans = 0;
    export default {
      plans: 1_000_000,
      seconds: 600,
      async scenario({ world, fetch }) {
        plans += 1;
        const headers = { authorization: world.secretKey, 'content-type': 'application/json' };
        const body = JSON.stringify({ amount: 1742, currency: 'GBP' });
        for (let sale = 0; sale < 2; sale += 1)
          await fetch(world.url + '/v1/payment-sessions', { method: 'POST', headers, body }).catch(() => {});
      },
      verdicts: [() => {
        if (plans <= ${lastPlan}) return ${verdict};
        writeFileSync('hangs', '');
        return new Promise(() => {});
      }],
    };`,
  );
  return folder;
}

const resultsIn = (cwd: string) => ({
  junit: readFileSync(join(cwd, 'hunt.xml'), 'utf8'),
  sarif: JSON.parse(readFileSync(join(cwd, 'hunt.sarif'), 'utf8')).runs[0],
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'hunt FILE: %s ends it while a plan hangs, with the plans that were tried, and code 130',
  async (signal) => {
    const cwd = hangingTill('undefined');
    const child = fixture.command(['hunt', 'till.mjs', ...FILES], { cwd });
    await waitFor('a plan that hangs', () => existsSync(join(cwd, 'hangs')));
    const { code, stdout, stderr } = await child.kill(signal);
    expect({ code, stdout, stderr }).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(
        /^interrupted, nothing found: 20 plans tried, seed 1.*\n {2}at +what +happened +struck\n/,
      ),
    });
    const { junit, sarif } = resultsIn(cwd);
    expect(junit).toContain('<error message="interrupted after 20 plans, in which nothing was found"');
    expect(sarif).toMatchObject({ results: [], invocations: [{ executionSuccessful: false }] });
  },
);

test('hunt FILE: an interrupted hunt that has found something prints and writes it, with code 1', async () => {
  const cwd = hangingTill("plans === 20 ? 'the till is closed' : undefined");
  const child = fixture.command(['hunt', 'till.mjs', ...FILES], { cwd });
  await waitFor('a plan that hangs', () => existsSync(join(cwd, 'hangs')));
  const { code, stdout } = await child.kill('SIGINT');
  expect({ code, stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^found after 20 plans, seed 1: the till is closed\n/),
  });
  expect(stdout).toContain('it went wrong in its only run: the hunt ended before it was tried again');
  const { junit, sarif } = resultsIn(cwd);
  expect(junit).toContain('<failure message="the till is closed"');
  expect(sarif.results).toMatchObject([{ ruleId: 'ownVerdict' }]);
  expect((await readTrace(readFileSync(join(cwd, 'hunt.tapbench')))).header.title).toBe('hunt, seed 1');
});

test('hunt FILE: ends when its seconds are up although a plan hangs and the module keeps the process running', async () => {
  const cwd = hangingTill('undefined', 3);
  const { code, stdout } = await fixture.run(['hunt', 'till.mjs', '--seconds', '10', '--json'], {
    cwd,
  });
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ plans: 3, endedBy: 'seconds' })]);
});

test('hunt --command: an interrupt ends it and the process of the shop while a plan is under way', async () => {
  const cwd = fixture.folder();
  const [begun, hangs] = [join(cwd, 'begun'), join(cwd, 'hangs')];
  // Done with its sale without faults; the second one stays.
  writeFileSync(
    join(cwd, 'shop.mjs'),
    `import { existsSync, writeFileSync } from 'node:fs';
    const { TAPBENCH_URL, TAPBENCH_KEY: authorization } = process.env;
    await fetch(TAPBENCH_URL + '/v1/customers', { headers: { authorization } }).catch(() => {});
    if (existsSync('begun')) {
      setInterval(() => {}, 1_000);
      writeFileSync('hangs', String(process.pid));
    }
    writeFileSync('begun', '');`,
  );
  const command = `exec '${process.execPath}' shop.mjs`;
  const child = fixture.command(['hunt', '--command', command, '--quiet', '600', ...FILES], { cwd });
  await waitFor('the process to stay', () => existsSync(hangs) && readFileSync(hangs, 'utf8') !== '');
  const { code, stdout } = await child.kill('SIGINT');
  expect(existsSync(begun)).toBe(true);
  expect([code, stdout]).toEqual([130, expect.stringMatching(/^interrupted, nothing found: 1 plans tried/)]);
  expect(() => process.kill(Number(readFileSync(hangs, 'utf8')), 0)).toThrow('ESRCH');
});
