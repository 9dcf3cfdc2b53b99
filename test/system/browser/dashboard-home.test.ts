import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdRequests, openDashboard, showView } from './dashboard-page.ts';
import { NARROW, WIDE } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';
import { runProgram } from '../kit/run-program.ts';

const { fixture, folder, browser } = createPictureFixture();

const COPIED = 'navigator.clipboard.readText()';

test('dashboard home: takes a first payment by a button, and by the command that it copies', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button, context, errors } = await openDashboard(browser(), tapbench.dashboardUrl);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const tile = page.locator('.tile');
  await page.getByRole('heading', { name: 'Get started' }).waitFor();

  await button(/^Card: /).click();
  await page.getByRole('option', { name: /visa-declined/ }).click();
  await button('Pay').click();
  await tile.filter({ has: page.locator('.outcome.bad') }).waitFor();

  await button(/^Card: /).click();
  await page.getByRole('option', { name: /visa-contact-pin/ }).click();
  await button('Pay').click();
  await tile.filter({ has: page.locator('.outcome.good') }).waitFor();

  await page.getByText('The curl command is copied with the secret key.').waitFor();
  await page.getByRole('button', { name: 'Copy the curl code' }).click();
  await page.getByRole('button', { name: 'Copied the curl code' }).waitFor();
  const command = await page.evaluate<string>(COPIED);
  const { code, output } = await runProgram('sh', ['-c', command], { env: {} });
  expect([code, output]).toEqual([0, expect.stringContaining('"InProgress"')]);
  const latest = page.getByRole('list', { name: 'Latest requests, newest first' });
  await latest
    .getByRole('link', { name: /^200 POST .*\/payment/ })
    .first()
    .waitFor();
  expect(errors).toEqual([]);
});

test('dashboard home: copies the keys and shows none of them', async () => {
  const tapbench = await fixture.tapbench();
  const { page, context } = await openDashboard(browser(), tapbench.dashboardUrl);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = async (what: string) => {
    await page.getByTitle(`Copy the ${what}`).click();
    // The one copied before has lost the focus, and with it this title.
    await page.getByTitle('Copied').waitFor();
    return page.evaluate<string>(COPIED);
  };
  expect(await copied('secret key')).toBe(tapbench.secretKey);
  expect(await copied('public key')).toBe(tapbench.publicKey);
  expect(await copied('shell variables')).toBe(
    `export SECRET_KEY=${tapbench.secretKey}\nexport PUBLIC_KEY=${tapbench.publicKey}\n`,
  );
  const html = await page.content();
  for (const key of [tapbench.secretKey, tapbench.publicKey]) expect(html).not.toContain(key);
});

test('dashboard home: says nothing of the keys until the server has returned them', async () => {
  const tapbench = await fixture.tapbench();
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/requests' });
  // The first screen, which the page showed before, has asked too.
  await page.getByRole('heading', { name: 'Requests' }).waitFor();
  const release = await holdRequests(page, '**/dashboard/keys');
  const asked = page.waitForRequest('**/dashboard/keys');
  await showView(page, '#/start');
  await asked;
  const keys = page.getByRole('region', { name: 'API keys' });
  expect(await keys.innerText()).toBe('API keys');
  release();
  await keys.getByTitle('Copy the secret key').waitFor();
});

test('dashboard home: offers the cards of a simulator that connects after the page was opened', async () => {
  const tapbench = await fixture.tapbench();
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl);
  const none = page.waitForResponse('**/dashboard/cards');
  await page.route('**/dashboard/cards', (route) => route.fulfill({ json: { cards: [] } }), { times: 1 });
  await page.reload();
  await none;
  await page.locator('.card-picker:enabled').waitFor();
});

test('dashboard home: without a terminal registers one, which is offline until a simulator runs it', async () => {
  const tapbench = await fixture.tapbench({ command: 'server' });
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl);
  await button('Register a simulated terminal').click();
  await page.getByRole('link', { name: /^Counter 1\b/ }).waitFor();
  expect(await button('Pay').isDisabled()).toBe(true);
  await page.getByText('The terminal is offline.').waitFor();
});

test('dashboard: says that an address is unknown', async () => {
  const tapbench = await fixture.tapbench({ command: 'server' });
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/invoices/1' });
  await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
  await page.locator('main').getByRole('link', { name: 'Requests' }).click();
  await page.getByRole('heading', { name: 'Requests' }).waitFor();
});

test.each([
  ['light-1440', { width: 1440, height: 900 }, false],
  ['dark-1280', WIDE, true],
  ['light-390', NARROW, false],
])('dashboard pictures: home, %s', async (look, size, dark) => {
  const tapbench = await fixture.tapbench();
  await tapbench.api('POST', '/v1/customers', { email: 'ana' });
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { size, dark });
  await page.locator('.item-list li', { hasText: '/v1/customers' }).waitFor();
  await page.locator('.card-picker:enabled').waitFor();
  await page.getByTitle('Copy the secret key').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  const path = join(folder, `home-${look}.png`);
  expect((await page.screenshot({ path, fullPage: true })).length).toBeGreaterThan(10_000);
  expect(errors).toEqual([]);
});
