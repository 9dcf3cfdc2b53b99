import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lineAt } from '../../../testing/reporter/page/source-lines.ts';
import type { WorldTimeline } from '../../../testing/reporter/report-data.ts';
import { readTrace } from '../../../server/traces/trace-file.ts';
import { readReport } from '../../testing/read-report.ts';
import { startBrowser, openPage } from './browser.ts';
import { packPackage, type Installed, type Packed } from '../install/packed-package.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>;
};

let packed: Packed;
let shop: Installed;
let browser: Browser;
beforeAll(async () => {
  packed = await packPackage();
  // `npm install`, with one vitest for all runs of this test.
  shop = await packed.installIn('examples/vitest', ['install', `vitest@${devDependencies['vitest']}`]);
  browser = await startBrowser();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  packed?.remove();
});

test('vitest example: its package.json names the package that npm pack writes', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(readFileSync(join(ROOT, 'examples/vitest/package.json'), 'utf8')).toContain(
    `"tapbench": "file:../../tapbench-${version}.tgz"`,
  );
});

test('vitest example: its suite passes, and its report opens without a network', async () => {
  // The five seconds of vitest are short for a machine that does other work as well.
  const words = ['run', 'test:report', '--', '--testTimeout=60000', '--hookTimeout=60000'];
  const { stdout, code } = await shop.start('npm', words).ended;
  expect(stdout).toMatch(/Tests +9 passed/);
  expect(stdout).toMatch(/Tapbench report: tapbench-report\.html \(\d\.\d MB\)/);
  expect(stdout).toMatch(/Tapbench saw: action \d+ % of states/);
  expect(code).toBe(0);

  const { page, context, requested, errors } = await openPage(browser);
  await context.setOffline(true);
  await page.goto(pathToFileURL(join(shop.folder, 'tapbench-report.html')).href);
  await page.getByRole('link', { name: 'a declined card leaves the sale unpaid' }).click();
  await page.getByRole('heading', { name: 'a declined card leaves the sale unpaid' }).waitFor();
  await page.locator('.drawing [data-state="declined"].visited').waitFor({ state: 'attached' });
  await page.locator('.drawing [data-state="failed"].active').waitFor({ state: 'attached' });
  expect(await page.locator('.drawing .taken').count()).toBeGreaterThan(2);
  await page.getByText('PaymentSession.declined').first().waitFor();
  await page.getByRole('button', { name: 'Step back' }).click();
  await page.locator('.drawing [data-state="declined"].active').waitFor({ state: 'attached' });

  await page.getByRole('link', { name: 'Coverage' }).click();
  await page.getByRole('row', { name: /Terminal/ }).waitFor();
  expect(await page.locator('.coverage-chart .missed').count()).toBeGreaterThan(10);
  expect(errors).toEqual([]);
  expect(requested.filter((url) => !/^(file|data):/.test(url))).toEqual([]);
});

test('vitest example: its sources are checked against the published types', async () => {
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const { code, stdout } = await shop.start(compiler, ['--noEmit', '--skipLibCheck', 'false']).ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
});

const path = ({ entries }: WorldTimeline) =>
  entries.flatMap(({ step }) => (step?.machineId === 'action' ? [step.state.split('.').at(-1)] : []));
const TAKEN = [
  'awaitingCard',
  'reading',
  'authorising',
  'merchantCopy',
  'customerCopy',
  'completing',
  'succeeded',
];

test.each([
  ['processes', ['--pool=forks']],
  ['processes that share what they load', ['--pool=forks', '--no-isolate']],
  ['threads', ['--pool=threads']],
  ['threads that share what they load', ['--pool=threads', '--no-isolate']],
])('vitest example: every kind of test reports its own steps: in %s', async (_kind, options) => {
  cpSync(join(ROOT, 'test/system/report-suite'), join(shop.folder, 'odd'), { recursive: true });
  const words = ['vitest', 'run', '--config', 'odd/odd-config.ts', ...options];
  const { stdout } = await shop.start('npx', words).ended;
  // The default reporter beside ours says what it always says.
  expect(stdout).toMatch(/Tests +2 failed \| 11 passed \| 1 skipped/);

  const report = readReport(shop.read('odd-report.html'));
  const paths = (name: string) => report.timelinesOf(name).map(path);
  expect(paths('one that passes')).toEqual([TAKEN]);
  expect(paths('one that fails, and leaves its world open')).toEqual([['awaitingCard']]);
  const failed = report.tests.find(({ state }) => state === 'failed')!;
  const [error] = failed.errors;
  expect(error!.message).toMatch(/'sk_sandbox_·· 401200··3335' to be 'nothing'/);
  expect(error!.diff).toBe('Expected: "nothing"\nReceived: "sk_sandbox_·· 401200··3335"');
  const [frame] = error!.stack;
  expect(frame!.file).toBe('odd/odd-tests.ts');
  expect(error!.source!.lines[frame!.line - error!.source!.firstLine]).toContain(
    'expect(`${world.secretKey} 401200··3335`)',
  );
  expect(failed.console).toEqual([{ stream: 'stdout', text: 'the reader is 401200··3335\n' }]);

  // Its trace is named below the failure, and has its requests.
  const [trace] = failed.traces;
  expect(stdout).toContain(`npx tapbench trace ${trace!.path} --open`);
  const { header, items } = await readTrace(readFileSync(join(shop.folder, trace!.path)));
  expect(header.title).toBe('one that fails, and leaves its world open');
  expect(items).toContainEqual(
    expect.objectContaining({ kind: 'call', url: expect.stringMatching(/payment$/) }),
  );
  const entries = report.timelinesOf(header.title)[0]!.entries;
  expect(entries.find(({ title }) => title === 'POST …/payment 200')).toMatchObject({
    detail: { request: { body: { amounts: { requested: 1742 } } }, response: { status: 200 } },
  });
  expect(entries.at(-1)!.realMs).toBeGreaterThan(0);
  // The line of the test that made a call is that of the call's entry.
  const { source } = report.timelinesOf(header.title)[0]!;
  const lineOf = (title: string) => {
    const line = lineAt(source!.calls, entries.find((entry) => entry.title === title)!.realMs)!;
    return source!.lines[line - source!.firstLine];
  };
  expect(source!.file).toBe('odd/odd-tests.ts');
  expect(lineOf('POST …/payment 200')).toBe('  await till.pay(1742);');
  expect(source!.calls.map(({ line }) => source!.lines[line - source!.firstLine])).toContain(
    '  const till = await world.openTill();',
  );
  // A trace goes on after a fault has killed the server.
  const killed = report.tests.find(({ name }) => name.includes('killed the server'))!;
  const ofKilled = await readTrace(readFileSync(join(shop.folder, killed.traces[0]!.path)));
  const replied = new Set(ofKilled.items.flatMap((item) => (item.kind === 'reply' ? [item.call] : [])));
  const calls = ofKilled.items.flatMap((item) =>
    item.kind === 'call' ? [`${item.url} ${replied.has(item.seq)}`] : [],
  );
  expect(calls).toHaveLength(8);
  expect(calls).toContain('/v1/customers false');
  expect(calls.at(-1)).toBe('/v1/customers true');
  expect(report.tests.filter(({ state, traces }) => state === 'passed' && traces.length > 0)).toEqual([]);
  expect(report.timelinesOf('tried again').map(({ attempt }) => attempt)).toEqual([0, 1]);
  expect(paths('tried again')).toEqual([TAKEN, TAKEN]);
  expect(paths('one that says who it is')).toEqual([TAKEN]);
  expect(paths('> the first')).toEqual([TAKEN]);
  expect(paths('> the second')).toEqual([TAKEN]);
  expect(paths('one with faked timers')).toEqual([TAKEN]);
  expect(paths('one without a world, that is named for 401200··3335')).toEqual([]);
  // That of `beforeAll`, and those side by side that did not say which they are.
  const ofFile = report.tests.find(({ name }) => name === '')!;
  expect(ofFile.steps).toBeGreaterThan(4 * TAKEN.length);
});

test('vitest example: the report shows what a hunt tried, and the run prints what it did not test', async () => {
  cpSync(join(ROOT, 'test/system/hunt-suite'), join(shop.folder, 'hunts'), { recursive: true });
  const words = ['vitest', 'run', '--config', 'hunts/hunt-config.ts', '--testTimeout=60000'];
  const { stdout, code } = await shop.start('npx', words).ended;
  expect(code, stdout).toBe(0);
  expect(stdout).toMatch(
    /Tapbench hunt of 'a hunt that finds nothing': nothing found \(13 plans, seed quiet\)\n {2}warning: the scenario made no payment/,
  );
  expect(stdout).toMatch(
    /Tapbench hunt of 'a hunt that finds something': the till is closed \(1 plan, seed loud\)/,
  );
  expect(stdout).toContain('Tapbench hunt outside tests: nothing found (2 plans, seed hook)');
  expect(stdout).toContain("Tapbench hunt of 'a hunt of a command': nothing found (2 plans, seed process)");
  expect(stdout).toContain('Tapbench report: hunt-report.html');
  expect(stdout).not.toContain('no test started a world');

  const { page, errors } = await openPage(browser);
  await page.goto(pathToFileURL(join(shop.folder, 'hunt-report.html')).href);
  await page.getByRole('link', { name: 'a hunt that finds nothing' }).click();
  await page.getByText('13 plans · seed quiet').waitFor();
  const struck = page.getByRole('row', { name: /api\.request POST \/v1\/customers/ });
  await struck.getByText(/^\d+ of \d+$/).waitFor();
  await page.getByText('the scenario made no payment without faults').waitFor();
  await page.getByRole('link', { name: 'a hunt that finds something' }).click();
  await page.locator('.hunt').getByText('the till is closed').waitFor();
  await page
    .locator('.hunt-story')
    .getByText(/shop .*\(POST \/v1\/customers\): 200/)
    .waitFor();
  expect(errors).toEqual([]);
});

/** What the page of a live run showed: the heading of the test, and the last part of the active state. */
type Seen = [heading: string, state: string];

// Runs in the page before its own scripts. A state is shown for half a second, which a look from outside can miss.
const WATCH_STATES = `
  const statesSeen = (globalThis.statesSeen = []);
  new MutationObserver(() => {
    const state = document.querySelector('.drawing .active')?.dataset.state?.split('.').at(-1);
    const heading = document.querySelector('h1')?.textContent;
    const [lastHeading, lastState] = statesSeen.at(-1) ?? [];
    if (state && (state !== lastState || heading !== lastHeading)) statesSeen.push([heading, state]);
  }).observe(document, { subtree: true, childList: true, attributes: true });
`;

test('vitest example: a run can be watched live, and stepped back', async () => {
  const env = { TAPBENCH_PACE: '500', TAPBENCH_STAGE_PORT: '0', TAPBENCH_OPEN: 'off' };
  const words = ['run', 'test:report', '--', '--no-file-parallelism', 'sale'];
  const run = shop.start('npm', words, env);
  const [, url] = await run.prints(/Tapbench live test run: (\S+)/);
  const { page, errors } = await openPage(browser);
  await page.addInitScript(WATCH_STATES);
  await page.goto(url!);
  const statesOfSale = async () => {
    const seen = await page.evaluate<Seen[]>('globalThis.statesSeen');
    const ofSale = seen.filter(([heading]) => heading.includes('a sale is paid when the card was tapped'));
    return ofSale.map(([, state]) => state);
  };
  await expect.poll(statesOfSale).toContain('succeeded');
  expect(run.running).toBe(true);
  // The server's machine is drawn until the terminal takes its first step. A page that is slow may draw two steps together.
  const states = await statesOfSale();
  expect(states).toEqual(['sent', ...TAKEN].filter((state) => states.includes(state)));
  expect(states.length).toBeGreaterThan(3);

  await page.getByRole('link', { name: 'a sale is paid when' }).click();
  // The test that ran last, which the page showed before, may be in the same state.
  await page.locator('.follow:not([aria-current])').waitFor();
  await page.locator('.drawing [data-state="succeeded"].active').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Step back' }).click();
  await page.locator('.drawing [data-state="approved.completing"].active').waitFor({ state: 'attached' });
  await page.getByText('tapbench-report.html').waitFor({ timeout: 60_000 });
  expect((await run.ended).stdout).toMatch(/Tests +5 passed/);
  expect(errors).toEqual([]);
});
