import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accessibilityProblems } from './accessibility.ts';
import { openDashboard } from './dashboard-page.ts';
import { looks } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';

const { fixture, folder, browser } = createPictureFixture();

test('dashboard: a receipt printer shows its paper and how it is, is worked with buttons, and runs out of paper between the copies', async () => {
  const tapbench = await fixture.tapbench({ args: ['--twin', 'escpos'] });
  const terminal = tapbench.terminals.find(({ serialNumber }) => serialNumber === 'SIM-ESCPOS-0001')!;
  const at = `#/terminals/${terminal.id}`;
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { at });
  const section = page.getByRole('region', { name: 'Receipt printer', exact: true });
  const says = (name: string, value: string | RegExp) =>
    section.locator('dl > div', { hasText: name }).locator('dd', { hasText: value }).waitFor();
  await section.getByText('A payment shows here what is printed.').waitFor();
  await says('Paper', 'enough, 2,000 lines left');

  // What is done at the printer elsewhere is shown too.
  await tapbench.api('POST', `/sandbox/terminals/${terminal.id}/control`, {
    control: 'drawer',
    argument: 'open',
  });
  await says('Drawer', 'open');
  await button('Close drawer').click();
  await says('Drawer', 'closed');
  await button('Open cover').press('Enter');
  await says('Cover', 'open');
  // The button has another name now, and the focus still.
  await page.keyboard.press('Enter');
  await says('Cover', 'closed');
  await button('Jam cutter').click();
  await says('Error', 'the cutter is stuck');
  await button('Mend').click();
  await says('Error', 'none');
  await button('Paper near its end').click();
  await says('Paper', 'near its end, 2,000 lines left');

  await section.getByRole('combobox', { name: 'Fault' }).selectOption('paper-out');
  await section.getByRole('combobox', { name: 'When' }).selectOption('between copies');
  await button('Set').click();
  await button('Start payment').click();
  await button('Tap').click();
  const paper = section.getByRole('group', { name: 'Paper of the receipt printer' });
  await paper.locator('pre', { hasText: 'MERCHANT COPY' }).waitFor();
  await says('Paper', 'out');
  const row = (text: string) => section.locator('li', { hasText: text });
  expect(await row('the paper is out').locator('code').textContent()).toBe('7E');
  expect(await page.getByRole('switch', { name: 'Paper' }).getAttribute('aria-checked')).toBe('false');
  await button('Put paper in').click();
  await paper.locator('pre', { hasText: 'CUSTOMER COPY' }).waitFor();
  expect(await paper.textContent()).toMatch(/\*{12}\d{4}/);
  await page.locator('.action-panel', { hasText: 'succeeded' }).waitFor();
  expect(await page.locator('.slip').count()).toBe(0);

  for (const { look, size, dark } of looks('light-1440', 'dark-1440', 'light-390', 'dark-390')) {
    const onlooker = await openDashboard(browser(), tapbench.dashboardUrl, { at, size, dark });
    const shown = onlooker.page.getByRole('region', { name: 'Receipt printer', exact: true });
    await shown.locator('.exchange li').first().waitFor();
    await shown.scrollIntoViewIfNeeded();
    expect(
      await onlooker.page.evaluate('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
    expect(await accessibilityProblems(onlooker.page)).toEqual([]);
    await onlooker.page.screenshot({ path: join(folder, `receipt-printer-${look}.png`) });
    await onlooker.context.close();
  }
  expect(errors).toEqual([]);
});
