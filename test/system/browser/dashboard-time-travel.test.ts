import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { openDashboard } from './dashboard-page.ts';
import { looks } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const { fixture, folder, browser } = createPictureFixture();

/** Takes a payment with a chip and a PIN, of which the issuer declines amounts that end on 901. */
async function payByChip(tapbench: Tapbench, amount: number): Promise<void> {
  const { id } = tapbench.terminals[0]!;
  const isIn = async (path: string) => {
    await expect
      .poll(async () => (await tapbench.api('GET', `/sandbox/terminals/${id}`)).body.state)
      .toBe(path);
  };
  await tapbench.api('POST', `/sandbox/terminals/${id}/cardholder`, { script: 'none' });
  await tapbench.api('POST', `/v1/in-person/terminals/${id}/payment`, {
    amounts: { requested: amount },
    currency: 'GBP',
  });
  await isIn('awaitingCard');
  await tapbench.api('POST', `/sandbox/terminals/${id}/present-card`, { card: 'visa-contact-pin' });
  await isIn('awaitingPin');
  await tapbench.api('POST', `/sandbox/terminals/${id}/press-keys`, { keys: ['1', '2', '3', '4', 'enter'] });
  await expect
    .poll(async () => (await tapbench.api('GET', `/v1/in-person/terminals/${id}`)).body.action.status)
    .not.toBe('InProgress');
}

/** Waits for the steps of an action that has succeeded: its state is known before them. */
async function stepsLoaded(page: Page): Promise<void> {
  await page.locator('.drawing [data-state="succeeded"].active').waitFor({ state: 'attached' });
}

/** What chart and device say of one moment. */
async function momentOf(page: Page) {
  const text = (selector: string) => page.locator(selector).first().innerText();
  return {
    state: await text('.chart-state b'),
    display: (await page.locator('.display').getAttribute('aria-label')) ?? '',
    card: await page.locator('.card-slot').getAttribute('data-card'),
    lights: await page.locator('.lights i:not([class=""])').count(),
    payment: await text('.session-state'),
  };
}

test('dashboard: display, lights, card and payment agree with the chart at every step back to the first', async () => {
  const tapbench = await fixture.tapbench();
  await payByChip(tapbench, 1742);
  const { page, button, state, openTerminal, errors } = await openDashboard(browser(), tapbench.dashboardUrl);
  await openTerminal(/Simulated terminal/);
  await stepsLoaded(page);
  const seen: Awaited<ReturnType<typeof momentOf>>[] = [];
  while (await button('Step back').isEnabled()) {
    await button('Step back').click();
    await page.locator('.past-note').waitFor();
    seen.unshift(await momentOf(page));
  }
  expect(
    seen.map(({ state: at, display, card, payment }) => `${at}: ${display}, ${card}, ${payment}`),
  ).toEqual([
    'awaitingCard: Display: 17.42 GBP, Present card, , not begun',
    'reading: Display: 17.42 GBP, Reading card, do not remove, visa-contact-pin, not begun',
    'awaitingPin: Display: 17.42 GBP, Enter PIN, visa-contact-pin, not begun',
    'verifyingPin: Display: 17.42 GBP, Checking PIN, visa-contact-pin, not begun',
    'authorising: Display: 17.42 GBP, Authorising, visa-contact-pin, not begun',
    'approved.printing.merchantCopy: Display: 17.42 GBP, Approved, printing merchant copy, , approved',
    'approved.printing.customerCopy: Display: 17.42 GBP, Approved, printing customer copy, , approved',
    'approved.completing: Display: 17.42 GBP, Approved, one moment, , approved',
  ]);
  expect(seen.map(({ lights }) => lights)).toEqual([1, 2, 2, 2, 3, 4, 4, 4]);
  await button('Back to now').click();
  await page.locator('.past-note').waitFor({ state: 'detached' });
  await state('succeeded');
  expect(errors).toEqual([]);
});

test('dashboard: the device shows the step of the chart before the next event, and no step is lost', async () => {
  const tapbench = await fixture.tapbench();
  await payByChip(tapbench, 1742);
  const { page, button, openTerminal } = await openDashboard(browser(), tapbench.dashboardUrl);
  await openTerminal(/Simulated terminal/);
  await stepsLoaded(page);
  // The page has no time to paint between a click and the next look.
  const seen = await page.evaluate<string[]>(`(async () => {
    const seen = [];
    const click = async (selector) => {
      document.querySelector(selector).click();
      await Promise.resolve().then(() => {});
      const state = document.querySelector('.chart-state b').textContent;
      const isPast = document.querySelector('.past-note') !== null;
      seen.push(state + ', ' + (isPast ? document.querySelector('.display').ariaLabel : 'now'));
    };
    await click('[aria-label="Step back"]');
    await click('.past-note button');
    await click('[aria-label="Step back"]');
    return seen;
  })()`);
  const completing = 'approved.completing, Display: 17.42 GBP, Approved, one moment';
  expect(seen).toEqual([completing, 'succeeded, now', completing]);
  await button('Back to now').waitFor();
});

test.each(looks('light-1440', 'light-1280', 'dark-1280', 'light-390', 'dark-390'))(
  'dashboard: the actions of a terminal, one of them with its receipts and steps, $look',
  async ({ look, size, dark }) => {
    const tapbench = await fixture.tapbench();
    await payByChip(tapbench, 1742);
    await payByChip(tapbench, 1901);
    const { id } = tapbench.terminals[0]!;
    const at = `#/terminals/${id}/actions`;
    const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { size, dark, at });
    const shoot = async (name: string) => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      const path = join(folder, `${name}-${look}.png`);
      expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
    };
    await page.locator('.action-list a', { hasText: 'insufficient funds' }).waitFor();
    await shoot('actions');
    await page.locator('.action-list a', { hasText: 'insufficient funds' }).click();
    // A narrow window shows one pane at a time, and draws no chart for another.
    if (size.width > 760)
      await page.locator('[data-arrow="declined failed"].taken').waitFor({ state: 'attached' });
    else await page.locator('.bad-words', { hasText: 'insufficient funds' }).waitFor();
    await shoot('declined');
    await page.goBack();
    await page.locator('.action-list a', { hasText: '17.42 GBP' }).click();
    await page.locator('.slip[data-copy=customerCopy]').waitFor();
    if (size.width > 760)
      await page.locator('[data-state="succeeded"].active').waitFor({ state: 'attached' });
    await shoot('past-action');
    if (size.width > 760) {
      await page.getByRole('button', { name: 'Step back' }).click();
      await page.getByRole('button', { name: 'Step back' }).click();
      await shoot('past-step');
    }
    expect(errors).toEqual([]);
  },
);
