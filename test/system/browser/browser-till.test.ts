import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { openPage, startBrowser } from './browser.ts';
import type { Child } from '../kit/child-command.ts';
import { holdRequests } from './dashboard-page.ts';
import { pageProblems } from './page-check.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const SHOP = join(import.meta.dirname, '../../../examples/shop/right/shop.js');

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
let browser: Browser;
let till: string;

/** Starts the process of the shop, and returns it with the address of its till. */
async function startShop(store: string): Promise<{ shop: Child; url: string }> {
  const env = {
    TAPBENCH_URL: tapbench.url,
    TAPBENCH_KEY: tapbench.secretKey,
    TAPBENCH_PORT: '0',
    TAPBENCH_STORE: store,
  };
  const shop = fixture.program(process.execPath, [SHOP], { env });
  const [, url] = await shop.prints(/^The till is at (\S+)$/m);
  return { shop, url: url! };
}

beforeAll(async () => {
  [tapbench, browser] = await Promise.all([fixture.tapbench(), startBrowser()]);
  fixture.onCleanUp(() => browser.close());
  ({ url: till } = await startShop(join(fixture.folder(), 'shop.db')));
});

const cardholder = (script: string) =>
  tapbench.api('POST', `/sandbox/terminals/${tapbench.terminals[0]!.id}/cardholder`, { script });
const actionAmount = async () => {
  const { body } = await tapbench.api('GET', `/v1/in-person/terminals/${tapbench.terminals[0]!.id}`);
  return body.action?.status === 'InProgress' ? body.action.transaction.amounts.requested : undefined;
};
const latest = (page: Page) => page.locator('#orders li').first();
const said = async (page: Page, text: string) => latest(page).getByText(text, { exact: true }).waitFor();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();

async function sells(page: Page, ...products: string[]): Promise<void> {
  for (const product of products) await press(page, product);
  await press(page, 'Pay at the terminal');
}

test('till of the example shop: sells, shows that it is paid, and gives the money back', async () => {
  await cardholder('tap');
  const { page, errors } = await openPage(browser);
  await page.goto(till);
  await sells(page, 'Coffee, £2.80', 'Coffee, £2.80', 'Cake, £3.90');
  await said(page, 'Paid');
  expect(await latest(page).innerText()).toMatch(/2 × Coffee, 1 × Cake\s+£9\.50\s+Paid/);
  await expect.poll(() => page.locator('#total').innerText()).toBe('£0.00');
  await press(page, /^Refund/);
  await said(page, 'Refunded');
  const { body } = await tapbench.api('GET', '/v1/payment-sessions');
  expect(body.items[0]).toMatchObject({ amount: 950, refundedAmount: 950 });
  expect(errors).toEqual([]);
});

test('till of the example shop: a decline says why, and the order can be paid again and cancelled', async () => {
  await cardholder('tap');
  const { page } = await openPage(browser);
  await page.goto(till);
  await page.getByLabel('Other amount').fill('19.01');
  await press(page, 'Add');
  await press(page, 'Pay at the terminal');
  await said(page, 'Not paid');
  expect(await latest(page).innerText()).toContain('insufficient funds');
  await cardholder('none');
  await press(page, /^Pay again/);
  await press(page, /^Cancel/);
  await said(page, 'Cancelled');
});

test('till of the example shop: says what is wrong with an amount, and that the terminal is busy', async () => {
  await cardholder('none');
  const { page } = await openPage(browser);
  await page.goto(till);
  await page.getByLabel('Other amount').fill('four');
  await press(page, 'Add');
  await page.getByRole('alert').getByText('Give an amount such as 4.50.').waitFor();
  await sells(page, 'Tea, £2.20');
  await said(page, 'At the terminal');
  await sells(page, 'Tea, £2.20');
  await page.getByText('the terminal is busy with another order').waitFor();
  // The basket is kept, so that it can be paid then.
  expect(await page.locator('#total').innerText()).toBe('£2.20');
  await press(page, /^Cancel/);
  await said(page, 'Cancelled');
});

test('till of the example shop: what is added while an order is sent is for the next order', async () => {
  await cardholder('none');
  const { page } = await openPage(browser);
  await page.goto(till);
  const release = await holdRequests(page, '**/orders');
  const asked = page.waitForRequest((request) => request.method() === 'POST');
  await sells(page, 'Coffee, £2.80');
  await asked;
  await press(page, 'Tea, £2.20');
  expect(await page.getByRole('button', { name: 'Pay at the terminal' }).isDisabled()).toBe(true);
  release();
  await said(page, 'At the terminal');
  await expect.poll(() => page.locator('#total').innerText()).toBe('£2.20');
  await press(page, /^Cancel/);
  await said(page, 'Cancelled');
});

test('till of the example shop: what was sold is there after the process was killed', async () => {
  await cardholder('none');
  const store = join(fixture.folder(), 'shop.db');
  const first = await startShop(store);
  const { page } = await openPage(browser);
  await page.goto(first.url);
  await sells(page, 'Juice, £3.10');
  await said(page, 'At the terminal');
  // A shop that is killed before it has sent the payment waits three minutes for it when it starts again.
  await expect.poll(actionAmount).toBe(310);
  await first.shop.kill();
  await sells(page, 'Tea, £2.20');
  await page.getByText('The shop does not answer. Try again.').waitFor();
  await cardholder('tap');
  await page.goto((await startShop(store)).url);
  await said(page, 'Paid');
  expect(await latest(page).innerText()).toContain('1 × Juice');
});

test('till of the example shop: can be read and used at both widths, light and dark', async () => {
  await cardholder('tap');
  const { page } = await openPage(browser);
  await page.goto(till);
  await sells(page, 'Sandwich, £5.50');
  await said(page, 'Paid');
  await press(page, 'Croissant, £2.40');
  expect(await pageProblems(page)).toEqual([]);
  expect(await accessibilityProblems(page)).toEqual([]);
});
