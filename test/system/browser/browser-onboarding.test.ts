import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { browserWorld } from './browser-world.ts';
import { pageProblems } from './page-check.ts';
import { TIMEOUT_MS } from '../kit/wait-for.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import type { WebShop } from './web-shop.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
let browser: Browser;
let shop: WebShop;

beforeAll(async () => {
  ({ tapbench, browser, shop } = await browserWorld(fixture));
});

const redirectUrl = () => `${shop.url}/welcome`;

/** A new account, and a link to the page on which its holder completes it. */
async function invitation(body: object): Promise<{ accountId: string; url: string }> {
  const { body: account } = await tapbench.api('POST', '/v1/accounts', body);
  const request = { accountId: account.id, redirectUrl: redirectUrl() };
  const { body: link } = await tapbench.api('POST', '/v1/account-links', request);
  return { accountId: account.id, url: link.url };
}

/** Fills in fields by what they are called. */
async function fill(page: Page, answers: Record<string, string>): Promise<void> {
  for (const [label, answer] of Object.entries(answers)) {
    const field = page.getByLabel(label).first();
    const kind = await field.evaluate(({ nodeName }: { nodeName: string }) => nodeName);
    if (kind === 'SELECT') await field.selectOption(answer);
    else await field.fill(answer);
  }
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();
/** Waits until the page with this title is there. */
const arrives = (page: Page, title: string | RegExp) =>
  page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();

/** Waits until an account that was looked at for the time that it takes is as it should be. */
async function becomes(accountId: string, expected: object): Promise<void> {
  await tapbench.api('POST', '/sandbox/clock/advance', { seconds: 10 });
  const account = async () => (await tapbench.api('GET', `/v1/accounts/${accountId}`)).body;
  await expect.poll(account, { timeout: TIMEOUT_MS }).toMatchObject(expected);
}

const ADDRESS = { Address: '1 Market Street', City: 'Leeds', 'Postal code': 'LS1 4AP', Country: 'GB' };
const ANA = {
  'First name': 'Ana',
  'Last name': 'Silva',
  'E-mail': 'ana@corner.example',
  Phone: '+447700900123',
  'Date of birth': '1988-05-17',
  Nationality: 'PT',
  ...ADDRESS,
};
const BUSINESS = {
  'Registered name': 'Corner Bakery Ltd',
  'Kind of business': 'PrivateCompany',
  'Registration number': '01234567',
  'Date of registration': '2015-03-02',
  'E-mail': 'hello@corner.example',
  Phone: '+442079460123',
  ...ADDRESS,
};

test('onboarding pages: a business goes through all of them, returns to the shop, and is verified', async () => {
  const { accountId, url } = await invitation({ email: 'hello@corner.example' });
  const { page, errors, requested } = await openPage(browser);
  await page.goto(url);
  expect(await pageProblems(page)).toEqual([]);
  await page.getByRole('link', { name: 'A business' }).click();

  await arrives(page, 'Tell us about your business');
  await press(page, 'Continue');
  await page.locator('.problems:focus').waitFor();
  await page.getByRole('alert').getByText('City is needed').click();
  await expect.poll(() => page.evaluate('location.hash')).toBe('#business.registeredAddress.city');
  expect(await pageProblems(page)).toEqual([]);
  await fill(page, BUSINESS);
  await press(page, 'Continue');

  await arrives(page, 'Tell us about yourself');
  await fill(page, { ...ANA, Phone: '0123' });
  await page.getByLabel('Female').check();
  await page.getByLabel('Last name').press('Enter');
  await page.getByRole('alert').getByText('Phone does not look right').waitFor();
  expect(await pageProblems(page)).toEqual([]);
  await press(page, 'Back');
  expect(await page.getByLabel('Registered name').inputValue()).toBe('Corner Bakery Ltd');
  await press(page, 'Continue');
  expect(await page.getByLabel('First name').inputValue()).toBe('Ana');
  await fill(page, { Phone: ANA.Phone });
  await press(page, 'Continue');

  await arrives(page, 'Add your documents');
  await page.getByLabel('Readable ones, which pass').check();
  expect(await pageProblems(page)).toEqual([]);
  await press(page, 'Continue');

  await arrives(page, 'Where should your money go?');
  await fill(page, { Currency: 'GBP', 'Sort code or routing number': '12', 'Account number': '00000111' });
  await press(page, 'Continue');
  await page.locator('.field.wrong').getByText('Sort code or routing number must have 6 digits').waitFor();
  expect(await pageProblems(page)).toEqual([]);
  await fill(page, { 'Sort code or routing number': '00-00-01' });
  await press(page, 'Continue');

  await arrives(page, 'Check your answers');
  expect(await page.locator('main').innerText()).toMatch(/Corner Bakery Ltd[^]*Portugal[^]*00000111/);
  await press(page, 'Finish');
  await page.getByRole('alert').getByText('The terms of service have to be accepted').waitFor();
  expect(await pageProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Change Bank account' }).click();
  await fill(page, { 'Account number': '00000222' });
  await press(page, 'Continue');
  await page.getByLabel('I accept the terms of service').check();
  await press(page, 'Finish');
  await page.waitForURL(redirectUrl());
  expect(errors).toEqual([]);
  const origins = new Set(requested.map((address) => new URL(address).origin));
  expect([...origins].sort()).toEqual([tapbench.url, shop.url].sort());

  await becomes(accountId, {
    status: 'Verified',
    business: { name: 'Corner Bakery Ltd', documents: [{ status: 'Valid' }] },
    verification: { status: 'Verified', persons: { status: 'Verified' } },
  });
  const methods = await tapbench.api('GET', `/v1/accounts/${accountId}/payout-methods`);
  expect(methods.body.items).toMatchObject([{ status: 'Valid', bankAccount: { last4: '0222' } }]);
  await page.goto(url);
  await arrives(page, 'This link is not good any more');
  expect(await pageProblems(page)).toEqual([]);
});

test('onboarding pages: an individual has fewer pages, and may add the bank account later', async () => {
  const { accountId, url } = await invitation({ email: 'ana@corner.example' });
  const { page, errors } = await openPage(browser);
  await page.goto(url);
  await page.getByRole('link', { name: 'An individual' }).click();
  await page.getByText('Step 1 of 3').waitFor();
  await fill(page, ANA);
  await page.getByLabel('Female').check();
  await press(page, 'Continue');
  await arrives(page, 'Where should your money go?');
  await press(page, 'Continue');
  await page.getByText('Left for later.').waitFor();
  await page.getByLabel('I accept the terms of service').check();
  await press(page, 'Finish');
  await page.waitForURL(redirectUrl());
  expect(errors).toEqual([]);
  await becomes(accountId, {
    entityType: 'Individual',
    individual: { firstName: 'Ana', nationalities: ['PT'] },
    verification: { status: 'NotRequired' },
    actionsRequired: [{ action: 'PayoutMethodRequired' }],
  });
});

test('authorize page: the holder of an account agrees with two keys, and no site can frame the page', async () => {
  const email = 'kim@corner.example';
  await invitation({ email });
  const request = { email, redirectUrl: redirectUrl() };
  const { body: link } = await tapbench.api('POST', '/v1/accounts/authorize', request);
  const { page, errors } = await openPage(browser);

  await page.goto(`${shop.url}/`);
  await page.evaluate(`document.body.innerHTML = '<iframe src="${link.url}"></iframe>'`);
  await expect.poll(() => errors.join(), { timeout: TIMEOUT_MS }).toContain('frame-ancestors');
  errors.length = 0;

  await page.goto(link.url);
  await arrives(page, /wants to act for you/);
  expect(await page.locator('dl').innerText()).toContain(email);
  expect(await pageProblems(page)).toEqual([]);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  await page.keyboard.press('Enter');
  await page.waitForURL(redirectUrl());
  expect(errors).toEqual([]);
});
