import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { openDashboard, showView } from './dashboard-page.ts';
import { NARROW, WIDE } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';

const { fixture, folder, browser } = createPictureFixture();

const CUSTOMER = { email: 'ana@corner.example', firstName: 'Ana', metadata: { order: '4711' } };
const SESSION = { amount: 1742, currency: 'GBP', customerEmail: CUSTOMER.email };

/** A server with a customer and a payment session that names it. */
async function shop() {
  const tapbench = await fixture.tapbench();
  await tapbench.api('POST', '/v1/customers', CUSTOMER);
  const { body: session } = await tapbench.api('POST', '/v1/payment-sessions', SESSION);
  return { tapbench, session };
}

test('dashboard: an object is found by its type, and its relations lead to others and back', async () => {
  const { tapbench, session } = await shop();
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/objects' });
  await page.locator('.object-list a', { hasText: session.id }).click();
  await page.getByRole('heading', { name: session.id, level: 1 }).waitFor();
  await page.locator('.object-history', { hasText: 'POST /v1/payment-sessions' }).waitFor();
  await page.locator('.object-list .pill.warn', { hasText: 'PendingPayment' }).waitFor();
  await page.getByRole('region', { name: 'Relations' }).getByRole('link', { name: /^ac_/ }).click();
  await page.getByRole('heading', { name: /^Account/, level: 1 }).waitFor();
  await page.getByRole('region', { name: 'Relations' }).getByRole('link', { name: session.id }).click();
  await page.getByRole('heading', { name: session.id, level: 1 }).waitFor();
  await page.getByRole('link', { name: 'State machine' }).click();
  await page.locator('.drawing svg').waitFor();
  expect(errors).toEqual([]);
});

test('dashboard: objects are filtered by one of the statuses of their type', async () => {
  const { tapbench, session } = await shop();
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/objects' });
  const row = page.locator('.object-list a', { hasText: session.id });
  const status = page.getByRole('combobox', { name: 'Status' });
  await row.waitFor();
  await status.selectOption('Captured');
  await page.getByText('No payment sessions fit.').waitFor();
  await status.selectOption('PendingPayment');
  await row.waitFor();
  expect(page.url()).toContain('status=PendingPayment');
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Customers');
  await page.locator('.object-list a', { hasText: CUSTOMER.email }).waitFor();
  expect(await status.count()).toBe(0);
  expect(errors).toEqual([]);
});

test('dashboard: a slash on any page finds an id, and an unknown one is said to be unknown', async () => {
  const { tapbench, session } = await shop();
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl);
  const popover = page.getByRole('dialog', { name: 'Find any id' });
  const search = popover.getByLabel('Any id, serial number or e-mail address');
  await page.keyboard.press('/');
  await page.keyboard.type('ps_nothing');
  await page.keyboard.press('Enter');
  await popover.getByText('Nothing in this sandbox has the id ps_nothing.').waitFor();
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
  expect(await page.evaluate<string>('document.activeElement.ariaLabel')).toBe('Find any id');
  for (const at of ['#/requests', '#/webhooks', '#/start']) {
    await showView(page, at);
    await page.keyboard.press('/');
    await search.fill(session.id);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: session.id, level: 1 }).waitFor();
    await popover.waitFor({ state: 'detached' });
  }
  expect(errors).toEqual([]);
});

test('dashboard: the field of the search has the focus before the key after the slash', async () => {
  const { tapbench } = await shop();
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl);
  const focused = await page.evaluate<string>(`(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true }));
    await Promise.resolve().then(() => {});
    return document.activeElement.tagName;
  })()`);
  expect(focused).toBe('INPUT');
});

test('dashboard: an e-mail address leads to its customer, and the id of a request to the request', async () => {
  const { tapbench } = await shop();
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/objects' });
  const search = page.getByLabel('Any id, serial number or e-mail address');
  await button('Find any id').click();
  await search.fill(CUSTOMER.email);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Customer/, level: 1 }).waitFor();
  await page.locator('.object-history a', { hasText: 'POST /v1/customers' }).click();
  await page.locator('.detail-head', { hasText: 'POST /v1/customers' }).waitFor();
  const request = page.url().match(/req_\w+/)![0];
  await page.goto(`${page.url().split('#')[0]}#/objects`);
  await button('Find any id').click();
  await search.fill(request);
  await button('Find').click();
  await page.waitForURL(new RegExp(`#/requests/${request}`));
});

test('dashboard: an open object shows what a call has changed, for an object without a state machine too', async () => {
  const tapbench = await fixture.tapbench();
  const { body: customer } = await tapbench.api('POST', '/v1/customers', CUSTOMER);
  const at = `#/objects/${customer.id}`;
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { at });
  await page.getByText('"Ana"').waitFor();
  await tapbench.api('PATCH', `/v1/customers/${customer.id}`, { firstName: 'Beate' });
  await page.getByText('"Beate"').waitFor();
  await page.locator('.object-history', { hasText: 'PATCH /v1/customers' }).waitFor();
  expect(errors).toEqual([]);
});

test('dashboard: an action leads to its terminal, where it is played back', async () => {
  const tapbench = await fixture.tapbench();
  const { id } = tapbench.terminals[0]!;
  const payment = { amounts: { requested: 1742 }, currency: 'GBP' };
  const { body } = await tapbench.api('POST', `/v1/in-person/terminals/${id}/payment`, payment);
  const at = `#/objects/${body.action.id}`;
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { at });
  await page.getByRole('link', { name: 'Open it at its terminal' }).click();
  await page.waitForURL(new RegExp(`#/terminals/${id}/actions/${body.action.id}$`));
  await page.locator('.past-note').waitFor();
  await page.goto(`${page.url().split('#')[0]}#/objects/${id}`);
  await page.getByRole('link', { name: 'Open the terminal' }).click();
  await page.waitForURL(new RegExp(`#/terminals/${id}$`));
  await page.locator('.drawing svg').waitFor();
  expect(errors).toEqual([]);
});

test.each([
  { name: '1440-light', size: { width: 1440, height: 900 }, dark: false },
  { name: '1440-dark', size: { width: 1440, height: 900 }, dark: true },
  { name: '1280-light', size: WIDE, dark: false },
  { name: '390-light', size: NARROW, dark: false },
  { name: '390-dark', size: NARROW, dark: true },
])('dashboard: the list of objects and an object have no accessibility problem, $name', async (look) => {
  const { tapbench, session } = await shop();
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/objects', ...look });
  await page.locator('.object-list a', { hasText: session.id }).waitFor();
  await page.screenshot({ path: join(folder, `objects-${look.name}.png`) });
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('/');
  await page.keyboard.type('ps_nothing');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing in this sandbox has the id ps_nothing.').waitFor();
  await page.screenshot({ path: join(folder, `search-${look.name}.png`) });
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('.object-list a', { hasText: session.id }).click();
  await page.locator('.object-history').waitFor();
  await page.screenshot({ path: join(folder, `object-${look.name}.png`) });
  expect(await accessibilityProblems(page)).toEqual([]);
});
