import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { LARGE, looks } from './looks.ts';
import { openPage } from './browser.ts';
import { createPictureFixture } from './picture-fixture.ts';
import { runProgram } from '../kit/run-program.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { fixture, folder, browser } = createPictureFixture();

/** Address of the report of a suite with a failing test. */
let report: string;
beforeAll(async () => {
  const place = mkdtempSync(join(tmpdir(), 'tapbench-failed-'));
  fixture.onCleanUp(() => rmSync(place, { recursive: true }));
  cpSync(join(ROOT, 'test/system/report-suite'), join(place, 'odd'), { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(place, 'node_modules'));
  mkdirSync(join(place, 'reports'));
  symlinkSync(ROOT, join(place, 'node_modules/tapbench'));
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(place, 'node_modules/vitest'));
  const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'odd/odd-config.ts'];
  // A run within a run has the variables of the outer one.
  const env = {
    VITEST: undefined,
    VITEST_POOL_ID: undefined,
    VITEST_WORKER_ID: undefined,
    TAPBENCH_REPORT: 'reports/odd.html',
  };
  const options = { cwd: place, limitMs: 120_000, env: env as never };
  const { code, output } = await runProgram(process.execPath, vitest, options);
  expect([code, output]).toEqual([1, expect.stringMatching(/2 failed[^]*11 passed/)]);
  report = pathToFileURL(join(place, 'reports/odd.html')).href;
}, 150_000);

/** Returns an expression for the browser: whether the whole height of an element can be seen. */
const isInView = (selector: string) => `new Promise((resolve) =>
  new IntersectionObserver(([seen]) => resolve(seen.boundingClientRect.height - seen.intersectionRect.height < 1))
    .observe(document.querySelector('${selector}')))`;

async function openReport({ size = LARGE, dark = false } = {}) {
  const opened = await openPage(browser());
  await opened.page.setViewportSize(size);
  const colorScheme = dark ? 'dark' : 'light';
  await opened.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await opened.page.goto(report);
  await opened.page.getByRole('heading', { name: 'one that fails, and leaves its world open' }).waitFor();
  await opened.page.locator('.position-text').waitFor();
  return opened;
}

test('failed-test report: shows stack, source, diff and console of the test that failed', async () => {
  const { page, errors } = await openReport();
  const failure = page.getByRole('region', { name: 'Failure' });
  expect(await failure.locator('.stack').innerText()).toMatch(/odd\/odd-tests\.ts:\d+:\d+/);
  const failed = page.getByRole('region', { name: 'Lines of the test' }).locator('.failed-line');
  expect(await failed.innerText()).toContain("toBe('nothing')");
  expect(await failure.locator('.diff').innerText()).toContain('Expected: "nothing"');
  await failure.getByRole('button', { name: 'Console (1)' }).click();
  expect(await failure.locator('.console-texts').innerText()).toContain('the reader is 401200··3335');
  expect(errors).toEqual([]);
});

test.each(looks('light-1440', 'light-1280'))(
  'failed-test report: failure, device, chart and timeline fit beside each other, $look',
  async ({ size }) => {
    const { page } = await openReport({ size });
    await page.locator('.drawing svg').waitFor();
    for (const part of ['.stack', '.failed-line', '.current-line', '.diff', '.display', '.entry:last-child'])
      await expect.poll(() => page.evaluate(isInView(part)), { message: part }).toBe(true);
    // A map of the chart is shown where the chart is larger than its pane.
    expect(await page.locator('.mini-map').count()).toBe(0);
  },
);

test('failed-test report: links to the trace, which is in another folder', async () => {
  const { page } = await openReport();
  const link = page.locator('.test-trace a');
  const address = new URL((await link.getAttribute('href'))!, report);
  expect(address.pathname).toMatch(/\/tapbench-traces\/[^/]+\.tapbench$/);
  expect(existsSync(address)).toBe(true);
});

test('failed-test report: keys move the line of the test with chart and timeline', async () => {
  const { page, errors } = await openReport();
  const line = page.locator('.test-lines .current-line');
  expect(await line.innerText()).toContain('await till.pay(1742);');
  expect(await page.locator('.chart-state b').innerText()).toBe('awaitingCard');
  await page.keyboard.press('Home');
  expect(await page.locator('.entry.shown .entry-title').innerText()).toContain('POST /in-person/locations');
  expect(await line.innerText()).toContain('await world.openTill();');
  for (let count = 0; count < 4; count++) await page.keyboard.press('ArrowRight');
  expect(await page.locator('.entry.shown .entry-title').innerText()).toContain('POST …/payment 200');
  expect(await line.innerText()).toContain('await till.pay(1742);');
  await page.keyboard.press('End');
  expect(await page.locator('.chart-state b').innerText()).toBe('awaitingCard');
  expect(errors).toEqual([]);
});

async function openFaults(options?: Parameters<typeof openReport>[0]) {
  const opened = await openReport(options);
  // On a phone the list of tests is above the test.
  await opened.page.getByRole('link', { name: /one with faults/ }).click();
  await opened.page.getByRole('heading', { name: 'one with faults' }).waitFor();
  await opened.page.getByRole('region', { name: 'Faults' }).waitFor();
  return opened;
}

test('failed-test report: a test with a plan of faults shows it in words, and how often it struck', async () => {
  const { page, errors } = await openFaults();
  const faults = page.getByRole('region', { name: 'Faults' });
  expect(await faults.getByRole('heading').innerText()).toBe('Faults: a bad day · struck once');
  expect(await faults.getByRole('listitem').allInnerTexts()).toEqual([
    'A message of a terminal to the server: message action.completed, the first one. It arrives twice.',
    'An attempt to deliver an event to a webhook endpoint: the first one. Once acknowledged, it is sent again.',
  ]);
  expect(errors).toEqual([]);
});

/** Takes pictures of the page's begin and end: what is far out of view is not drawn, so one of the whole page lacks it. */
async function takePictures(page: Page, name: string): Promise<void> {
  for (const [end, at] of [
    ['', 0],
    ['-end', 1e6],
  ]) {
    await page.evaluate(`scrollTo(0, ${at})`);
    const path = join(folder, `${name}${end}.png`);
    expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
  }
}

test.each(looks('light-1440', 'dark-1440', 'light-390', 'dark-390'))(
  'failed-test report: a plan of faults is accessible and fits, $look',
  async ({ look, size, dark }) => {
    const { page } = await openFaults({ size, dark });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await takePictures(page, `report-faults-${look}`);
  },
);

test.each(looks('light-1440', 'dark-1440', 'light-390', 'dark-390'))(
  'failed-test report: is accessible and fits, $look',
  async ({ look, size, dark }) => {
    const { page, errors } = await openReport({ size, dark });
    const shoot = async (name: string) => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      await takePictures(page, `report-${name}-${look}`);
    };
    await shoot('failure');
    await page.keyboard.press('Home');
    for (let count = 0; count < 4; count++) await page.keyboard.press('ArrowRight');
    await shoot('moment');
    await page.getByRole('button', { name: 'Console (1)' }).click();
    await shoot('console');
    expect(errors).toEqual([]);
  },
);
