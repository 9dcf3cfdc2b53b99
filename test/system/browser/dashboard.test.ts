import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from './browser.ts';
import { inputCounts, openDashboard, replyRead } from './dashboard-page.ts';
import { LARGE, NARROW, WIDE } from './looks.ts';
import { realTime } from '../kit/wait-for.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  fixture.onCleanUp(() => browser.close());
});
afterAll(() => fixture.cleanUp());

const CHIP_AND_PIN = 'Visa debit with chip and PIN';

test('dashboard: by mouse only, a payment with a PIN, its receipt, a cancelled payment, and the clock advanced by a day', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button, state, openTerminal, errors } = await openDashboard(browser, tapbench.dashboardUrl);
  await openTerminal(/Simulated terminal/);
  await button('Start payment').click();
  await state('awaitingCard');

  await button(/^Card: /).click();
  await page.getByRole('option', { name: CHIP_AND_PIN }).click();
  await button('Insert').click();
  await state('awaitingPin');
  for (const key of ['1', '2', '3', '4']) await button(key).click();
  await page.locator('.display-pin', { hasText: '••••' }).waitFor();
  await button('Enter').click();

  await page.locator('.slip[data-copy=merchantCopy] pre', { hasText: 'PIN VERIFIED' }).waitFor();
  // With a receipt in the printer, display and keys are in the window without scrolling.
  for (const size of [LARGE, NARROW]) {
    await page.setViewportSize(size);
    for (const part of ['.display', ...(size === LARGE ? ['.keypad'] : [])]) {
      const { y, height } = (await page.locator(part).boundingBox())!;
      expect([size.width, part, y >= 0 && y + height <= size.height]).toEqual([size.width, part, true]);
    }
  }
  await page.setViewportSize(WIDE);
  await button('Tear off').click();
  await page.locator('.slip[data-copy=customerCopy] pre', { hasText: 'PLEASE RETAIN' }).waitFor();
  await button('Tear off').click();
  await expect.poll(() => page.locator('.slip').count()).toBe(0);
  await page.locator('.action-panel', { hasText: 'succeeded' }).waitFor();
  const live = page.locator('[aria-live=polite]');
  await expect.poll(() => live.textContent()).toContain('payment of 17.42 GBP succeeded');

  await button('Start payment').click();
  await state('awaitingCard');
  await button('Cancel payment').click();
  await page.locator('.action-panel', { hasText: 'cancelled' }).waitFor();

  await button(/Advance sandbox time/).click();
  await button('+1 day').click();
  await page.locator('.ahead', { hasText: '+1 d' }).waitFor();

  const { keysPressed, pointersPressed } = await inputCounts(page);
  expect(keysPressed).toBe(0);
  expect(pointersPressed).toBeGreaterThan(15);
  expect(errors).toEqual([]);

  const [terminal] = tapbench.terminals;
  const { body } = await tapbench.api('GET', `/v1/in-person/terminals/${terminal!.id}`);
  expect(body.action).toMatchObject({ status: 'Cancelled' });
  const clock = await tapbench.api('GET', '/sandbox/clock');
  expect(clock.body.offsetSeconds).toBe(86_400);

  // What the cardholder did was for the payments of the page alone: at the next one they tap their card, as set before.
  const path = `/v1/in-person/terminals/${terminal!.id}`;
  await tapbench.api('POST', `${path}/payment`, { amounts: { requested: 500 }, currency: 'GBP' });
  await expect
    .poll(async () => (await tapbench.api('GET', path)).body.action)
    .toMatchObject({ status: 'Succeeded', transaction: { amounts: { requested: 500 } } });
});

test('dashboard: a payment is started with a card and a cardholder, whose script is shown after a reload too', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button, state, openTerminal, errors } = await openDashboard(browser, tapbench.dashboardUrl);
  await openTerminal(/Simulated terminal/);
  const cardholder = page.getByRole('combobox', { name: 'Cardholder' });
  const card = page.getByRole('combobox', { name: 'Card', exact: true });
  await cardholder.selectOption('Walks away');
  expect(await card.count()).toBe(0);
  await button('Start payment').click();
  await state('awaitingCard');
  const shown = () => cardholder.locator('option:checked').innerText();
  await expect.poll(shown).toBe('Walks away');
  await page.reload();
  await state('awaitingCard');
  await expect.poll(shown).toBe('Walks away');
  await cardholder.selectOption('Presses cancel');
  await page.locator('.action-panel', { hasText: 'cancelled' }).waitFor();

  await cardholder.selectOption('Inserts the card and enters the PIN');
  await card.selectOption('mastercard-contact-pin');
  await button('Start payment').click();
  await page.locator('.slip[data-copy=merchantCopy] pre', { hasText: 'PIN VERIFIED' }).waitFor();
  expect(errors).toEqual([]);
});

test('dashboard: after clicked digits the Enter key confirms the PIN', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button, state, openTerminal } = await openDashboard(browser, tapbench.dashboardUrl);
  await openTerminal(/Simulated terminal/);
  await button('Start payment').click();
  await state('awaitingCard');
  await button(/^Card: /).click();
  await page.getByRole('option', { name: CHIP_AND_PIN }).click();
  await button('Insert').click();
  await state('awaitingPin');
  for (const key of ['1', '2', '3', '4']) await button(key).click();
  await page.locator('.display-pin', { hasText: '••••' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.slip[data-copy=merchantCopy] pre', { hasText: 'PIN VERIFIED' }).waitFor();
});

// Where Tab leaves the document, the body has the focus, with all text of the page.
const NAME_OF_FOCUS = `(({ ariaLabel, labels, textContent, tagName }) => tagName === 'BODY' ? '' :
  (ariaLabel ?? labels?.[0]?.textContent ?? textContent ?? '').trim())(document.activeElement)`;

/** Presses Tab until what has the focus is called so. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const focused = () => page.evaluate<string>(NAME_OF_FOCUS);
  const passed: string[] = [];
  for (let pressed = 0; pressed < 80; pressed++) {
    await page.keyboard.press('Tab');
    const called = await focused();
    if (name.test(called)) return;
    passed.push(called.slice(0, 30));
  }
  throw new Error(`Tab does not lead to ${name}, but to ${passed.join(' | ')}`);
}

test('dashboard: by keyboard only, a payment with a PIN from the fleet to the receipt, and back through its steps', async () => {
  const tapbench = await fixture.tapbench();
  const { page, state, errors } = await openDashboard(browser, tapbench.dashboardUrl);
  const press = (key: string) => page.keyboard.press(key);
  await tabTo(page, /^Simulated terminal/);
  await press('Enter');
  await page.locator('.start-form').waitFor();
  await tabTo(page, /^Amount/);
  await page.keyboard.type('120.00');
  await press('Enter');
  await state('awaitingCard');
  // The device has the focus: what is typed are its keys, and Tab leads on from it.
  await page.locator('.device:focus').waitFor();

  // Without its cards, the list cannot have the focus.
  await page.locator('.card-picker:enabled').waitFor();
  await tabTo(page, /^Card: /);
  await press('Enter');
  const option = page.locator('[role=option]:focus');
  await option.waitFor();
  while (!(await option.textContent())!.startsWith(CHIP_AND_PIN)) await press('ArrowDown');
  await press('Enter');
  await tabTo(page, /^Insert/);
  await press('Enter');
  await state('awaitingPin');
  await page.locator('.device').focus();
  await page.keyboard.type('1234');
  await press('Enter');
  await page.locator('.slip').waitFor();
  await tabTo(page, /^Tear off/);
  await press('Enter');
  await page.locator('.slip[data-copy=customerCopy]').waitFor();

  await tabTo(page, /request: POST/);
  await press('ArrowLeft');
  await page.locator('.stepper.back').waitFor();
  await press('ArrowLeft');
  await press('ArrowLeft');
  await press('Escape');
  await state('succeeded');
  expect(await page.locator('.stepper.back').count()).toBe(0);
  const { pointersPressed } = await inputCounts(page);
  expect(pointersPressed).toBe(0);
  expect(errors).toEqual([]);
});

test('dashboard: the focus that the user has moved stays there when a payment has been started', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button, state, openTerminal } = await openDashboard(browser, tapbench.dashboardUrl);
  let answer!: () => void;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/payment', async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  await openTerminal(/Simulated terminal/);
  await button('Start payment').click();
  await state('awaitingCard');
  await page.locator('.card-picker:enabled').focus();
  const answered = page.waitForResponse('**/payment');
  answer();
  await replyRead(page, answered);
  expect(await page.evaluate(NAME_OF_FOCUS)).toMatch(/^Card: /);
});

test('dashboard: the page calls its server only, and shows neither keys nor secrets', async () => {
  const tapbench = await fixture.tapbench();
  const receiver = await fixture.receiver();
  const { body: webhook } = await tapbench.api('POST', '/v1/webhooks', {
    url: receiver.url,
    active: true,
    eventTypes: ['PaymentSession.captured'],
  });
  const startMs = realTime.nowMs();
  const { page, button, requested, openTerminal, startPayment } = await openDashboard(
    browser,
    tapbench.dashboardUrl,
  );
  console.log(`  the fleet was shown after ${realTime.nowMs() - startMs} ms`);
  await openTerminal(/Simulated terminal/);
  await startPayment();
  await button('Tap').click();
  await page.locator('.entry', { hasText: 'PaymentSession.captured: 200' }).waitFor();
  for (const entry of await page.locator('.entry-line').all()) await entry.click();
  const seen = (await page.textContent('body'))!;
  for (const secret of [tapbench.secretKey, tapbench.publicKey, webhook.secret, '_secret_']) {
    expect(seen).not.toContain(secret);
  }
  expect(seen).toContain('action.start Payment');
  expect(seen).not.toMatch(/\b\d{15,19}\b/);
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.locator('.delivery-list a').first().click();
  await page.locator('.signature-value').waitFor();
  expect(await page.textContent('body')).not.toContain(webhook.secret);
  const foreign = requested.filter((address) => !address.startsWith(tapbench.url));
  expect(foreign).toEqual([]);
});

test('dashboard: the page shows that its server is unreachable, and continues when it is back', async () => {
  const tapbench = await fixture.tapbench();
  const { page } = await openDashboard(browser, tapbench.dashboardUrl);
  await tapbench.kill();
  await page.locator('.link.away').waitFor();
  await tapbench.restart();
  await page.locator('span.link', { hasText: 'Live' }).waitFor();
  await tapbench.api('POST', '/v1/customers', { email: 'ana@corner.example' });
  await page.getByRole('link', { name: '200 POST /v1/customers' }).waitFor();
});

test('dashboard: the link opens the page, which keeps its token and shows it nowhere', async () => {
  const tapbench = await fixture.tapbench();
  const { page, context, requested } = await openDashboard(browser, tapbench.dashboardUrl);
  const token = tapbench.dashboardUrl.split('#token=')[1]!;
  expect(page.url()).toBe(`${tapbench.url}/`);
  expect(requested.filter((address) => address.includes(token) && !address.includes('#'))).toEqual([]);
  const referrers = page.evaluate<string>('document.referrer');
  expect(await referrers).toBe('');
  expect(await page.textContent('body')).not.toContain(token);

  const second = await context.newPage();
  await second.goto(tapbench.url);
  await second.locator('.tile').first().waitFor();

  await tapbench.kill();
  await tapbench.restart();
  await page.reload();
  await page.locator('.tile').first().waitFor();
});

test('dashboard: without its link the page says where to find it, and accepts the secret key for this window', async () => {
  const tapbench = await fixture.tapbench();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(tapbench.url);
  await page.locator('.key-prompt', { hasText: 'npx tapbench open' }).waitFor();
  const key = page.getByLabel('Secret key');
  await key.fill('sk_sandbox_wrong');
  await page.getByRole('button', { name: 'Open the dashboard' }).click();
  await page.locator('#key-problem', { hasText: 'not the secret key' }).waitFor();
  await key.fill(tapbench.secretKey);
  await page.getByRole('button', { name: 'Open the dashboard' }).click();
  await page.locator('.tile').first().waitFor();
  await page.reload();
  await page.locator('.tile').first().waitFor();

  const other = await context.newPage();
  await other.goto(tapbench.url);
  await other.locator('.key-prompt').waitFor();
  await other.goto(tapbench.dashboardUrl);
  await other.locator('.tile').first().waitFor();
});

test('open: prints the link, whose code opens the page once', async () => {
  const tapbench = await fixture.tapbench();
  const screen = fixture.folder();
  const opened = join(screen, 'opened');
  writeFileSync(join(screen, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 });
  const env = { TAPBENCH_URL: tapbench.url, DATA_DIR: tapbench.dataDir! };
  const PATH = `${screen}:${process.env['PATH']}`;
  const open = await fixture.run(['open'], { env: { ...env, PATH, DISPLAY: ':99' } });
  expect(open).toMatchObject({ code: 0, stdout: `${tapbench.dashboardUrl}\n`, stderr: '' });

  const link = readFileSync(opened, 'utf8');
  expect(link).toMatch(/\/#code=[\w-]{40,}$/);
  const { page } = await openDashboard(browser, link);
  expect(page.url()).toBe(`${tapbench.url}/`);
  const late = await (await browser.newContext()).newPage();
  await late.goto(link);
  await late.locator('.key-prompt', { hasText: 'already used' }).waitFor();

  const without = await fixture.run(['open'], { env });
  expect(without).toMatchObject({ code: 0, stdout: `${tapbench.dashboardUrl}\n` });
  expect(without.stderr).toContain('open the link yourself');
});

test('dashboard: a token that the server no longer knows leads to the prompt, and a new link opens the page', async () => {
  const tapbench = await fixture.tapbench();
  const { page } = await openDashboard(browser, tapbench.dashboardUrl);
  await tapbench.kill();
  const keys = join(tapbench.dataDir!, 'keys.json');
  const { dashboardToken, ...rest } = JSON.parse(readFileSync(keys, 'utf8')) as Record<string, string>;
  writeFileSync(keys, JSON.stringify(rest));
  await tapbench.restart();
  await page.locator('.key-prompt', { hasText: 'no longer valid' }).waitFor();
  const renewed = JSON.parse(readFileSync(keys, 'utf8')) as Record<string, string>;
  expect(renewed['dashboardToken']).not.toBe(dashboardToken);
  // As a link is pasted into the address bar of the page that is open.
  await page.goto(`${tapbench.url}/#token=${renewed['dashboardToken']}`);
  await page.locator('span.link', { hasText: 'Live' }).waitFor();
  expect(page.url()).toBe(`${tapbench.url}/`);
});
