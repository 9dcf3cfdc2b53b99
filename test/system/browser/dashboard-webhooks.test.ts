import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  signatureCode,
  type SignatureLanguage,
} from '../../../server/dashboard/page/webhooks/signature-code.ts';
import { accessibilityProblems } from './accessibility.ts';
import { inputCounts, openDashboard } from './dashboard-page.ts';
import { ALL_LOOKS } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';
import { runProgram } from '../kit/run-program.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const { fixture, folder, browser } = createPictureFixture();

const EVENT_TYPES = ['Customer.created', 'PaymentSession.captured', 'Terminal.action_updated'];

/** A server with an endpoint, and what that was sent. */
async function withEndpoint() {
  const tapbench = await fixture.tapbench({ env: { RATE_LIMIT: 'off' } });
  const receiver = await fixture.receiver();
  const { body: webhook } = await tapbench.api('POST', '/v1/webhooks', {
    url: receiver.url,
    active: true,
    eventTypes: EVENT_TYPES,
  });
  return { tapbench, receiver, webhook };
}

async function createCustomer(tapbench: Tapbench, name: string): Promise<string> {
  const { body } = await tapbench.api('POST', '/v1/customers', { email: `${name}@corner.example` });
  return body.id;
}

const rows = (page: Page) => page.locator('.delivery-list li');

test('dashboard: the request behind a failed webhook is found in under five clicks', async () => {
  const { tapbench, receiver } = await withEndpoint();
  receiver.reply = () => ({ status: 500, body: 'no such order' });
  await createCustomer(tapbench, 'ana');
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl);

  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  const endpoint = receiver.url.replace('http://', '');
  await rows(page).filter({ hasText: 'Customer.created' }).filter({ hasText: endpoint }).waitFor();
  await page.getByRole('link', { name: /Customer\.created/ }).click();
  await page.locator('.attempt', { hasText: 'no such order' }).first().waitFor();
  await page.getByRole('link', { name: 'POST /v1/customers' }).click();
  await page.locator('.detail-head', { hasText: 'POST /v1/customers' }).waitFor();
  await page.locator('.detail-section', { hasText: 'ana@corner.example' }).first().waitFor();
  const { pointersPressed } = await inputCounts(page);
  expect(pointersPressed).toBeLessThan(5);
  expect(errors).toEqual([]);
});

test('dashboard: several deliveries are sent again in another order, by keyboard, and show their replies', async () => {
  const { tapbench, receiver } = await withEndpoint();
  const customers: string[] = [];
  for (const name of ['ana', 'ben', 'cem']) customers.push(await createCustomer(tapbench, name));
  await waitFor('three deliveries', () => receiver.deliveries.length === 3);
  receiver.reply = ({ event }) =>
    event.data.id === customers[1] ? { status: 409, body: 'seen before' } : 200;
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: '#/webhooks',
  });
  await rows(page).nth(2).waitFor();
  const press = async (name: string | RegExp) => {
    await page.getByRole('button', { name }).first().focus();
    await page.keyboard.press('Enter');
  };
  for (const box of await page.getByRole('checkbox').all()) {
    await box.focus();
    await page.keyboard.press('Space');
  }
  await press('Send again…');
  await press('Oldest first');
  // The first one goes to the end: the focus stays on its button.
  await press(`Move Customer.created of ${customers[0]} down`);
  await page.keyboard.press('Enter');
  expect(await page.locator('.send-order li').allTextContents()).toEqual([
    expect.stringContaining(customers[1]!) as string,
    expect.stringContaining(customers[2]!) as string,
    expect.stringContaining(customers[0]!) as string,
  ]);
  expect(await accessibilityProblems(page)).toEqual([]);
  await press('Send 3 in this order');
  await page.getByRole('status').filter({ hasText: '3 sent, 2 accepted.' }).waitFor();
  await page.locator('.send-order li', { hasText: 'seen before' }).waitFor();
  const again = receiver.deliveries.slice(3).map(({ event }) => event.data.id);
  expect(again).toEqual([customers[1], customers[2], customers[0]]);
  expect((await inputCounts(page)).pointersPressed).toBe(0);

  await button('Close').click();
  receiver.reply = () => 200;
  await page.getByRole('link', { name: new RegExp(customers[1]!) }).click();
  await page.locator('.attempt', { hasText: 'sent again' }).waitFor();
  await button('Send again').click();
  await page.getByRole('heading', { name: '3 attempts' }).waitFor();
  expect(errors).toEqual([]);
});

test('dashboard: deliveries are filtered, go on for pages, and appear by themselves', async () => {
  const { tapbench, receiver } = await withEndpoint();
  for (let count = 0; count < 60; count += 1) await createCustomer(tapbench, `c${count}`);
  await waitFor('sixty deliveries', () => receiver.deliveries.length === 60);
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/webhooks' });
  await rows(page).nth(49).waitFor();
  await button('Show older deliveries').click();
  await rows(page).nth(59).waitFor();

  receiver.reply = () => 503;
  const late = await createCustomer(tapbench, 'late');
  const row = rows(page).filter({ hasText: late });
  await row.filter({ hasText: 'retrying' }).filter({ hasText: '503' }).waitFor();
  await rows(page).nth(60).waitFor();
  await page.locator('.endpoint-health', { hasText: '1 failed in a row: 503' }).waitFor();
  await button('Retrying').click();
  await page.waitForURL(/status=Retrying/);
  await row.waitFor();
  expect(await rows(page).count()).toBe(1);
  await page.getByLabel('Object').fill('cus_none');
  await page.keyboard.press('Enter');
  await page.getByText('No delivery fits these filters.').waitFor();
});

test.each<[SignatureLanguage, string, (file: string) => [string, string[]]]>([
  ['Node', 'verify.mjs', (file) => [process.execPath, [file]]],
  ['Python', 'verify.py', (file) => ['python3', [file]]],
  ['PHP', 'verify.php', (file) => ['php', [file]]],
])('dashboard: the code in %s verifies the signature of a delivery', async (language, name, commandOf) => {
  const { tapbench, receiver, webhook } = await withEndpoint();
  await tapbench.api('POST', '/v1/customers', {
    email: 'ana@corner.example',
    firstName: `Zoë's "$shop" \\ 😀`,
  });
  await waitFor('the delivery', () => receiver.deliveries.length === 1);
  const { body: list } = await tapbench.api('GET', '/sandbox/deliveries');
  const { body: delivery } = await tapbench.api('GET', `/sandbox/deliveries/${list.items[0].id}`);
  const place = mkdtempSync(join(tmpdir(), 'tapbench-code-'));
  fixture.onCleanUp(() => rmSync(place, { recursive: true }));
  const run = async (body: string) => {
    writeFileSync(join(place, name), signatureCode(language, { body, signature: delivery.signature.value }));
    const [program, args] = commandOf(join(place, name));
    return runProgram(program, args, { env: { WEBHOOK_SECRET: webhook.secret } });
  };
  expect(await run(delivery.body)).toMatchObject({ code: 0, output: 'valid\n' });
  expect(await run(`${delivery.body} `)).toMatchObject({ code: 0, output: 'invalid\n' });
});

test.each(ALL_LOOKS)('dashboard pictures: webhooks, $look', async ({ look, size, dark }) => {
  const { tapbench, receiver } = await withEndpoint();
  receiver.reply = ({ event }) =>
    event.eventType === 'Customer.created' ? { status: 500, body: 'TypeError: order is undefined' } : 200;
  await tapbench.api('POST', `/v1/in-person/terminals/${tapbench.terminals[0]!.id}/payment`, {
    amounts: { requested: 1742 },
    currency: 'GBP',
  });
  // The failure is the last delivery of the endpoint, so that its health says so.
  await waitFor('the last event of the payment', () =>
    receiver.deliveries.some(({ event }) => event.data.action?.status === 'Succeeded'),
  );
  await createCustomer(tapbench, 'ana');
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    size,
    dark,
    at: '#/webhooks',
  });
  const shoot = async (name: string) => {
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const path = join(folder, `${name}-${look}.png`);
    expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
    expect(await accessibilityProblems(page)).toEqual([]);
  };
  await page.locator('.endpoint-health', { hasText: 'failed in a row' }).waitFor();
  await rows(page).nth(1).waitFor();
  await shoot('webhooks');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await button('Send again…').click();
  await page.locator('.send-order li').nth(1).waitFor();
  await shoot('webhooks-order');
  await button('Close').click();
  await page.locator('.delivery-list a', { hasText: 'Customer.created' }).click();
  await page.locator('.attempt').first().waitFor();
  await shoot('webhook');
  await page.getByText('Verify it with code').click();
  await page.getByText('Verify it with code').scrollIntoViewIfNeeded();
  await shoot('webhook-signature');
  expect(errors).toEqual([]);
});
