import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { openDashboard } from './dashboard-page.ts';
import { looks } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';

const { fixture, folder, browser } = createPictureFixture();

test('dashboard: the exchange with a stand-alone terminal in words beside its bytes, its receipts, and a fault at its line', async () => {
  const tapbench = await fixture.tapbench({ args: ['--twin', 'caisse-ap'] });
  const terminal = tapbench.terminals.find(({ serialNumber }) => serialNumber === 'SIM-CAISSE-AP-0001')!;
  const at = `#/terminals/${terminal.id}`;
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { at });
  const counter = page.locator('.counter');
  await counter.getByText('A payment shows here what till and terminal say.').waitFor();
  await button('Start payment').click();
  await button('Tap').click();
  await page.locator('.action-panel', { hasText: 'succeeded' }).waitFor();

  const row = (text: string) => counter.locator('li', { hasText: text });
  expect(await row('payment, 17.42 GBP').locator('code').textContent()).toMatch(/^43 5A /);
  expect(await row('number of the card').locator('code').textContent()).toMatch(/^·· /);
  await row('done').waitFor();
  await button('Show its receipts').click();
  await counter.locator('pre', { hasText: '17.42' }).first().waitFor();

  for (const { look, size, dark } of looks('light-1440', 'dark-1440', 'light-390', 'dark-390')) {
    const onlooker = await openDashboard(browser(), tapbench.dashboardUrl, { at, size, dark });
    await onlooker.page.locator('.counter').scrollIntoViewIfNeeded();
    await onlooker.page.locator('.exchange li').first().waitFor();
    expect(
      await onlooker.page.evaluate('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
    expect(await accessibilityProblems(onlooker.page)).toEqual([]);
    await onlooker.page.screenshot({ path: join(folder, `counter-${look}.png`) });
    await onlooker.context.close();
  }

  await button('Cut the line after the charge').click();
  await button('Start payment').click();
  await button('Tap').click();
  await page
    .getByRole('button', { name: /charged/i })
    .first()
    .waitFor();
  expect(errors).toEqual([]);
});
