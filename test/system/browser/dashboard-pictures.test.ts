import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { openPage } from './browser.ts';
import { openDashboard, type DashboardPage } from './dashboard-page.ts';
import { looks, NARROW } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';
import type { Json } from '../kit/http-call.ts';
import { waitFor } from '../kit/wait-for.ts';

const { fixture, folder, browser } = createPictureFixture();

/** The same state on every kind of screen, each looked at anew. */
const LOOKS = looks('light-1280', 'dark-1280', 'light-390', 'dark-390');

/** Nothing of a page may lie beyond its right edge. */
async function expectWithin({ page }: DashboardPage): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

/** Takes a picture on each kind of screen of what an address shows, and says when it is all there. */
async function takePictures(
  name: string,
  { link, at }: { link: string; at?: string },
  ready: (onlooker: DashboardPage, narrow: boolean) => Promise<unknown>,
): Promise<void> {
  for (const { look, size, dark } of LOOKS) {
    const onlooker = await openDashboard(browser(), link, { size, dark, ...(at !== undefined && { at }) });
    await ready(onlooker, size === NARROW);
    await expectWithin(onlooker);
    const path = join(folder, `${name}-${look}.png`);
    expect((await onlooker.page.screenshot({ path })).length).toBeGreaterThan(10_000);
    expect(onlooker.errors).toEqual([]);
    await onlooker.context.close();
  }
}

test('dashboard pictures: the page without its link', async () => {
  const tapbench = await fixture.tapbench({ command: 'server' });
  for (const { look, size, dark } of LOOKS) {
    const { page, context, errors } = await openPage(browser());
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
    await page.goto(tapbench.url);
    await page.getByLabel('Secret key').fill('sk_sandbox_wrong');
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    await page.locator('#key-problem', { hasText: 'not the secret key' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    const path = join(folder, `key-prompt-${look}.png`);
    expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
    expect(errors).toEqual([]);
    await context.close();
  }
});

test('dashboard pictures: a fleet of two hundred, some of which take payments, in which axe finds nothing wrong', async () => {
  const tapbench = await fixture.tapbench({ command: 'server' });
  const sim = fixture.command(['sim', '--terminals', '200', '--cardholder', 'none', '--json'], {
    env: { TAPBENCH_URL: tapbench.url, SECRET_KEY: tapbench.secretKey },
  });
  const [line] = await sim.prints(/^\{.*\}$/m);
  const ids: string[] = JSON.parse(line).terminals.map(({ id }: Json) => id);
  const pay = (id: string, requested: number) =>
    tapbench.api('POST', `/v1/in-person/terminals/${id}/payment`, {
      amounts: { requested },
      currency: 'GBP',
    });
  const paying = ids.filter((_, index) => index % 3 === 0);
  await Promise.all(paying.map((id, index) => pay(id, 1_000 + 37 * index)));
  const tapped = paying.filter((_, index) => index % 2 === 0);
  const card = (index: number) => (index % 5 === 0 ? 'visa-expired' : 'visa-contactless');
  await Promise.all(
    tapped.map((id, index) =>
      tapbench.api('POST', `/sandbox/terminals/${id}/present-card`, { card: card(index) }),
    ),
  );
  for (const id of ids.slice(40, 48)) {
    await tapbench.api('POST', `/sandbox/terminals/${id}/power`, { state: 'off' });
  }
  await takePictures('fleet', { link: tapbench.dashboardUrl }, async ({ page }) => {
    await page.locator('.segments b', { hasText: '200' }).waitFor();
    await expect.poll(() => page.locator('.tile').count()).toBe(200);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

test('dashboard pictures: a payment that awaits a card, one that awaits its merchant copy, and a declined one', async () => {
  const tapbench = await fixture.tapbench();
  const receiver = await fixture.receiver();
  receiver.reply = () => 503;
  const eventTypes = ['Terminal.action_updated', 'PaymentSession.approved', 'PaymentSession.declined'];
  await tapbench.api('POST', '/v1/webhooks', { url: receiver.url, active: true, eventTypes });
  const terminal = tapbench.terminals[0]!.id;
  const link = tapbench.dashboardUrl;
  const device = { link, at: `#/terminals/${terminal}` };
  const post = async (path: string, body: unknown) =>
    expect(await tapbench.api('POST', path, body)).toMatchObject({ status: 200 });
  const act = (name: string, body: unknown) => post(`/sandbox/terminals/${terminal}/${name}`, body);
  const operate = (name: string, body: unknown) => post(`/v1/in-person/terminals/${terminal}/${name}`, body);
  const drawn = async ({ page, button }: DashboardPage, narrow: boolean, pane: string) => {
    await page.locator('.card-picker:enabled').waitFor({ state: 'attached' });
    if (narrow) await button(pane).click();
    if (!narrow || pane === 'Chart') await page.locator('.drawing svg').waitFor();
    if (!narrow || pane === 'Timeline') await page.locator('.entry').first().waitFor();
  };

  const awaitsCard = () =>
    waitFor('the terminal waits for a card', async () => {
      const { body } = await tapbench.api('GET', `/sandbox/terminals/${terminal}`);
      return body.state === 'awaitingCard';
    });

  await act('cardholder', { script: 'none' });
  await operate('payment', { amounts: { requested: 1742 }, currency: 'GBP' });
  await takePictures('waiting-for-card', device, async (onlooker, narrow) => {
    await onlooker.page.locator('.display', { hasText: 'Present card' }).waitFor();
    await drawn(onlooker, narrow, 'Device');
  });
  await takePictures('chart', device, (onlooker, narrow) => drawn(onlooker, narrow, 'Chart'));
  await operate('cancel-action', {});

  await operate('payment', {
    amounts: { requested: 2599 },
    currency: 'GBP',
    settings: { receiptPrintingSource: 'PointOfSale' },
  });
  await awaitsCard();
  await act('present-card', { card: 'visa-contactless' });
  await takePictures('merchant-copy', device, async (onlooker, narrow) => {
    await onlooker.page.locator('.slip', { hasText: 'MERCHANT COPY' }).waitFor();
    await drawn(onlooker, narrow, 'Device');
  });
  await operate('cancel-action', {});

  await operate('payment', { amounts: { requested: 1901 }, currency: 'GBP' });
  await awaitsCard();
  await act('present-card', { card: 'visa-contactless' });
  await takePictures('declined', device, async (onlooker, narrow) => {
    await onlooker.page.locator('.bad-words', { hasText: 'insufficient funds' }).waitFor();
    await drawn(onlooker, narrow, 'Timeline');
    await onlooker.page.locator('.entry', { hasText: 'action.decision declined' }).click();
    await onlooker.page.locator('.json').waitFor();
  });

  const { body } = await tapbench.api('GET', `/v1/in-person/terminals/${terminal}`);
  const session = body.action.transaction.paymentSessionId;
  await takePictures('object', { link, at: `#/objects/${session}?panel=machine` }, async ({ page }) => {
    await page.locator('.drawing svg').waitFor();
    await page.locator('.object-list a').first().waitFor({ state: 'attached' });
  });
  await takePictures('webhooks', { link, at: '#/webhooks' }, async ({ page }) => {
    await page.locator('.delivery-list a', { hasText: 'retry in' }).first().click();
    await page.locator('.attempt').first().waitFor();
    await page.locator('.endpoint-health').waitFor({ state: 'attached' });
  });
  await takePictures('clock', { link }, async ({ page, button }) => {
    await button(/Advance sandbox time/).click();
    await page.locator('.clock-popover').waitFor();
  });
});
