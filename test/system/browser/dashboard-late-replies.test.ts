import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from './browser.ts';
import { holdRequests, openDashboard, replyRead } from './dashboard-page.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

// What the page shows, and what it does not, while the server has not replied yet.

const fixture = createSystemFixture();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  fixture.onCleanUp(() => browser.close());
});
afterAll(() => fixture.cleanUp());

test('dashboard: what fitted other filters is not shown below new ones', async () => {
  const tapbench = await fixture.tapbench();
  await tapbench.api('GET', '/v1/customers');
  await tapbench.api('POST', '/v1/customers', { email: 'ana' });
  const { page, button } = await openDashboard(browser, tapbench.dashboardUrl, {
    at: '#/requests?path=/v1/customers',
  });
  const rows = page.locator('.item-list li');
  await rows.nth(1).waitFor();
  const release = await holdRequests(page, /\/sandbox\/requests\?.*status=/);
  const asked = page.waitForRequest(/status=4xx/);
  await button('4xx').click();
  await asked;
  await expect.poll(() => rows.count()).toBe(0);
  release();
  await rows.first().waitFor();
  expect(await rows.count()).toBe(1);
  await button('5xx').click();
  await page.getByText('No request fits these filters.').waitFor();
});

test('dashboard: older requests that are asked for twice are shown once', async () => {
  const tapbench = await fixture.tapbench({ env: { RATE_LIMIT: 'off' } });
  for (let sent = 0; sent < 60; sent += 1) await tapbench.api('GET', '/v1/customers');
  const { page, button } = await openDashboard(browser, tapbench.dashboardUrl, {
    at: '#/requests?path=/v1/customers',
  });
  const rows = page.locator('.item-list li');
  await rows.nth(49).waitFor();
  const release = await holdRequests(page, /startsAfter/);
  const replies: Promise<unknown>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('startsAfter')) replies.push(replyRead(page, Promise.resolve(response)));
  });
  await button('Show older requests').dblclick();
  release();
  await expect.poll(() => replies.length).toBe(2);
  await Promise.all(replies);
  expect(await rows.count()).toBe(60);
});

test('dashboard: a plan of faults is shown once it was added, and no more once it was deleted', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button } = await openDashboard(browser, tapbench.dashboardUrl, { at: '#/faults' });
  await button('Lose the next reply').waitFor();
  // The page reads the plans later.
  const release = await holdRequests(page, /\/sandbox\/faults\?/);
  await button('Lose the next reply').click();
  await page.locator('.detail-head', { hasText: 'Lose one reply' }).waitFor();
  await page.locator('.plan-list li').waitFor();
  await button('Delete').click();
  await page.waitForURL(/#\/faults$/);
  await button('Lose the next reply').waitFor();
  expect(await page.locator('.plan-list li').count()).toBe(0);
  release();
});

test('dashboard: a payment that is started by a double click is started once', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button, state, openTerminal } = await openDashboard(browser, tapbench.dashboardUrl);
  await openTerminal(/Simulated terminal/);
  let started = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/payment')) started += 1;
  });
  const release = await holdRequests(page, '**/payment');
  const replied = page.waitForResponse('**/payment');
  await button('Start payment').dblclick();
  release();
  await replyRead(page, replied);
  await state('awaitingCard');
  expect(started).toBe(1);
});

test('dashboard: who has gone elsewhere while a request is sent again stays there', async () => {
  const tapbench = await fixture.tapbench();
  await tapbench.api('GET', '/v1/customers');
  const { page, button } = await openDashboard(browser, tapbench.dashboardUrl, {
    at: '#/requests?path=/v1/customers',
  });
  await page.locator('.item-list a').first().click();
  await button('Send again…').click();
  const release = await holdRequests(page, '**/v1/customers');
  await button('Send').click();
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.getByText('No deliveries yet.').waitFor();
  const found = page.waitForResponse(/\/sandbox\/requests\?limit=1&/);
  release();
  await replyRead(page, found);
  expect(new URL(page.url()).hash).toBe('#/webhooks');
});

test('dashboard: a search that was closed leads nowhere', async () => {
  const tapbench = await fixture.tapbench();
  const { page } = await openDashboard(browser, tapbench.dashboardUrl);
  const release = await holdRequests(page, '**/sandbox/search?*');
  const asked = page.waitForRequest('**/sandbox/search?*');
  await page.keyboard.press('/');
  await page.keyboard.type(tapbench.terminals[0]!.id);
  await page.keyboard.press('Enter');
  await asked;
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Find any id' }).waitFor({ state: 'detached' });
  const found = page.waitForResponse('**/sandbox/search?*');
  release();
  await replyRead(page, found);
  expect(new URL(page.url()).hash).toBe('');
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Find any id');
});

test('dashboard: the form that sends a request again asks for its key once the keys are known', async () => {
  const tapbench = await fixture.tapbench();
  await tapbench.api('GET', '/v1/customers');
  const { page, button } = await openDashboard(browser, tapbench.dashboardUrl, {
    at: '#/requests?path=/v1/customers',
  });
  await page.locator('.item-list a').first().click();
  const release = await holdRequests(page, '**/dashboard/keys');
  await button('Send again…').click();
  await button('Send').waitFor();
  expect(await button('Send').isDisabled()).toBe(true);
  expect(await page.getByRole('form', { name: 'Send again' }).getByLabel(/key/i).count()).toBe(0);
  release();
  const key = page.getByRole('combobox', { name: 'Key', exact: true });
  expect(await key.inputValue()).toBe('secret');
  await expect.poll(() => button('Send').isEnabled()).toBe(true);
});
