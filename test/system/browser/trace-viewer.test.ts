import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { layOut } from '../../../server/dashboard/chart/layout.ts';
import { renderTracePage } from '../../../server/traces/trace-page.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { CARDS, openCheckout } from '../../kit/checkout.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld } from '../../../testing/world/world.ts';
import { accessibilityProblems } from './accessibility.ts';
import { openPage } from './browser.ts';
import { ALL_LOOKS, LARGE } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';

const { fixture, folder, browser } = createPictureFixture();

/** A payment with a PIN, one that is declined, one online, and a refused request. */
async function recordedSession(): Promise<Trace> {
  const world = await startWorld();
  try {
    const till = openTill(world, await world.addTerminal());
    const recording = await world.server.services.recordings!.startUnlisted('A PIN, a decline, one online');
    await world.listen('shop', ['PaymentSession.captured']);
    await till.pay(1742);
    await till.reaches('awaitingCard');
    till.terminal.perform({ act: 'present-card', card: 'visa-contact-pin' });
    await till.reaches('awaitingPin');
    till.terminal.perform({ act: 'press-keys', keys: ['1', '2', '3', '4', 'enter'] });
    await world.advance({ minutes: 2 });
    await till.takes(1901);
    const shop = openCheckout(world.api);
    await shop.pay(await shop.session(), CARDS.frictionless);
    await world.api.post('/v1/payment-sessions', { amount: -1 });
    return await recording.stop();
  } finally {
    await world.close();
  }
}

/** A payment whose terminal loses its network, while its last message arrives twice. */
async function recordedFaults(): Promise<Trace> {
  const world = await startWorld();
  try {
    const till = openTill(world, await world.addTerminal());
    const recording = await world.server.services.recordings!.startUnlisted('A bad day');
    const faults = [
      { at: 'message.report', what: 'twice', when: { message: 'action.completed' } },
      { at: 'terminal.state', what: 'network-down', when: { state: 'authorising' } },
    ];
    expect(await world.api.post('/sandbox/faults', { title: 'a bad day', faults })).toMatchObject({
      status: 200,
    });
    await till.pay(1742);
    await till.reaches('awaitingCard');
    till.terminal.perform({ act: 'present-card', card: 'visa-contactless' });
    await world.advance({ minutes: 5 });
    return await recording.stop();
  } finally {
    await world.close();
  }
}

let trace: Trace;
beforeAll(async () => void (trace = await recordedSession()));

/** Opens a trace's page from a file. */
async function openTrace(shown: Trace, { size = LARGE, dark = false } = {}) {
  const place = mkdtempSync(join(tmpdir(), 'tapbench-viewer-'));
  fixture.onCleanUp(() => rmSync(place, { recursive: true }));
  const file = join(place, 'trace.html');
  writeFileSync(file, await renderTracePage(shown, layOut));
  const opened = await openPage(browser());
  await opened.page.setViewportSize(size);
  const colorScheme = dark ? 'dark' : 'light';
  await opened.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await opened.page.goto(pathToFileURL(file).href);
  await opened.page.locator('.position-text').waitFor();
  return { ...opened, url: pathToFileURL(file).href };
}

/** What device and chart show. */
async function momentOf(page: Page): Promise<string> {
  const display = await page.locator('.display').getAttribute('aria-label');
  return `${await page.locator('.chart-state b').innerText()}, ${display}`;
}

test('trace viewer: keys move device, chart and timeline together, without a request', async () => {
  const { page, errors, requested, url } = await openTrace(trace);
  await page.getByRole('button', { name: 'Action 1' }).click();
  expect(await momentOf(page)).toBe('succeeded, Display: 17.42 GBP, Approved');
  const step = page.getByRole('button', { name: 'Step back' });
  for (let count = 0; count < 6; count++) await step.click();
  expect(await momentOf(page)).toBe('awaitingPin, Display: 17.42 GBP, Enter PIN');
  await page.keyboard.press('Home');
  expect(await page.locator('.entry.shown .entry-title').innerText()).toContain('POST …/payment 200');
  expect(await page.locator('.chart-state b').innerText()).toBe('not started');
  await page.keyboard.press('End');
  expect(await momentOf(page)).toBe('succeeded, Display: 17.42 GBP, Approved');
  await expect.poll(() => page.locator('.slip').count()).toBe(2);

  await page.getByRole('button', { name: 'All objects' }).click();
  await page.getByRole('slider', { name: 'Entry' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const count = await page.getByRole('slider').getAttribute('max');
  expect(await page.locator('.position-text').innerText()).toContain(`${Number(count) - 1}/`);
  await page.locator('.entry-line', { hasText: 'POST /payment-sessions 400' }).click();
  await page.locator('.timeline .json', { hasText: '"amount": -1' }).waitFor();
  expect(requested).toEqual([url]);
  expect(errors).toEqual([]);
});

test('trace viewer: a long trace draws a part of its timeline, and the rest on request', async () => {
  const items = Array.from({ length: 20 * trace.items.length }, (_, index) => {
    const item = trace.items[index % trace.items.length]!;
    return 'call' in item ? { ...item, seq: index, call: index - 1 } : { ...item, seq: index };
  });
  const { page, errors } = await openTrace({ ...trace, items });
  await page.keyboard.press('Home');
  expect(await page.locator('.entry').count()).toBeLessThan(500);
  expect(await page.locator('.position-text').innerText()).toMatch(/^1\/1\d{3}/);
  const later = page.getByRole('button', { name: /later entries/ });
  const drawn = await page.locator('.entry').count();
  await later.click();
  await expect.poll(() => page.locator('.entry').count()).toBe(drawn + 150);
  await page.keyboard.press('End');
  await page.getByRole('button', { name: /earlier entries/ }).waitFor();
  expect(errors).toEqual([]);
});

test('trace viewer: a machine that no terminal described is drawn from its steps', async () => {
  const { page, errors } = await openTrace({ ...trace, machines: [] });
  await page.getByRole('button', { name: 'Action 1' }).click();
  await page.locator('.drawing [data-state=succeeded]').waitFor();
  await page.getByText('Only the steps are known').waitFor();
  expect(errors).toEqual([]);
});

test.each(ALL_LOOKS)('trace viewer: is accessible and fits, $look', async ({ look, size, dark }) => {
  const { page, errors } = await openTrace(trace, { size, dark });
  const shoot = async (name: string) => {
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    const path = join(folder, `trace-${name}-${look}.png`);
    expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
  };
  await shoot('end');
  await page.getByRole('button', { name: 'Action 1' }).click();
  for (let count = 0; count < 12; count++) await page.keyboard.press('ArrowLeft');
  await shoot('moment');
  if (size.width < 760) {
    await page.getByRole('button', { name: 'Device', exact: true }).click();
    await shoot('device');
  }
  expect(errors).toEqual([]);
});

test('trace viewer: shows the plan of faults in words, and where each fault struck', async () => {
  const { page, errors } = await openTrace(await recordedFaults());
  const faults = page.getByRole('region', { name: 'Faults' });
  expect(await faults.getByRole('heading').innerText()).toBe('Faults: a bad day · struck 2 times');
  expect(await faults.getByRole('listitem').count()).toBe(2);
  await page.locator('.drawing .strike').waitFor();
  const strike = page.locator('.entry', { hasText: 'a fault struck' });
  await expect.poll(() => strike.count()).toBe(2);
  for (const { look, size, dark } of ALL_LOOKS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    expect([look, await accessibilityProblems(page)]).toEqual([look, []]);
    const path = join(folder, `trace-faults-${look}.png`);
    expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
  }
  expect(errors).toEqual([]);
});
