import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARDS } from '../../kit/checkout.ts';
import { openPage, type BrowserPage } from './browser.ts';
import { browserWorld } from './browser-world.ts';
import type { Json } from '../kit/http-call.ts';
import { pageProblems } from './page-check.ts';
import { TIMEOUT_MS } from '../kit/wait-for.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import type { WebShop } from './web-shop.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let tapbench: Tapbench;
let browser: Browser;
let shop: WebShop;

beforeAll(async () => {
  ({ tapbench, browser, shop } = await browserWorld(fixture));
});

/** A customer whose browser has been sent to the checkout of a new session. */
async function customer(number: string): Promise<BrowserPage & { session: Json; seen(): Promise<Json> }> {
  const { body: session } = await tapbench.api('POST', '/v1/payment-sessions', {
    amount: 1250,
    currency: 'GBP',
    customerEmail: 'sam@example.com',
    returnUrl: `${shop.url}/back?basket=7`,
  });
  const visitor = await openPage(browser);
  await visitor.page.goto(shop.checkout(session, number));
  const seen = async () => (await tapbench.api('GET', `/v1/payment-sessions/${session.id}`)).body;
  return { ...visitor, session, seen };
}

const challenge = async ({ page }: BrowserPage) => {
  const heading = page.getByRole('heading', { name: 'Is this you paying?' });
  await heading.waitFor();
  return { code: page.getByLabel('Code from your bank'), approve: page.getByText('Approve payment') };
};
const arrival = ({ page }: BrowserPage) => page.waitForURL(`${shop.url}/back**`);

test('3DS in a browser: after fingerprint and challenge the cardholder returns to the shop with the payment made', async () => {
  const sam = await customer(CARDS.identifyThenChallenge);
  const { code } = await challenge(sam);
  expect(await sam.page.locator('dl').innerText()).toMatch(/12\.50 GBP[^]*Visa ending 0001/);
  await sam.page.locator('#code:focus').waitFor();
  await code.pressSequentially('123456');
  await code.press('Enter');
  await arrival(sam);
  expect(sam.page.url()).toBe(`${shop.url}/back?basket=7&ps=${sam.session.id}`);
  expect(await sam.seen()).toMatchObject({ status: 'Captured', amount: 1250 });
  expect(sam.requested.filter((url) => url.includes('/three-ds/method'))).toHaveLength(2);
  expect(sam.errors).toEqual([]);
});

test('3DS in a browser: with a fingerprint only, the browser stays in the shop', async () => {
  const sam = await customer(CARDS.identify);
  await sam.page.getByText('Captured').waitFor();
  expect(await sam.seen()).toMatchObject({ status: 'Captured' });
  expect(sam.errors).toEqual([]);
});

test('3DS in a browser: the right code passes after a wrong one; three wrong ones end the challenge', async () => {
  const sam = await customer(CARDS.challenge);
  const { code, approve } = await challenge(sam);
  await code.fill('111111');
  await approve.click();
  await sam.page.getByRole('alert').getByText('That is not the code. 2 tries are left.').waitFor();
  expect(await pageProblems(sam.page)).toEqual([]);
  expect(await sam.seen()).toMatchObject({ status: 'PendingAction' });
  await code.fill('123456');
  await approve.click();
  await arrival(sam);
  expect(await sam.seen()).toMatchObject({ status: 'Captured' });

  const kim = await customer(CARDS.challenge);
  const asked = await challenge(kim);
  const left = kim.page.getByRole('alert');
  for (const [wrong, reply] of [
    ['111111', '2 tries are left'],
    ['222222', 'One try is left'],
    ['333333', undefined],
  ] as const) {
    await asked.code.fill(wrong);
    await asked.approve.click();
    if (reply !== undefined) await left.getByText(reply).waitFor();
  }
  await arrival(kim);
  expect(kim.page.url()).toContain(`ps=${kim.session.id}`);
  const failed = { status: 'PendingPayment', lastError: '3ds_authentication_failure' };
  expect(await kim.seen()).toMatchObject(failed);
});

test('3DS in a browser: a cardholder who cancels returns too, and finds the challenge ended when going back', async () => {
  const sam = await customer(CARDS.challenge);
  await challenge(sam);
  expect(await pageProblems(sam.page)).toEqual([]);
  await sam.page.getByText('Cancel').click();
  await arrival(sam);
  expect(await sam.seen()).toMatchObject({
    status: 'PendingPayment',
    lastError: '3ds_authentication_failure',
  });
  const { acsUrl, cReq } = await tapbench
    .api('POST', '/v1/payment-sessions/attempt-payment', {
      clientSecret: sam.session.clientSecret,
      cardDetails: { number: CARDS.challenge, expiryMonth: '12', expiryYear: '2035', cvc: '123' },
    })
    .then(({ body }) => body.requiredAction.challenge);
  const address = `${acsUrl}?creq=${encodeURIComponent(cReq)}`;
  await sam.page.goto(address);
  await sam.page.getByText('Cancel').click();
  await arrival(sam);
  await sam.page.goto(address);
  expect(await pageProblems(sam.page)).toEqual([]);
  await sam.page.getByRole('link', { name: 'Back to the shop' }).click();
  await arrival(sam);
});

test("3DS in a browser: the bank's page may be framed by the shop, and runs its own script only", async () => {
  const { page, errors } = await customer(CARDS.challenge);
  await page.getByText('Approve payment').waitFor();
  await expect(page.addScriptTag({ content: 'window.robbed = true' })).rejects.toThrow(
    'Content Security Policy',
  );
  await page.evaluate(
    `document.body.insertAdjacentHTML('beforeend', '<img src="https://evil.example/x.png">')`,
  );
  await expect.poll(() => errors.length, { timeout: TIMEOUT_MS }).toBe(2);
  expect(errors.every((each) => each.includes('Content Security Policy'))).toBe(true);
  expect(await page.evaluate('window.robbed')).toBeUndefined();

  const address = page.url();
  await page.goto(`${shop.url}/`);
  await page.evaluate(`document.body.innerHTML = '<iframe src="${address}?creq=x"></iframe>'`);
  await page.frameLocator('iframe').getByText('No such payment').waitFor();
});

test('CORS in a browser: a page of another origin calls what the public key opens, and nothing else', async () => {
  const { page, session } = await customer(CARDS.plain);
  await page.getByText('Captured').waitFor();
  const fetched = (path: string, key: string, init = {}) =>
    page.evaluate(
      async ([url, authorization, more]) => {
        try {
          const answer = await fetch(url as string, {
            headers: { authorization: authorization as string },
            ...(more as object),
          });
          return [answer.status, ((await answer.json()) as { status?: string }).status];
        } catch (error) {
          return (error as Error).message;
        }
      },
      [tapbench.url + path, key, init],
    );
  const own = `/v1/payment-sessions/${session.id}?clientSecret=${encodeURIComponent(session.clientSecret)}`;
  expect(await fetched(own, tapbench.publicKey)).toEqual([200, 'Captured']);
  expect(await fetched('/v1/payment-sessions', tapbench.secretKey)).toBe('Failed to fetch');
  expect(await fetched('/v1/customers', tapbench.publicKey)).toBe('Failed to fetch');
});
