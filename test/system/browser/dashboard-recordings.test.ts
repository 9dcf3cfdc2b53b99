import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { readTrace } from '../../../server/traces/trace-file.ts';
import { accessibilityProblems } from './accessibility.ts';
import { holdRequests, openDashboard } from './dashboard-page.ts';
import { looks } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';
import { waitFor } from '../kit/wait-for.ts';

const { fixture, folder, browser } = createPictureFixture();

test('dashboard: a recording is started, stopped, downloaded without secrets, and deleted', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl);
  await button('Record').click();
  await page.getByLabel('Title').fill('A webhook');
  await button('Start recording').click();
  await page.locator('.recording-list li', { hasText: 'A webhook' }).waitFor();
  await button('Recording').waitFor();
  const webhook = { url: 'https://shop.example/hook', active: true, eventTypes: ['PaymentSession.captured'] };
  const { body } = await tapbench.api('POST', '/v1/webhooks', webhook);
  await page.locator('.recording-list small', { hasText: /\b[2-9]\d* items/ }).waitFor();

  const downloading = page.waitForEvent('download');
  await button('Stop and download A webhook').click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('default-rec_1.tapbench');
  const file = readFileSync(await download.path());
  const { header, items } = await readTrace(file);
  expect(header.title).toBe('A webhook');
  expect(items[0]).toMatchObject({ kind: 'call', method: 'POST', url: '/v1/webhooks' });
  expect(JSON.stringify(items)).not.toContain(body.secret);

  // It has ended, and can be downloaded again.
  await button('Record').waitFor();
  const again = page.waitForEvent('download');
  await button('Download A webhook').click();
  expect(readFileSync(await (await again).path())).toEqual(file);
  await button('Delete A webhook').click();
  await page.locator('.recording-list li').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(errors).toEqual([]);
});

test('dashboard: a title that is typed while a recording starts stays for the next one', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl);
  await button('Record').click();
  const title = page.getByLabel('Title');
  await title.fill('One');
  const release = await holdRequests(page, '**/sandbox/recordings');
  const asked = page.waitForRequest((request) => request.method() === 'POST');
  await button('Start recording').click();
  await asked;
  await title.fill('Two');
  release();
  await page.locator('.recording-list li', { hasText: 'One' }).waitFor();
  expect(await title.inputValue()).toBe('Two');
});

test('dashboard: a sixth recording is refused in words', async () => {
  const tapbench = await fixture.tapbench();
  for (let count = 0; count < 5; count++) await tapbench.api('POST', '/sandbox/recordings', {});
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl);
  await button('Recording').click();
  await button('Start recording').click();
  await page.getByRole('alert').filter({ hasText: 'there are 5 recordings' }).waitFor();
});

test('dashboard: a recording under way is opened, played, and saved as a page that needs no server', async () => {
  const tapbench = await fixture.tapbench();
  const { page, button, errors } = await openDashboard(browser(), tapbench.dashboardUrl);
  await button('Record').click();
  await page.getByLabel('Title').fill('A payment');
  await button('Start recording').click();
  await page.locator('.recording-list li', { hasText: 'A payment' }).waitFor();
  const payment = await tapbench.api('POST', `/v1/in-person/terminals/${tapbench.terminals[0]!.id}/payment`, {
    amounts: { requested: 1742 },
    currency: 'GBP',
  });
  await waitFor('the payment', async () => {
    const { body } = await tapbench.api('GET', `/sandbox/objects/${payment.body.action.id}`);
    return body.object.status === 'Succeeded';
  });
  const [viewer] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open A payment' }).click(),
  ]);
  const viewerErrors: string[] = [];
  viewer.on('pageerror', ({ message }) => viewerErrors.push(message));
  await viewer.getByRole('heading', { name: 'A payment' }).waitFor();
  const position = viewer.getByRole('slider', { name: 'Entry' });
  const last = await position.getAttribute('max');
  await viewer.getByRole('button', { name: 'Play', exact: true }).click();
  await viewer.getByRole('button', { name: 'Pause', exact: true }).click();
  expect(Number(await position.inputValue())).toBeLessThan(Number(last));
  await viewer.screenshot({ path: join(folder, 'recording-open.png') });
  const downloading = viewer.waitForEvent('download');
  await viewer.getByRole('button', { name: 'Download page' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('default-rec_1.html');
  const saved = join(fixture.folder(), 'page.html');
  await download.saveAs(saved);
  await viewer.goto(pathToFileURL(saved).href);
  await viewer.getByRole('heading', { name: 'A payment' }).waitFor();
  // It goes on.
  await button('Recording').waitFor();
  expect([...errors, ...viewerErrors]).toEqual([]);
});

test('dashboard: a trace file is opened, and what is none is refused in words', async () => {
  const tapbench = await fixture.tapbench();
  const { id } = (await tapbench.api('POST', '/sandbox/recordings', { title: 'Of a colleague' })).body;
  await tapbench.api('POST', '/v1/customers', { email: 'ana@corner.example' });
  const reply = await fetch(`${tapbench.url}/sandbox/recordings/${id}/file`, {
    headers: { authorization: tapbench.secretKey },
  });
  const buffer = Buffer.from(await reply.arrayBuffer());
  const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl);
  await button('Record').click();
  const [viewer] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open a trace file' }).click(),
  ]);
  const field = viewer.getByLabel('Trace file');
  const mimeType = 'application/octet-stream';
  await field.setInputFiles({ name: 'notes.tapbench', mimeType, buffer: Buffer.from('notes') });
  await viewer.getByRole('alert').filter({ hasText: 'is not a trace of Tapbench' }).waitFor();
  expect(await accessibilityProblems(viewer)).toEqual([]);
  await viewer.screenshot({ path: join(folder, 'trace-file.png') });
  await field.setInputFiles({ name: 'session.tapbench', mimeType, buffer });
  await viewer.getByRole('heading', { name: 'Of a colleague' }).waitFor();
  const downloading = viewer.waitForEvent('download');
  await viewer.getByRole('button', { name: 'Download page' }).click();
  expect((await downloading).suggestedFilename()).toBe('session.html');
});

test('dashboard: the viewer says so where there is no such recording', async () => {
  const tapbench = await fixture.tapbench();
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl);
  await page.goto(new URL('/recordings#rec_7', tapbench.url).href);
  await page.getByRole('alert').filter({ hasText: 'no such recording' }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test.each(looks('light-1440', 'dark-1280', 'light-390', 'dark-390'))(
  'dashboard: the recordings are accessible and fit, $look',
  async ({ look, size, dark }) => {
    const tapbench = await fixture.tapbench();
    await tapbench.api('POST', '/sandbox/recordings', {
      title: 'Tests of the checkout with a very long title',
    });
    await tapbench.api('POST', '/sandbox/recordings', {});
    const { page, button } = await openDashboard(browser(), tapbench.dashboardUrl, { size, dark });
    await button('Recording').click();
    await page.locator('.recording-list li').nth(1).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.screenshot({ path: join(folder, `recordings-${look}.png`) });
  },
);
