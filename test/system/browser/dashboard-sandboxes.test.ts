import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { holdRequests, openDashboard, replyRead, type DashboardPage } from './dashboard-page.ts';
import { NARROW, WIDE } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';

const { fixture, folder, browser } = createPictureFixture();

const rowOf = ({ page }: DashboardPage, name: string) =>
  page.locator('.sandbox-list li').filter({ has: page.locator('b', { hasText: new RegExp(`^${name}$`) }) });

test('dashboard: sandboxes are created, forked, opened and deleted from the list, with the keyboard', async () => {
  const tapbench = await fixture.tapbench();
  const dashboard = await openDashboard(browser(), tapbench.dashboardUrl);
  const { page, button } = dashboard;
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  await button('Sandbox default. Show all').focus();
  await press('Enter');
  await rowOf(dashboard, 'default').waitFor();
  await page.getByLabel('Name of the new sandbox').focus();
  await page.keyboard.type('ci-1');
  await press('Enter');
  await page.getByRole('status').filter({ hasText: 'ci-1 was created' }).waitFor();
  await rowOf(dashboard, 'ci-1').waitFor();

  await button('Fork ci-1').focus();
  await press('Enter');
  await page.keyboard.type('ci-2');
  await press('Enter');
  await rowOf(dashboard, 'ci-2').filter({ hasText: 'fork of ci-1' }).waitFor();
  expect((await tapbench.api('GET', '/sandboxes/ci-2')).body.from).toBe('ci-1');

  await button('Delete ci-2').focus();
  // The question has the focus on the answer that changes nothing.
  await press('Enter');
  await page.getByText('Delete ci-2 with everything in it?').waitFor();
  await press('Enter');
  await button('Fork ci-2').waitFor();
  expect((await tapbench.api('GET', '/sandboxes/ci-2')).status).toBe(200);
  await press('Enter');
  await page.getByText('Delete ci-2 with everything in it?').waitFor();
  await press('Shift+Tab', 'Enter');
  await rowOf(dashboard, 'ci-2').waitFor({ state: 'detached' });
  expect((await tapbench.api('GET', '/sandboxes/ci-2')).status).toBe(404);

  await press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await press('Enter');
  await button('Open ci-1').click();
  await page.waitForURL('**/s/ci-1/');
  await page.locator('span.link').waitFor();
  expect(page.url()).not.toContain('token');
  await button('Sandbox ci-1. Show all').click();
  await page.getByText('This is the sandbox ci-1').waitFor();
  await page.getByRole('link', { name: 'dashboard of the sandbox default' }).click();
  await button('Sandbox default. Show all').waitFor();
  expect(dashboard.errors).toEqual([]);
});

test('dashboard: the list shows the settings of each sandbox, and changes those that are not of the server', async () => {
  const tapbench = await fixture.tapbench({ env: { IDEMPOTENCY_KEYS: 'on' } });
  await tapbench.api('POST', '/sandboxes', { name: 'ci-1' });
  const dashboard = await openDashboard(browser(), tapbench.dashboardUrl);
  const { page, button } = dashboard;
  await button('Sandbox default. Show all').click();
  await rowOf(dashboard, 'default').filter({ hasText: 'Idempotency keys on' }).waitFor();
  expect(await rowOf(dashboard, 'default').locator('select').count()).toBe(0);
  const settings = page.getByLabel('Settings of ci-1');
  expect(await settings.inputValue()).toBe('Idempotency keys on');
  await settings.selectOption('Strict');
  const stored = async () => (await tapbench.api('GET', '/sandboxes/ci-1')).body;
  await expect.poll(stored).toMatchObject({ strict: 'on', idempotencyKeys: 'off' });
  await settings.selectOption('Idempotency keys off');
  await expect.poll(stored).toMatchObject({ strict: 'off', idempotencyKeys: 'off' });
});

test('dashboard: the question before a sandbox is deleted takes the very next keys', async () => {
  const tapbench = await fixture.tapbench();
  const dashboard = await openDashboard(browser(), tapbench.dashboardUrl);
  const { page, button } = dashboard;
  await tapbench.api('POST', '/sandboxes', { name: 'ci-1' });
  await button('Sandbox default. Show all').click();
  await rowOf(dashboard, 'ci-1').waitFor();
  // The page has no time to paint between a click and the next look.
  const seen = await page.evaluate<unknown>(`(async () => {
    const focused = () => document.activeElement.ariaLabel ?? document.activeElement.textContent;
    const afterRender = () => Promise.resolve().then(() => {});
    document.querySelector('[aria-label="Delete ci-1"]').click();
    await afterRender();
    const asked = focused();
    document.activeElement.click();
    await afterRender();
    const kept = focused();
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await afterRender();
    return { asked, kept, dialogs: document.querySelectorAll('[role=dialog]').length, closed: focused() };
  })()`);
  expect(seen).toEqual({
    asked: 'Keep it',
    kept: 'Delete ci-1',
    dialogs: 0,
    closed: 'Sandbox default. Show all',
  });
});

test('dashboard: a name that is typed while a sandbox is created stays for the next one', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl);
  await button('Sandbox default. Show all').click();
  const name = page.getByLabel('Name of the new sandbox');
  await name.fill('ci-1');
  const release = await holdRequests(page, '**/sandboxes');
  const asked = page.waitForRequest((request) => request.method() === 'POST');
  await button('Create').click();
  await asked;
  await name.fill('ci-2');
  release();
  await page.getByRole('status').filter({ hasText: 'ci-1 was created' }).waitFor();
  expect(await name.inputValue()).toBe('ci-2');
});

test('dashboard: a server with a host key lists its sandboxes for that key only', async () => {
  const HOST_KEY = 'host_0123456789abcdef0123456789abcdef';
  const tapbench = await fixture.tapbench({ env: { HOST_KEY } });
  const dashboard = await openDashboard(browser(), tapbench.dashboardUrl);
  const { page, button } = dashboard;
  await button('Sandbox default. Show all').click();
  await page.getByRole('alert').filter({ hasText: 'HOST_KEY' }).waitFor();
  await page.getByLabel('Host key').fill('wrong');
  await button('Show sandboxes').click();
  await page.getByLabel('Host key').fill(HOST_KEY);
  await button('Show sandboxes').click();
  await rowOf(dashboard, 'default').waitFor();
  await button('Create').click();
  await page.getByRole('status').filter({ hasText: 'was created' }).waitFor();
});

test('dashboard: the sandboxes stay when a wrong host key is answered after the right one', async () => {
  const HOST_KEY = 'host_0123456789abcdef0123456789abcdef';
  const tapbench = await fixture.tapbench({ env: { HOST_KEY } });
  const dashboard = await openDashboard(browser(), tapbench.dashboardUrl);
  const { page, button } = dashboard;
  await button('Sandbox default. Show all').click();
  await page.getByRole('alert').filter({ hasText: 'HOST_KEY' }).waitFor();
  let answerWrong!: () => void;
  const held = new Promise<void>((resolve) => (answerWrong = resolve));
  await page.route('**/sandboxes', async (route) => {
    if (route.request().headers()['authorization'] === 'wrong') await held;
    await route.continue();
  });
  for (const key of ['wrong', HOST_KEY]) {
    await page.getByLabel('Host key').fill(key);
    await button('Show sandboxes').click();
  }
  await rowOf(dashboard, 'default').waitFor();
  const wrong = page.waitForResponse(
    async (response) => (await response.request().headerValue('authorization')) === 'wrong',
  );
  answerWrong();
  await replyRead(page, wrong);
  expect(await rowOf(dashboard, 'default').count()).toBe(1);
  expect(await page.getByLabel('Host key').count()).toBe(0);
});

test.each(['light', 'dark'])(
  'dashboard: axe finds nothing wrong with the list of sandboxes, %s',
  { timeout: 60_000 },
  async (look) => {
    const HOST_KEY = 'host_0123456789abcdef0123456789abcdef';
    const tapbench = await fixture.tapbench({ env: { HOST_KEY } });
    const dashboard = await openDashboard(browser(), tapbench.dashboardUrl, { dark: look === 'dark' });
    const { page, button } = dashboard;
    const problems: Record<string, string[]> = {};
    const check = async (shown: string) => void (problems[shown] = await accessibilityProblems(page));
    await check('closed');
    await button('Sandbox default. Show all').click();
    await page.getByRole('alert').filter({ hasText: 'HOST_KEY' }).waitFor();
    await check('the host key');
    await page.getByLabel('Host key').fill(HOST_KEY);
    await button('Show sandboxes').click();
    await rowOf(dashboard, 'default').waitFor();
    await page.getByLabel('Name of the new sandbox').fill('ci-1');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'ci-1 was created' }).waitFor();
    await check('the list');
    await button('Fork ci-1').click();
    await page
      .getByLabel('Begins as')
      .locator('option:checked', { hasText: 'Fork of ci-1' })
      .waitFor({ state: 'attached' });
    await check('a fork');
    await button('Delete ci-1').click();
    await page.getByText('Delete ci-1 with everything in it?').waitFor();
    await check('the question');
    const nothing = Object.fromEntries(Object.keys(problems).map((shown) => [shown, []]));
    expect(problems).toEqual(nothing);
  },
);

test('dashboard pictures: the list of sandboxes', async () => {
  const tapbench = await fixture.tapbench();
  await tapbench.api('POST', '/sandboxes', { name: 'ci-1234' });
  await tapbench.api('POST', '/sandboxes', {
    name: 'anna-tries-refunds-of-large-amounts-once',
    from: 'ci-1234',
  });
  await tapbench.api('POST', '/sandboxes', { name: 'demo', expiresInSeconds: null });
  for (const size of [{ ...WIDE, width: 1440 }, NARROW]) {
    for (const dark of [false, true]) {
      const dashboard = await openDashboard(browser(), tapbench.dashboardUrl, { size, dark });
      const { page, button, context, errors } = dashboard;
      await button('Sandbox default. Show all').click();
      await rowOf(dashboard, 'demo').waitFor();
      await button('Delete ci-1234').click();
      await page.getByText('Delete ci-1234 with everything in it?').waitFor();
      const look = `${dark ? 'dark' : 'light'}-${size.width}`;
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      const path = join(folder, `sandboxes-${look}.png`);
      expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
      expect(errors).toEqual([]);
      await context.close();
    }
  }
});
