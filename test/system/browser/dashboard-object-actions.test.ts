import { BANK_ACCOUNT } from '../../../cli/trigger/account-paths.ts';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CARDS, card } from '../../kit/checkout.ts';
import { accessibilityProblems } from './accessibility.ts';
import { openDashboard } from './dashboard-page.ts';
import { NARROW, WIDE } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';

const { fixture, folder, browser } = createPictureFixture();

/** Pays a payment session of 17.42 GBP. */
async function paid(tapbench: Tapbench, change: object = {}, cardDetails: object = card()) {
  const session = { amount: 1742, currency: 'GBP', customerEmail: 'ana@corner.example', ...change };
  const { body: created } = await tapbench.api('POST', '/v1/payment-sessions', session);
  const attempt = { clientSecret: created.clientSecret, cardDetails };
  const { body } = await tapbench.api('POST', '/v1/payment-sessions/attempt-payment', attempt);
  return body;
}

/** The actions of the object that a page shows. */
function actionsOn(page: Page) {
  const region = page.getByRole('region', { name: 'Actions' });
  return {
    region,
    button: (name: string | RegExp) => region.getByRole('button', { name, exact: true }),
    form: (name: string) => region.getByRole('form', { name }),
    names: () => region.locator('.object-action-buttons button').allTextContents(),
  };
}

/** Lets a page read nothing again by itself, as one behind another window. */
async function stopReading(page: Page): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })`);
}

test('dashboard: a payment is refunded in part from its object, and a refused refund says why', async () => {
  const tapbench = await fixture.tapbench();
  const session = await paid(tapbench);
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: `#/objects/${session.id}`,
  });
  const { button, form, region } = actionsOn(page);
  await button('Refund…').click();
  const amount = form('Refund').getByLabel('Amount, at most 17.42 GBP');
  expect(await amount.inputValue()).toBe('17.42');
  await amount.fill('20');
  await form('Refund').getByRole('button', { name: 'Refund' }).click();
  await form('Refund').getByText('Amount must be 0.01 GBP to 17.42 GBP').waitFor();
  await amount.fill('1.234');
  expect(await form('Refund').getByRole('button', { name: 'Refund' }).isDisabled()).toBe(true);
  await amount.fill('5.42');
  await form('Refund').getByLabel('Reason').fill('One cup was cold');
  const sent = page.waitForRequest((request) => request.url().endsWith('/refunds'));
  await form('Refund').getByRole('button', { name: 'Refund' }).dblclick();
  expect((await sent).headers()['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  await region.getByText('Refund: done.').waitFor();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByRole('link', { name: 'PaymentSession.refunded' }).waitFor();
  await history
    .getByRole('link', { name: new RegExp(`202 POST /v1/payment-sessions/${session.id}/refunds`) })
    .waitFor();
  const { body } = await tapbench.api('GET', `/v1/payment-sessions/${session.id}/transactions`);
  const refunds = body.items.filter(({ type }: { type: string }) => type === 'Refund');
  expect(refunds).toMatchObject([{ amount: 542, reason: 'One cup was cold', status: 'Succeeded' }]);
  await button('Refund…').click();
  expect(await form('Refund').getByLabel('Amount, at most 12.00 GBP').inputValue()).toBe('12.00');
  expect(errors).toEqual([]);
});

test('dashboard: a refund whose replies are lost is done once, though browser and button send it again', async () => {
  const tapbench = await fixture.tapbench();
  const session = await paid(tapbench);
  const operation = 'POST /v1/payment-sessions/{paymentSessionId}/refunds';
  // The browser sends a request again by itself when the connection is closed before a response.
  const when = { operation, id: session.id, times: 2 };
  const plan = {
    faults: [
      { at: 'api.request', what: 'reset', when: { ...when, times: 1 } },
      { at: 'api.reply', what: 'reset', when },
    ],
  };
  const { body: added } = await tapbench.api('POST', '/sandbox/faults', plan);
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl, { at: `#/objects/${session.id}` });
  const { button, form, region } = actionsOn(page);
  await button('Refund…').click();
  await form('Refund').getByLabel('Amount, at most 17.42 GBP').fill('5.42');
  const send = form('Refund').getByRole('button', { name: 'Refund' });
  await send.click();
  await region.getByText(/The server cannot be reached|Refund: done/).waitFor();
  if (await send.isVisible()) await send.click();
  await region.getByText('Refund: done.').waitFor();
  const { body: faults } = await tapbench.api('GET', `/sandbox/faults/${added.id}`);
  expect(faults.struck).toBeGreaterThan(0);
  const { body } = await tapbench.api('GET', `/v1/payment-sessions/${session.id}`);
  expect(body.refundedAmount).toBe(542);
});

test('dashboard: a dispute is opened from a payment, challenged with evidence and won', async () => {
  const tapbench = await fixture.tapbench();
  const session = await paid(tapbench);
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: `#/objects/${session.id}`,
  });
  const { button, form, region, names } = actionsOn(page);
  await button('Open a dispute…').click();
  await form('Open a dispute').getByLabel('Category').selectOption('CardholderDispute');
  await form('Open a dispute').getByRole('button', { name: 'Open a dispute' }).click();
  await region.getByRole('link', { name: /^dsp_/ }).click();
  await page.getByRole('heading', { name: /^Dispute CardholderDispute/, level: 1 }).waitFor();
  await button('Add evidence…').click();
  await form('Add evidence').getByLabel('Text').fill('The parcel was signed for.');
  await form('Add evidence').getByRole('button', { name: 'Add evidence' }).click();
  await button('Challenge').click();
  await region.getByText('Challenge: done.').waitFor();
  await button('Decide as won').click();
  await region.getByText('Decide as won: done.').waitFor();
  await page.locator('.detail-head .pill', { hasText: 'Won' }).waitFor();
  expect(await names()).toEqual([]);
  const history = page.getByRole('region', { name: 'History' });
  for (const status of ['Open', 'Challenged', 'Won'])
    await history.locator('.pill', { hasText: status }).waitFor();
  await history.getByText('TransactionChargebackReversal').waitFor();
  expect(errors).toEqual([]);
});

test('dashboard: a payment that waits for 3-D Secure is cancelled, and another is approved, from their objects', async () => {
  const tapbench = await fixture.tapbench();
  const challenged = () => paid(tapbench, {}, card(CARDS.challenge));
  const [cancelled, approved] = [await challenged(), await challenged()];
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: `#/objects/${cancelled.id}`,
  });
  const { button, region, names } = actionsOn(page);
  const pill = (status: string) => page.locator('.detail-head .pill', { hasText: status });
  await pill('PendingAction').waitFor();
  await page.screenshot({ path: join(folder, 'object-actions-three-ds.png') });
  await button('Cancel as the cardholder').click();
  await region.getByText('Cancel as the cardholder: done.').waitFor();
  await pill('PendingPayment').waitFor();
  await button('Approve as the cardholder').waitFor({ state: 'detached' });

  await page.goto(`${tapbench.dashboardUrl.replace(/#.*$/, '')}#/objects/${approved.id}`);
  await button('Approve as the cardholder').waitFor();
  await stopReading(page);
  const path = `/sandbox/payment-sessions/${approved.id}/authentication`;
  await tapbench.api('POST', path, { outcome: 'Authenticated' });
  await button('Approve as the cardholder').click();
  await region.getByText('Approve as the cardholder: the payment session can no longer be paid').waitFor();
  await pill('Captured').waitFor();
  expect(await names()).toContain('Refund…');
  expect(errors).toEqual([]);
});

test('dashboard: the next attempt of a payment session is declined with the code that is chosen', async () => {
  const tapbench = await fixture.tapbench();
  const order = { amount: 1742, currency: 'GBP', customerEmail: 'ana@corner.example' };
  const { body: session } = await tapbench.api('POST', '/v1/payment-sessions', order);
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: `#/objects/${session.id}`,
  });
  const { button, form, region } = actionsOn(page);
  await button('Decline the next attempt…').click();
  const decline = form('Decline the next attempt');
  await decline.getByLabel('Code').selectOption('insufficient_funds');
  await decline.getByRole('button', { name: 'Decline the next attempt' }).click();
  await region.getByText('Decline the next attempt: done.').waitFor();
  const attempt = { clientSecret: session.clientSecret, cardDetails: card() };
  const attempted = await tapbench.api('POST', '/v1/payment-sessions/attempt-payment', attempt);
  expect(attempted.body).toMatchObject({ status: 'PendingPayment', lastError: 'insufficient_funds' });
  await page.locator('.object-history', { hasText: 'attempt-payment' }).waitFor();
  expect(errors).toEqual([]);
});

test('dashboard: the name on a payout method is confirmed, and rejected, from its object', async () => {
  const tapbench = await fixture.tapbench();
  const methodsPath = `/v1/accounts/${tapbench.subAccountId}/payout-methods`;
  const { body: method } = await tapbench.api('POST', methodsPath, BANK_ACCOUNT);
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: `#/objects/${method.id}`,
  });
  const { button, form, region } = actionsOn(page);
  for (const status of ['Verified', 'Rejected']) {
    await button('Set the verification…').click();
    await form('Set the verification').getByLabel('Verification').selectOption(status);
    await form('Set the verification').getByRole('button', { name: 'Set the verification' }).click();
    await region.getByText('Set the verification: done.').waitFor();
    const { body } = await tapbench.api('GET', `${methodsPath}/${method.id}`);
    expect(body.verification.status).toBe(status);
  }
  expect(errors).toEqual([]);
});

test('dashboard: an action that ended while its page was open is not cancelled in place of the next one', async () => {
  const tapbench = await fixture.tapbench();
  const { body: list } = await tapbench.api('GET', '/v1/in-person/terminals');
  const [{ id }] = list.items;
  await tapbench.api('POST', `/sandbox/terminals/${id}/cardholder`, { script: 'none' });
  const path = `/v1/in-person/terminals/${id}`;
  const pay = () =>
    tapbench.api('POST', `${path}/payment`, { amounts: { requested: 1742 }, currency: 'GBP' });
  const { body: first } = await pay();
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: `#/objects/${first.action.id}`,
  });
  const { button, region } = actionsOn(page);
  await button('Cancel').waitFor();
  await stopReading(page);
  await tapbench.api('POST', `${path}/cancel-action`, {});
  const { body: second } = await pay();
  await button('Cancel').click();
  await region.getByText('Cancel: this action has ended').waitFor();
  const { body: terminal } = await tapbench.api('GET', path);
  expect(terminal.action).toMatchObject({ id: second.action.id, status: 'InProgress' });
});

test('dashboard: the clock advances to what happens to an object next', async () => {
  const tapbench = await fixture.tapbench();
  const session = await paid(tapbench, { captureFlow: 'Manual' });
  const { page, errors } = await openDashboard(browser(), tapbench.dashboardUrl, {
    at: `#/objects/${session.id}`,
  });
  const { button } = actionsOn(page);
  await button(/^Advance 7 d.*: the authorisation is voided$/)
    .or(button(/^Advance 6 d.*voided$/))
    .click();
  await page.locator('.detail-head .pill', { hasText: 'Voided' }).waitFor();
  expect(errors).toEqual([]);
});

test('dashboard: an object that another client changes is shown as it is, without a reload', async () => {
  const tapbench = await fixture.tapbench();
  const session = await paid(tapbench, { captureFlow: 'Manual' });
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl, { at: `#/objects/${session.id}` });
  const { button } = actionsOn(page);
  await button('Capture…').waitFor();
  await tapbench.api('POST', `/v1/payment-sessions/${session.id}/voids`, {});
  await page.locator('.detail-head .pill', { hasText: 'Voided' }).waitFor();
  await button('Capture…').waitFor({ state: 'detached' });
  await page.locator('.object-list .pill', { hasText: 'Voided' }).waitFor();
});

test.each([
  { name: '1440-light', size: { width: 1440, height: 900 }, dark: false },
  { name: '1440-dark', size: { width: 1440, height: 900 }, dark: true },
  { name: '1280-light', size: WIDE, dark: false },
  { name: '390-light', size: NARROW, dark: false },
  { name: '390-dark', size: NARROW, dark: true },
])('dashboard: the actions of an object have no accessibility problem, $name', async (look) => {
  const tapbench = await fixture.tapbench();
  const session = await paid(tapbench);
  const at = `#/objects/${session.id}`;
  const { page } = await openDashboard(browser(), tapbench.dashboardUrl, { at, ...look });
  const { button, form } = actionsOn(page);
  await button('Refund…').click();
  await form('Refund').getByLabel('Amount, at most 17.42 GBP').fill('99');
  await form('Refund').getByRole('button', { name: 'Refund' }).click();
  await form('Refund').getByText('Amount must be 0.01 GBP to 17.42 GBP').waitFor();
  // A narrow window has no room for the list beside the object.
  await page.locator('.object-list a').waitFor({ state: 'attached' });
  await page.screenshot({ path: join(folder, `object-actions-${look.name}.png`) });
  expect(await accessibilityProblems(page)).toEqual([]);
});
