import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startOwnFirmware } from '../kit/own-firmware.ts';
import type { Child } from '../kit/child-command.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { accessibilityProblems } from './accessibility.ts';
import { openDashboard } from './dashboard-page.ts';
import { looks } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';

const { fixture, folder, browser } = createPictureFixture();

/** Starts `tapbench certify device` in a process without a terminal window. */
function certify({ url, secretKey }: Tapbench, terminal: string, ...flags: string[]): Child {
  const env = { TAPBENCH_URL: url, SECRET_KEY: secretKey };
  return fixture.command(['certify', 'device', terminal, ...flags], { cwd: fixture.folder(), env });
}

const caseOf = (page: Page, id: string) => page.locator('.case-row', { hasText: id });
const verdictOf = (page: Page, id: string, words: string) =>
  caseOf(page, id).locator('.pill', { hasText: words });

test('dashboard: a certificate grows while its command runs, and what is to be done at the device is answered', async () => {
  const tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
  const { terminalId, fleet } = await startOwnFirmware(fixture, tapbench, { isControlled: false });
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: '#/certificates',
  });
  await page.getByText('npx tapbench certify device').waitFor();
  const command = certify(tapbench, terminalId, '--only', 'device.payment,device.pin,device.decline');
  await page.getByRole('link', { name: new RegExp(terminalId) }).click();

  await page.locator('.act-text', { hasText: 'Hold a card that asks for no PIN to the device.' }).waitFor();
  await verdictOf(page, 'device.payment', 'under way').waitFor();
  const so = page.waitForEvent('popup');
  await page.getByRole('link', { name: /^Open its trace so far/ }).click();
  const soFar = await so;
  await soFar.getByText('action.start').first().waitFor();
  await soFar.close();
  fleet.terminal(terminalId)!.perform({ act: 'present-card', card: 'visa-contactless' });
  await button('Done').click();
  await verdictOf(page, 'device.payment', 'passed').waitFor();

  await page.locator('.act-text', { hasText: 'Hold a card' }).waitFor();
  fleet.terminal(terminalId)!.perform({ act: 'present-card', card: 'visa-contactless' });
  await button('Done').click();
  await verdictOf(page, 'device.decline', 'passed').waitFor();

  await page.locator('.act-text', { hasText: 'Put a chip card' }).waitFor();
  await button('Cannot be done').click();
  await page.getByLabel('Why it cannot be done, for the certificate').fill('it has no slot');
  await page.keyboard.press('Enter');
  await caseOf(page, 'device.pin').locator('.case-reason', { hasText: '(it has no slot)' }).waitFor();
  await page.locator('.certificate-head .pill', { hasText: 'ended' }).waitFor();
  expect((await command.ended).code).toBe(2);

  await caseOf(page, 'device.payment').locator('summary').click();
  const rule = page.getByRole('link', { name: 'protocol.card.authorise' }).first();
  const reading = page.waitForEvent('popup');
  await rule.click();
  const guide = await reading;
  await guide.locator('code[id="protocol.card.authorise"]').waitFor();
  await guide.close();
  const opening = page.waitForEvent('popup');
  await caseOf(page, 'device.payment')
    .getByRole('link', { name: /^Open its trace/ })
    .click();
  await (await opening).getByText('action.start').first().waitFor();
  expect(errors).toEqual([]);
});

test('dashboard: a certificate whose command was killed is shown as broken off, and not under way', async () => {
  const tapbench = await fixture.tapbench({ args: ['--ephemeral'] });
  const { terminalId } = await startOwnFirmware(fixture, tapbench, { isControlled: false });
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, { at: '#/certificates' });
  const only = ['--only', 'device.payment'];
  const interrupted = certify(tapbench, terminalId, ...only);
  await page.getByRole('link', { name: new RegExp(terminalId) }).click();
  await page.locator('.act-panel').waitFor();
  await interrupted.kill('SIGINT');
  await page.locator('.certificate-head .pill', { hasText: 'broken off' }).waitFor();
  await page.locator('.act-panel').waitFor({ state: 'detached' });

  const killed = certify(tapbench, terminalId, ...only);
  const second = page.locator('.certificate-list a').first();
  await second.locator('.pill', { hasText: 'under way' }).waitFor();
  await second.locator('.certificate-act').waitFor();
  await killed.kill('SIGKILL');
  await second.locator('.pill', { hasText: 'broken off' }).waitFor({ timeout: 40_000 });
  expect(await second.locator('.certificate-act').count()).toBe(0);
  expect(errors).toEqual([]);
}, 90_000);

test.each(looks('light-1440', 'dark-390', 'dark-1440', 'light-390'))(
  'dashboard pictures: certificates, $look',
  async ({ look, size, dark }) => {
    const tapbench = await fixture.tapbench();
    const { terminalId, fleet } = await startOwnFirmware(fixture, tapbench, { isControlled: false });
    const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
      size,
      dark,
      at: '#/certificates',
    });
    const shoot = async (name: string) => {
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      const path = join(folder, `${name}-${look}.png`);
      expect((await page.screenshot({ path })).length).toBeGreaterThan(10_000);
      expect(await accessibilityProblems(page)).toEqual([]);
    };
    await page.getByText('npx tapbench certify device').waitFor();
    await shoot('certificates-none');
    const first = certify(tapbench, 'SIM-0001', '--only', 'device.payment,device.masked.pin,device.refund');
    await first.ended;
    const command = certify(tapbench, terminalId, '--except', 'device.start.expired,device.clock');
    await page.getByRole('link', { name: new RegExp(terminalId) }).click();
    await page.locator('.act-panel').waitFor();
    await shoot('certificate-act');
    for (const words of ['device.payment', 'device.reports', 'device.numbers']) {
      await page.locator('.act-text', { hasText: 'Hold a card' }).waitFor();
      fleet.terminal(terminalId)!.perform({ act: 'present-card', card: 'visa-contactless' });
      await button('Done').click();
      await verdictOf(page, words, 'passed').waitFor();
    }
    await button('Cannot be done').click();
    await shoot('certificate-refused');
    await page.keyboard.press('Enter');
    await verdictOf(page, 'device.masked', 'not shown').waitFor();
    await page.locator('.act-text', { hasText: 'Put a chip card' }).waitFor();
    await caseOf(page, 'device.payment').locator('summary').click();
    await shoot('certificate-grown');
    await command.kill('SIGINT');
    await page.locator('.certificate-head .pill', { hasText: 'broken off' }).waitFor();
    await shoot('certificate-broken-off');
    await waitFor('the end of the command', async () => (await command.ended).code === 130);
    expect(errors).toEqual([]);
  },
  120_000,
);
