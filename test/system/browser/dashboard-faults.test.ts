import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { openDashboard, showView } from './dashboard-page.ts';
import { looks } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

const { fixture, folder, browser } = createPictureFixture();

const CUSTOMERS = { operation: 'POST /v1/customers' };
const ANA = { email: 'ana@corner.example' };

test('dashboard: a plan of faults is tried, written, followed to what it struck, and deleted', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl);
  await page.getByRole('link', { name: 'Faults', exact: true }).click();
  await button('Lose the next reply').click();
  await page.locator('.detail-head', { hasText: 'Lose one reply' }).waitFor();
  await page.getByRole('heading', { name: 'Not struck yet' }).waitFor();
  const mark = page.locator('.fault-lines .pill', { hasText: 'not struck' });
  await mark.waitFor();
  const lost = tapbench.api('POST', '/v1/payment-sessions', {
    amount: 1742,
    currency: 'GBP',
    customerEmail: 'ana@corner.example',
    returnUrl: 'https://shop.example/',
  });
  await expect(lost).rejects.toThrow(Error);
  await page.getByRole('heading', { name: 'Struck once' }).waitFor();
  await mark.waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Request that was struck' }).click();
  await page.locator('.detail-head', { hasText: 'POST /v1/payment-sessions' }).waitFor();
  await page.locator('.item-list a', { hasText: 'a fault struck: reset' }).waitFor();
  await page.getByLabel('Faults that struck').getByRole('link').click();
  await page.getByRole('heading', { name: 'Struck once' }).waitFor();

  await page.getByRole('link', { name: 'Add a plan' }).click();
  await page.getByLabel('Where it strikes').selectOption('api.request');
  await page.getByLabel('What happens').selectOption('unavailable');
  const operation = page.getByRole('combobox', { name: 'Operation' });
  await operation.fill('POST /v1/customer');
  await page.getByRole('option', { name: 'POST /v1/customers Create a customer.' }).waitFor();
  await page.getByLabel('Times').fill('2');
  await button('Add the plan').click();
  const wrong = page.locator('.field', { has: page.locator('[aria-invalid=true]') });
  await wrong
    .getByRole('alert')
    .filter({ hasText: 'Must be an operation of the API, such as POST /v1/customers.' })
    .waitFor();
  await operation.and(page.locator(':focus')).waitFor();
  await button('JSON').click();
  const text = page.getByRole('textbox', { name: 'Plan' });
  await text.fill((await text.inputValue()).replace('/v1/customer"', '/v1/customers"'));
  await button('Add the plan').click();

  await page.locator('.fault-lines', { hasText: 'the first 2' }).waitFor();
  expect((await tapbench.api('POST', '/v1/customers', ANA)).status).toBe(503);

  await button('Delete').click();
  await page.waitForURL(/#\/faults$/);
  await page.locator('.plan-list li').nth(1).waitFor({ state: 'detached' });
  expect((await tapbench.api('POST', '/v1/customers', ANA)).status).toBe(200);
  expect(errors).toEqual([]);
});

test('dashboard: each field of a fault offers the names of its place', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: '#/faults/new',
  });
  const fields = [
    ['message.command', 'Message', 'action.start'],
    ['message.report', 'Message', 'action.completed'],
    ['terminal.state', 'State', 'awaitingPin'],
    ['terminal.effect', 'Effect', 'printMerchantCopy'],
    ['webhook.attempt', 'Event type', 'Customer.created'],
  ] as const;
  for (const [place, label, name] of fields) {
    await page.getByLabel('Where it strikes').selectOption(place);
    const field = page.getByRole('combobox', { name: label });
    await field.click();
    await field.press('Escape');
    await page.locator('.name-list li').first().waitFor({ state: 'detached' });
    // The last of the names that begin so, by the keys alone.
    await field.fill(name);
    await field.press('ArrowDown');
    await page.locator('.name-list li').first().waitFor();
    await field.fill(name.slice(0, -1));
    await field.press('ArrowDown');
    await field.press('Enter');
    expect(await field.inputValue()).toBe(name);
  }
  await page.getByLabel('Where it strikes').selectOption('message.command');
  const id = page.getByRole('combobox', { name: 'Id' });
  await id.click();
  await page.locator('.name-list li', { hasText: 'SIM-0001' }).click();
  expect(await id.inputValue()).toBe(tapbench.terminals[0]!.id);
  await button('Add the plan').click();
  await page.locator('.fault-lines', { hasText: tapbench.terminals[0]!.id }).waitFor();

  await page.getByRole('heading', { name: 'Not struck yet' }).waitFor();
  await button('Delete').click();
  await page.waitForURL(/#\/faults$/);
  expect((await tapbench.api('GET', '/sandbox/faults')).body.items).toEqual([]);
  expect(errors).toEqual([]);
});

test.each(looks('light-1440', 'dark-390'))(
  'dashboard pictures: faults, $look',
  async ({ look, size, dark }) => {
    const tapbench = await fixture.tapbench();
    const receiver = await fixture.receiver();
    const eventTypes = ['Customer.created'];
    await tapbench.api('POST', '/v1/webhooks', { url: receiver.url, active: true, eventTypes });
    const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
      size,
      dark,
      at: '#/faults',
    });
    const shoot = async (name: string) => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      const path = join(folder, `${name}-${look}.png`);
      expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
      expect(await accessibilityProblems(page)).toEqual([]);
    };
    await page.getByRole('heading', { name: 'Lose one reply' }).waitFor();
    await shoot('faults-none');

    await tapbench.api('POST', '/sandbox/faults', {
      title: 'a bad night',
      seed: '7',
      faults: [
        { at: 'api.request', what: 'unavailable', when: CUSTOMERS },
        { at: 'webhook.attempt', what: 'dropped', when: { percent: 90, times: 1000 } },
      ],
    });
    const atPower = { at: 'terminal.state', what: 'power-cut', when: { state: 'reading' }, delayMs: 1000 };
    await tapbench.api('POST', '/sandbox/faults', { faults: [atPower] });
    const terminalId = tapbench.terminals[0]!.id;
    expect((await tapbench.api('POST', '/v1/customers', ANA)).status).toBe(503);
    for (let count = 0; count < 3; count += 1) await tapbench.api('POST', '/v1/customers', ANA);
    await tapbench.api('POST', `/v1/in-person/terminals/${terminalId}/payment`, {
      amounts: { requested: 1742 },
      currency: 'GBP',
    });
    const struck = async () => {
      const { body } = await tapbench.api('GET', '/sandbox/faults');
      return body.items.every((plan: { struck: number }) => plan.struck > 0);
    };
    await waitFor('strikes of both plans', struck);
    await page.locator('.plan-list li', { hasText: 'struck once' }).waitFor();
    await shoot('faults');
    await showView(page, '#/faults/plan_1');
    await page.locator('.strikes > li').nth(1).waitFor();
    await shoot('faults-plan');
    await showView(page, '#/faults/new');
    await page.getByRole('heading', { name: 'New plan' }).waitFor();
    await shoot('faults-new');
    await page.getByRole('combobox', { name: 'Operation' }).fill('refund');
    await page.locator('.name-list li').first().waitFor();
    await shoot('faults-new-names');
    await page.getByRole('button', { name: 'Add the plan' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await shoot('faults-new-wrong');
    await showView(page, '#/requests?path=customers');
    await page.locator('.struck-mark').waitFor();
    await shoot('faults-requests');
    await showView(page, '#/webhooks');
    await page.locator('.struck-mark').first().waitFor();
    await shoot('faults-webhooks');
    await showView(page, `#/terminals/${terminalId}`);
    await page.locator('.entry', { hasText: 'power-cut' }).waitFor({ state: 'attached' });
    // A narrow window shows one pane at a time, and draws no chart for another.
    if (size.width > 760) await page.locator('.drawing .strike').waitFor();
    await shoot('faults-terminal');
    expect(errors).toEqual([]);
  },
);
