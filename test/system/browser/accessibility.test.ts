import { beforeAll, expect, test } from 'vitest';
import { CARDS } from '../../kit/checkout.ts';
import { accessibilityProblems } from './accessibility.ts';
import type { BrowserPage } from './browser.ts';
import { openPage } from './browser.ts';
import { openDashboard } from './dashboard-page.ts';
import type { Json } from '../kit/http-call.ts';
import { LARGE, NARROW, WIDE } from './looks.ts';
import { createPictureFixture } from './picture-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';

const { fixture, browser } = createPictureFixture();

/** What the addresses of the pages name. */
interface Shop {
  tapbench: Tapbench;
  terminalId: string;
  actionId: string;
  sessionId: string;
  disputeId: string;
  customerId: string;
  planId: string;
  deliveryId: string;
  requestId: string;
  /** Pages that a cardholder and an account holder see. */
  challengeUrl: string;
  accountLinkUrl: string;
  authorizeUrl: string;
}

let shop: Shop;
/** A browser that came by the printed link. */
let visitor: BrowserPage;

beforeAll(async () => {
  shop = await openShop();
  visitor = await openDashboard(browser(), shop.tapbench.dashboardUrl);
}, 60_000);

/** Starts a server on which payments were taken, declined, refunded and disputed, and events delivered. */
async function openShop(): Promise<Shop> {
  const tapbench = await fixture.tapbench();
  const receiver = await fixture.receiver();
  const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await tapbench.api(method, path, body);
    expect([path, answer.status]).toEqual([path, expect.toBeOneOf([200, 202])]);
    return answer.body;
  };
  const latest = async (path: string) => (await call('GET', path)).items[0].id as string;
  const eventTypes = ['PaymentSession.captured', 'Customer.created'];
  await call('POST', '/v1/webhooks', { url: receiver.url, active: true, eventTypes });
  const terminalId = tapbench.terminals[0]!.id;
  // The fleet is shown once there are two.
  const second = { serialNumber: 'SIM-0002', locationId: tapbench.locationId };
  await call('POST', '/v1/in-person/terminals', second);
  // The last one has a receipt.
  for (const requested of [1901, 1742]) {
    await call('POST', `/v1/in-person/terminals/${terminalId}/payment`, {
      amounts: { requested },
      currency: 'GBP',
    });
    await waitFor('the payment ends', async () => {
      const { action } = await call('GET', `/v1/in-person/terminals/${terminalId}`);
      return action.status !== 'InProgress';
    });
  }
  const { action } = await call('GET', `/v1/in-person/terminals/${terminalId}`);
  const email = 'ana@corner.example';
  const { id: customerId } = await call('POST', '/v1/customers', { email });
  await tapbench.api('POST', '/v1/customers', { email: 'ana' });
  const session = { amount: 1250, currency: 'GBP', customerEmail: email, returnUrl: 'https://shop.example/' };
  const pay = async (number: string) => {
    const { clientSecret } = await call('POST', '/v1/payment-sessions', session);
    const cardDetails = { number, expiryMonth: '12', expiryYear: '2035', cvc: '123' };
    return call('POST', '/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails });
  };
  const { id: sessionId } = await pay(CARDS.plain);
  await call('POST', `/v1/payment-sessions/${sessionId}/refunds`, { amount: 250 });
  const { id: disputeId } = await call('POST', `/sandbox/payment-sessions/${sessionId}/disputes`, {});
  const { challenge } = (await pay(CARDS.challenge)).requiredAction;
  const { id: accountId } = await call('POST', '/v1/accounts', { onboardingFlow: 'Hosted', email });
  const redirectUrl = 'https://shop.example/back';
  const link = await call('POST', '/v1/account-links', { accountId, redirectUrl });
  const authorize = await call('POST', '/v1/accounts/authorize', { email, redirectUrl });
  const faults = [{ at: 'terminal.state', what: 'power-cut', when: { state: 'awaitingPin', nth: 2 } }];
  const { id: planId } = await call('POST', '/sandbox/faults', { title: 'a bad night', faults });
  await call('POST', '/sandboxes', { name: 'ci-1' });
  return {
    tapbench,
    terminalId,
    actionId: action.id,
    sessionId,
    disputeId,
    customerId,
    planId,
    deliveryId: await latest('/sandbox/deliveries'),
    requestId: await latest('/sandbox/requests?status=400'),
    challengeUrl: `${challenge.acsUrl}?creq=${encodeURIComponent(challenge.cReq)}`,
    accountLinkUrl: link.url,
    authorizeUrl: authorize.url,
  };
}

/** A page: where it is, and what is on it once it is there. */
interface ListedPage {
  name: string;
  /** Address, or its end after that of the server. */
  at: (shop: Shop) => string;
  shown: string | readonly string[];
  /** Opens a part of it: the name of its button, and what is on the part. */
  open?: { press: string | RegExp; shown: string };
}

const PAGES: readonly ListedPage[] = [
  {
    name: 'the first screen',
    at: () => '/#/start',
    shown: ['.home-keys', '.card-picker:enabled', '.item-list li'],
  },
  { name: 'the fleet', at: () => '/#/', shown: '.tile:nth-of-type(2)' },
  {
    name: 'a terminal',
    at: ({ terminalId }) => `/#/terminals/${terminalId}`,
    shown: ['.drawing svg', '.entry', '.card-picker:enabled'],
  },
  {
    name: 'the actions of a terminal',
    at: ({ terminalId }) => `/#/terminals/${terminalId}/actions`,
    shown: '.action-list a',
  },
  {
    name: 'an action of the past, with its receipt',
    at: ({ terminalId, actionId }) => `/#/terminals/${terminalId}/actions/${encodeURIComponent(actionId)}`,
    shown: ['.drawing svg', '.entry', '.slip'],
  },
  { name: 'the requests', at: () => '/#/requests', shown: '.item-list li' },
  {
    name: 'a request',
    at: ({ requestId }) => `/#/requests/${requestId}`,
    shown: ['.detail-head', '.item-list li'],
  },
  {
    name: 'a request that is sent again',
    at: ({ requestId }) => `/#/requests/${requestId}`,
    shown: '.detail-head',
    open: { press: 'Send again…', shown: 'option[value=secret]' },
  },
  { name: 'the webhooks', at: () => '/#/webhooks', shown: ['.delivery-list li', '.endpoint-health'] },
  {
    name: 'a delivery',
    at: ({ deliveryId }) => `/#/webhooks/${deliveryId}`,
    shown: ['.attempt', '.delivery-list li'],
  },
  { name: 'the objects', at: () => '/#/objects', shown: '.object-list li' },
  ...['customer', 'dispute', 'terminal', 'event', 'balance'].map((type) => ({
    name: `the objects of type ${type}`,
    at: () => `/#/objects?type=${type}`,
    shown: '.object-list li',
  })),
  {
    name: 'a payment session',
    at: ({ sessionId }) => `/#/objects/${sessionId}`,
    shown: '.object-history li',
  },
  { name: 'a dispute', at: ({ disputeId }) => `/#/objects/${disputeId}`, shown: '.object-history li' },
  { name: 'a customer', at: ({ customerId }) => `/#/objects/${customerId}`, shown: '.object-history li' },
  {
    name: 'the machine of an object',
    at: ({ sessionId }) => `/#/objects/${sessionId}?panel=machine`,
    shown: '.drawing svg',
  },
  { name: 'the faults', at: () => '/#/faults', shown: '.plan-list li' },
  {
    name: 'a plan of faults',
    at: ({ planId }) => `/#/faults/${planId}`,
    shown: ['.fault-lines', '.plan-list li'],
  },
  { name: 'a new plan of faults', at: () => '/#/faults/new', shown: '.fault-fields' },
  { name: 'an unknown plan of faults', at: () => '/#/faults/plan_0', shown: '.item-detail .quiet-note' },
  { name: 'an unknown object', at: () => '/#/objects/ps_nothing', shown: '.item-detail .quiet-note' },
  { name: 'an unknown request', at: () => '/#/requests/req_nothing', shown: '.item-detail .quiet-note' },
  { name: 'an unknown delivery', at: () => '/#/webhooks/ev_nothing', shown: '.item-detail .quiet-note' },
  {
    name: 'an unknown terminal',
    at: () => '/#/terminals/tml_nothing',
    shown: '.quiet-note:has-text("no longer exists")',
  },
  { name: 'an unknown address', at: () => '/#/nothing', shown: 'main h1' },
  {
    name: 'the clock',
    at: () => '/#/',
    shown: '#fleet-title',
    open: { press: /Advance sandbox time/, shown: '.clock-popover' },
  },
  {
    name: 'the sandboxes',
    at: () => '/#/',
    shown: '#fleet-title',
    open: { press: 'Sandbox default. Show all', shown: '.sandbox-list li' },
  },
  { name: 'the prompt of another sandbox', at: () => '/s/ci-1/', shown: '.key-prompt' },
  { name: 'the documents', at: () => '/guides', shown: 'main h1' },
  { name: 'a document with tables', at: () => '/guides/docs/command-line.md', shown: 'main table' },
  { name: 'a document that does not exist', at: () => '/guides/docs/nothing.md', shown: 'main h1' },
  { name: 'the reference', at: () => '/docs', shown: ['.opblock-tag', '.key-note'] },
  { name: 'the choice of a trace file', at: () => '/recordings', shown: 'main h1' },
  { name: 'a challenge of the bank', at: ({ challengeUrl }) => challengeUrl, shown: 'main h1' },
  { name: 'a challenge that does not exist', at: ({ challengeUrl }) => `${challengeUrl}x`, shown: 'main h1' },
  { name: 'the first page of an onboarding', at: ({ accountLinkUrl }) => accountLinkUrl, shown: 'main h1' },
  {
    name: 'the page of a link that is not known',
    at: ({ accountLinkUrl }) => `${accountLinkUrl}x`,
    shown: 'main h1',
  },
  { name: 'the page that links an account', at: ({ authorizeUrl }) => authorizeUrl, shown: 'main h1' },
];

test.each(PAGES)('accessibility: axe finds nothing wrong with $name, light and dark', async (listed) => {
  const { page, errors } = visitor;
  const { url } = shop.tapbench;
  // A page whose address differs in its hash alone would not be loaded.
  await page.goto('about:blank');
  await page.goto(new URL(listed.at(shop), url).href);
  for (const shown of [listed.shown].flat()) await page.locator(shown).first().waitFor();
  if (listed.open) {
    await page.getByRole('button', { name: listed.open.press }).first().click();
    await page.locator(listed.open.shown).first().waitFor({ state: 'attached' });
  }
  const problems: Record<string, string[]> = {};
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    problems[colorScheme] = await accessibilityProblems(page);
  }
  expect(problems).toEqual({ light: [], dark: [] });
  expect(errors).toEqual([]);
});

// Runs in the browser: the fields whose example is wider than they are.
const CLIPPED = `[...document.querySelectorAll('input[placeholder]')].filter((field) => {
  const { font, paddingLeft, paddingRight } = getComputedStyle(field);
  const pen = Object.assign(document.createElement('canvas').getContext('2d'), { font });
  const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  return field.checkVisibility() && pen.measureText(field.placeholder).width > room;
}).map(({ placeholder }) => placeholder)`;

test.each(['/#/requests', '/#/webhooks', '/#/objects', '/#/'])(
  'accessibility: the examples in the fields of %s are shown whole at every width',
  async (at) => {
    const { page } = visitor;
    const before = page.viewportSize()!;
    await page.goto('about:blank');
    await page.goto(new URL(at, shop.tapbench.url).href);
    await page.locator('input[placeholder]').first().waitFor({ state: 'attached' });
    for (const size of [LARGE, WIDE, NARROW]) {
      await page.setViewportSize(size);
      expect([size.width, await page.evaluate(CLIPPED)]).toEqual([size.width, []]);
    }
    await page.setViewportSize(before);
  },
);

test('accessibility: axe finds nothing wrong with the page without its link, light and dark', async () => {
  const { page, context } = await openPage(browser());
  await page.goto(shop.tapbench.url);
  await page.getByLabel('Secret key').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect([colorScheme, await accessibilityProblems(page)]).toEqual([colorScheme, []]);
  }
  await context.close();
});
