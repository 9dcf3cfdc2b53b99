import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { openDashboard, showView } from './dashboard-page.ts';
import { LARGE, looks, NARROW } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const { fixture, folder, browser } = createPictureFixture();

/** The payments of one terminal, by what became of them. */
function createPayments(tapbench: Tapbench) {
  const { id } = tapbench.terminals[0]!;
  const post = async (path: string, body: unknown) => {
    const { status, body: answer } = await tapbench.api('POST', path, body);
    expect(answer).toBeTruthy();
    expect(status).toBe(200);
  };
  const act = (name: string, body: unknown) => post(`/sandbox/terminals/${id}/${name}`, body);
  const operate = (name: string, body: unknown) => post(`/v1/in-person/terminals/${id}/${name}`, body);
  const stateOf = async () => (await tapbench.api('GET', `/sandbox/terminals/${id}`)).body.state;
  const isIn = async (path: string) => {
    await expect.poll(stateOf).toBe(path);
  };
  const begin = async (requested: number, settings?: unknown) => {
    await act('cardholder', { script: 'none' });
    await operate('payment', { amounts: { requested }, currency: 'GBP', ...(settings ? { settings } : {}) });
    await isIn('awaitingCard');
  };
  const enterPin = async (keys: string) => {
    await isIn('awaitingPin');
    await act('press-keys', { keys: [...keys, 'enter'] });
  };
  return {
    id,
    begin,
    tap: () => act('present-card', { card: 'visa-contactless' }),
    isIn,
    approved: async () => {
      await begin(1742);
      await act('present-card', { card: 'visa-contactless' });
      await isIn('succeeded');
    },
    declined: async () => {
      await begin(1901);
      await act('present-card', { card: 'visa-contactless' });
      await isIn('failed');
    },
    cancelled: async () => {
      await begin(1742);
      await operate('cancel-action', {});
      await isIn('cancelled');
    },
    timedOut: async () => {
      await begin(1742);
      await post('/sandbox/clock/advance', { seconds: 600 });
      await isIn('failed');
    },
    pin: async () => {
      await begin(1742);
      await act('present-card', { card: 'visa-contact-pin' });
      await enterPin('9999');
      await isIn('awaitingPin');
      await enterPin('1234');
      await isIn('succeeded');
    },
    receipt: async () => {
      await begin(1742, { receiptPrintingSource: 'PointOfSale' });
      await act('present-card', { card: 'visa-contactless' });
      await isIn('approved.awaitingMerchantReceipt');
    },
  };
}

const OUTCOMES = ['approved', 'declined', 'cancelled', 'timedOut', 'pin', 'receipt'] as const;

/** The size of the smallest text of the chart on the screen, pixels. */
function textSize(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const svg = document.querySelector('.drawing svg');
    const scale = svg.getScreenCTM().a;
    const sizes = [...svg.querySelectorAll('text')].map((text) => parseFloat(getComputedStyle(text).fontSize));
    return Math.min(...sizes) * scale;
  })()`);
}

/** The paths of the states that the chart shows as boxes of their own. */
function statesShown(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('.drawing [data-state]')].map((state) => state.dataset.state)`,
  );
}

test.each(OUTCOMES)(
  'dashboard chart: shows the path of an action, fitted and legible, in light and dark: %s',
  async (outcome) => {
    const tapbench = await fixture.tapbench();
    const payments = createPayments(tapbench);
    const at = `#/terminals/${payments.id}`;
    await payments[outcome]();
    for (const { look, size, dark } of looks('light-1440', 'dark-1440', 'light-1280', 'dark-390')) {
      const { page, context, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
        size,
        dark,
        at,
      });
      if (size === NARROW) await button('Chart').click();
      await page.locator('.drawing .path .active').waitFor();
      // A PIN that is entered twice needs the most room. A chart is fitted again when what is around it has grown.
      const legible = size === LARGE ? 10.9 : 9.39;
      await expect.poll(() => textSize(page)).toBeGreaterThanOrEqual(legible);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await accessibilityProblems(page)).toEqual([]);
      const path = join(folder, `chart-${outcome}-${look}.png`);
      expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
      expect(errors).toEqual([]);
      await context.close();
    }
  },
);

test('dashboard chart: a decline ends where the machine ends, and all states are one click away', async () => {
  const tapbench = await fixture.tapbench();
  const payments = createPayments(tapbench);
  await payments.declined();
  const { page, button, state, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    size: LARGE,
    at: `#/terminals/${payments.id}`,
  });
  await state('failed');
  await page.locator('[data-arrow="declined failed"].taken').waitFor({ state: 'attached' });
  expect(await statesShown(page)).toEqual(['awaitingCard', 'reading', 'authorising', 'declined', 'failed']);
  expect(await page.locator('[data-exit="reversing"]').count()).toBe(1);

  await button('Show all states').click();
  await page.locator('[data-hop="declined action.ended failed"]').waitFor({ state: 'attached' });
  expect((await statesShown(page)).length).toBeGreaterThan(20);
  await page.screenshot({ path: join(folder, 'chart-all-states.png') });
  await button('Fit whole chart').click();
  await page.screenshot({ path: join(folder, 'chart-all-states-fitted.png') });

  // The choice holds over a reload and for other terminals and objects, until it is changed.
  await page.reload();
  await page.locator('[data-hop="declined action.ended failed"]').waitFor({ state: 'attached' });
  await page.goto(tapbench.dashboardUrl.replace(/#.*$/, '') + '#/webhooks');
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  await page.goBack();
  await page.locator('[data-hop="declined action.ended failed"]').waitFor({ state: 'attached' });
  await button('Show all states').click();
  await page.locator('[data-arrow="declined failed"].taken').waitFor({ state: 'attached' });
  expect(errors).toEqual([]);
});

test('dashboard chart: grows with the action, and stays as it is while the user steps back', async () => {
  const tapbench = await fixture.tapbench();
  const payments = createPayments(tapbench);
  await payments.begin(1742);
  const { page, button, state, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    size: LARGE,
    at: `#/terminals/${payments.id}`,
  });
  await state('awaitingCard');
  await page.locator('[data-state="awaitingCard"].active').waitFor({ state: 'attached' });
  expect(await statesShown(page)).toEqual(['awaitingCard']);
  expect(await page.locator('[data-exit="reading"]').count()).toBe(1);
  await payments.tap();
  // The state of the action is known before its last step.
  await page.locator('[data-state="succeeded"].active').waitFor({ state: 'attached' });
  const whole = await statesShown(page);
  expect(whole.at(-1)).toBe('succeeded');
  await button('Step back').click();
  await button('Step back').click();
  await state('approved.printing.customerCopy');
  expect(await statesShown(page)).toEqual(whole);
  await page.locator('[data-state="approved.printing.customerCopy"].active').waitFor({ state: 'attached' });
  expect(await page.locator('[data-state="succeeded"].visited').count()).toBe(0);
  expect(errors).toEqual([]);
});

test.each(looks('light-1440', 'dark-1280', 'light-390'))(
  'dashboard chart: an object shows the path of its machine, $look',
  async ({ look, size, dark }) => {
    const tapbench = await fixture.tapbench();
    const payments = createPayments(tapbench);
    await payments.approved();
    const { body } = await tapbench.api('GET', `/v1/in-person/terminals/${payments.id}`);
    const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
      size,
      dark,
      at: `#/objects/${body.action.transaction.paymentSessionId}?panel=machine`,
    });
    await page.locator('[data-state="captured"].active').waitFor();
    await expect.poll(() => textSize(page)).toBeGreaterThanOrEqual(9.99);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.screenshot({ path: join(folder, `chart-object-${look}.png`) });
    expect(errors).toEqual([]);
  },
);

test('dashboard chart: without the description of its machine, an action shows its steps', async () => {
  const tapbench = await fixture.tapbench();
  const payments = createPayments(tapbench);
  await payments.declined();
  const { page, context, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { size: LARGE });
  // As a server that was started again, with no terminal online.
  await context.route('**/dashboard/machines', (route) => route.fulfill({ json: { machines: [] } }));
  await context.route('**/dashboard/machines/*', (route) => route.fulfill({ status: 404, json: {} }));
  await showView(page, `#/terminals/${payments.id}`);
  await page.reload();
  await page.getByText('Only the steps are known').waitFor();
  await page.locator('[data-state="failed"].active').waitFor({ state: 'attached' });
  expect(await statesShown(page)).toEqual(['awaitingCard', 'reading', 'authorising', 'declined', 'failed']);
  expect(await page.getByRole('button', { name: 'Show all states' }).count()).toBe(0);
  await page.screenshot({ path: join(folder, 'chart-not-described.png') });
  expect(errors).toEqual([]);
});
