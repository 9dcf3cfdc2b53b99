import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requestCode, type Language } from '../../../server/dashboard/page/requests/request-code.ts';
import { openDashboard, showView } from './dashboard-page.ts';
import { looks } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';
import { runProgram } from '../kit/run-program.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const { fixture, folder, browser } = createPictureFixture();

const CUSTOMER = { email: 'ana@corner.example', firstName: "Ana's $shop", metadata: { order: '4711' } };

test('dashboard: a refused request is found by filters, explained, changed and sent again', async () => {
  const tapbench = await fixture.tapbench();
  await tapbench.api('POST', '/v1/customers', { ...CUSTOMER, email: 'ana' });
  await tapbench.api('GET', '/v1/payment-sessions');
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl);

  await page.getByRole('link', { name: 'Requests' }).click();
  await button('4xx').click();
  await page.getByLabel('Method').selectOption('POST');
  await page.waitForURL(/#\/requests\?status=4xx&method=POST$/);
  await page.getByLabel('Path').fill('/v1/customers');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/requests\?status=4xx&method=POST&path=%2Fv1%2Fcustomers$/);
  await page.getByRole('link', { name: /400 POST \/v1\/customers/ }).click();
  await page.locator('.refusal-note', { hasText: 'email' }).waitFor();
  const reference = page.getByRole('link', { name: 'POST /customers in the reference' });
  expect(await reference.getAttribute('href')).toBe('/docs#/Customer/postCustomers');

  await button('Send again…').click();
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.fill((await body.inputValue()).replace('"ana"', '"ana@corner.example"'));
  await button('Send').click();
  await page.locator('.detail-head', { hasText: '200' }).waitFor();
  await page.locator('.request-events', { hasText: 'Customer.created' }).waitFor();
  const { body: customers } = await tapbench.api('GET', '/v1/customers');
  expect(customers.items).toMatchObject([{ firstName: CUSTOMER.firstName }]);
  expect(errors).toEqual([]);
});

test('dashboard: the first screen and the requests warn of an idempotency key that was ignored', async () => {
  const tapbench = await fixture.tapbench({ env: { IDEMPOTENCY_KEYS: 'off' } });
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl);
  const warning = page.getByRole('complementary', { name: 'Warning' });
  await page.getByText('What happened last').waitFor();
  expect(await warning.count()).toBe(0);
  const headers = { authorization: tapbench.secretKey, 'idempotency-key': 'order-4711' };
  const body = JSON.stringify(CUSTOMER);
  await fetch(`${tapbench.url}/v1/customers`, { method: 'POST', headers, body });
  await warning.filter({ hasText: 'is ignored here' }).waitFor();
  await page.getByRole('link', { name: 'Requests' }).click();
  await page.locator('.key-mark').waitFor();
  await warning.getByRole('link').click();
  await page.locator('.refusal-note', { hasText: 'was ignored: sent again' }).waitFor();
  expect(errors).toEqual([]);
});

test('dashboard: a list is filtered before the next event', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/requests' });
  await button('4xx').waitFor();
  // What is typed right after the click is typed into the fields of these filters.
  const fields = await page.evaluate<unknown>(`(async () => {
    const field = () => document.querySelector('.list-filters input');
    const before = field();
    [...document.querySelectorAll('[aria-label=Status] button')].find((one) => one.textContent === '4xx').click();
    await Promise.resolve().then(() => {});
    const after = field();
    const hasChanged = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    await hasChanged;
    await Promise.resolve().then(() => {});
    return { isNew: after !== before, stays: after === field() };
  })()`);
  expect(fields).toEqual({ isNew: true, stays: true });
});

test('dashboard: a request is sent again with its key, with another one, or with none', async () => {
  const tapbench = await fixture.tapbench();
  await tapbench.api('GET', '/v1/customers');
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: '#/requests?path=/v1/customers',
  });
  const again = async (choose: () => Promise<unknown>, status: string, lastFour: string) => {
    await button('Send again…').click();
    await choose();
    const before = page.url();
    await button('Send').click();
    // What is shown then may be the same.
    await page.waitForURL((url) => url.href !== before);
    const sent = page.locator('.item-detail', { has: page.locator('.detail-head', { hasText: status }) });
    await sent.locator('.detail-facts > div', { hasText: `Key${lastFour}` }).waitFor();
    // The form of the request before is gone.
    await button('Send again…').waitFor();
  };
  const key = page.getByRole('combobox', { name: 'Key', exact: true });
  const own = `…${tapbench.secretKey.slice(-4)}`;
  const asItWas = async () => {};

  await page.locator('.item-list a').first().click();
  await again(asItWas, '200', own);
  await again(() => key.selectOption('No key'), '401', 'none');
  await again(asItWas, '401', 'none');
  await again(() => key.selectOption(`Secret key of this sandbox (${own})`), '200', own);
  const typeAnother = async () => {
    await key.selectOption('Another key');
    await page.getByLabel('Value of the key').fill('sk_sandbox_of_another_server_1234');
  };
  await again(typeAnother, '403', '…1234');
  expect(errors).toEqual([]);
});

test('dashboard: sending again asks for what is hidden', async () => {
  const tapbench = await fixture.tapbench();
  const session = { amount: 1742, currency: 'GBP', clientSecret: 'mine' };
  await tapbench.api('POST', '/v1/payment-sessions', session);
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: '#/requests?path=/v1/payment-sessions',
  });
  await page.locator('.item-list a').first().click();
  await button('Send again…').click();
  // The form is not ready before the keys are there, whatever is filled in.
  await page.getByRole('combobox', { name: 'Key', exact: true }).waitFor();
  expect(await button('Send').isDisabled()).toBe(true);
  await page.getByLabel('clientSecret (hidden)').fill('other');
  await expect.poll(() => button('Send').isDisabled()).toBe(false);
});

/** Uploads a file with a field of metadata. Its name has characters that code has to quote. */
async function uploadLetter(tapbench: Tapbench): Promise<void> {
  const form = new FormData();
  form.set('category', 'Evidence');
  form.set('metadata[order]', "Ana's $4711");
  form.set('file', new Blob(['%PDF-1.4'], { type: 'application/pdf' }), LETTER);
  const { status } = await fetch(`${tapbench.url}/v1/files`, {
    method: 'POST',
    headers: { authorization: tapbench.secretKey },
    body: form,
  });
  expect(status).toBe(200);
}

const LETTER = "Ana's letter.pdf";

test('dashboard: an upload is sent again as a form, with the file that is chosen', async () => {
  const tapbench = await fixture.tapbench();
  await uploadLetter(tapbench);
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: '#/requests?path=/v1/files',
  });
  await page.locator('.item-list a').first().click();
  await button('Send again…').click();
  const fields = page.getByLabel('Fields of the form, as JSON');
  await fields.fill((await fields.inputValue()).replace('$4711', '4712'));
  await page.getByRole('combobox', { name: 'Key', exact: true }).waitFor();
  expect(await button('Send').isDisabled()).toBe(true);
  await page
    .getByLabel(`File (it was ${LETTER}, application/pdf, 8 bytes)`)
    .setInputFiles({ name: 'other.png', mimeType: 'image/png', buffer: Buffer.alloc(100, 7) });
  await button('Send').click();
  await page.locator('.detail-section', { hasText: 'other.png' }).first().waitFor();
  const { body } = await tapbench.api('GET', '/v1/files?limit=1');
  expect(body.items).toMatchObject([
    { name: 'other.png', type: 'Png', sizeInBytes: 100, metadata: { order: "Ana's 4712" } },
  ]);
  expect(errors).toEqual([]);
});

test('dashboard: new requests appear by themselves, and older ones on demand', async () => {
  const tapbench = await fixture.tapbench({ env: { RATE_LIMIT: 'off' } });
  for (let sent = 0; sent < 60; sent += 1)
    await tapbench.api('GET', `/v1/customers?limit=${(sent % 50) + 1}`);
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: '#/requests?path=/v1/',
  });
  const rows = page.locator('.item-list li');
  await rows.nth(49).waitFor();
  await tapbench.api('GET', '/v1/events');
  await page.locator('.item-list li', { hasText: '/v1/events' }).waitFor();
  await button('Show older requests').click();
  await rows.nth(60).waitFor();
});

const PROGRAMS: [Language, string, (file: string) => [string, string[]]][] = [
  ['curl', 'call.sh', (file) => ['sh', [file]]],
  ['Node', 'call.mjs', (file) => [process.execPath, [file]]],
  ['Python', 'call.py', (file) => ['python3', [file]]],
  ['PHP', 'call.php', (file) => ['php', [file]]],
];

test.each(PROGRAMS)('dashboard: the code of a request in %s sends it', async (language, name, commandOf) => {
  const tapbench = await fixture.tapbench();
  const code = requestCode(language, {
    method: 'POST',
    url: `${tapbench.url}/v1/customers`,
    headers: { 'content-type': 'application/json' },
    body: CUSTOMER,
    hasKey: true,
  });
  const place = mkdtempSync(join(tmpdir(), 'tapbench-code-'));
  fixture.onCleanUp(() => rmSync(place, { recursive: true }));
  writeFileSync(join(place, name), code);
  const [program, args] = commandOf(join(place, name));
  const { code: exit, output } = await runProgram(program, args, { env: { SECRET_KEY: tapbench.secretKey } });
  expect([exit, output]).toEqual([0, expect.stringContaining('cus_')]);
  const { body } = await tapbench.api('GET', '/v1/customers');
  expect(body.items).toMatchObject([CUSTOMER]);
});

test.each(PROGRAMS)(
  'dashboard: the code of an upload in %s sends the file of its folder',
  async (language, name, commandOf) => {
    const tapbench = await fixture.tapbench();
    await uploadLetter(tapbench);
    const { page } = await openDashboard(browser(), tapbench.dashboardUrl, {
      at: '#/requests?path=/v1/files',
    });
    await page.locator('.item-list a').first().click();
    await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: language }).click();
    const place = mkdtempSync(join(tmpdir(), 'tapbench-code-'));
    fixture.onCleanUp(() => rmSync(place, { recursive: true }));
    writeFileSync(join(place, name), await page.getByLabel('Code').locator('pre').innerText());
    writeFileSync(join(place, LETTER), '%PDF-1.4 again');
    const [program, args] = commandOf(join(place, name));
    const env = { SECRET_KEY: tapbench.secretKey };
    const { code: exit, output } = await runProgram(program, args, { env, cwd: place });
    expect([exit, output]).toEqual([0, expect.stringContaining('fl_')]);
    const { body } = await tapbench.api('GET', '/v1/files?limit=1');
    const sent = { name: LETTER, type: 'Pdf', sizeInBytes: 14, metadata: { order: "Ana's $4711" } };
    expect(body.items).toMatchObject([sent]);
  },
);

const CUT_PATHS = `
  [...document.querySelectorAll('.request-path')].filter((path) => path.scrollWidth > path.clientWidth).length
`;

test.each(looks('light-1440', 'light-1280', 'dark-1280', 'light-390', 'dark-390'))(
  'dashboard pictures: requests, $look',
  async ({ look, size, dark }) => {
    const tapbench = await fixture.tapbench();
    const terminal = tapbench.terminals[0]!.id;
    await tapbench.api('POST', `/v1/in-person/terminals/${terminal}/payment`, {
      amounts: { requested: 1742 },
      currency: 'GBP',
    });
    await tapbench.api('POST', '/v1/customers', { ...CUSTOMER, email: 'ana' });
    const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
      size,
      dark,
      at: '#/requests',
    });
    const shoot = async (name: string) => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      const path = join(folder, `${name}-${look}.png`);
      expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
    };
    await page.locator('.item-list li', { hasText: '/v1/customers' }).waitFor();
    // No path is cut off.
    expect(await page.evaluate(CUT_PATHS)).toBe(0);
    await shoot('requests');
    await page.locator('.item-list a', { hasText: '/v1/customers' }).first().click();
    const key = page.getByRole('combobox', { name: 'Key', exact: true });
    await button('Send again…').click();
    await key.waitFor();
    await shoot('request');
    await uploadLetter(tapbench);
    await showView(page, '#/requests?path=/v1/files');
    await page.locator('.item-list a', { hasText: '/v1/files' }).first().click();
    await button('Send again…').click();
    await key.waitFor();
    await page.getByLabel(/^File/).scrollIntoViewIfNeeded();
    await shoot('upload');
    expect(errors).toEqual([]);
  },
);
