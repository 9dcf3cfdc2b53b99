import { onTestFinished, expect, test } from 'vitest';
import { decode, encode } from '../../../../server/bank/three-ds/three-ds-messages.ts';
import { RIGHT_CODE } from '../../../../server/bank/three-ds/issuer-html.ts';
import { CARDS, openCheckout } from '../../../kit/checkout.ts';
import { startWorld, type World } from '../../../../testing/world/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

const APPROVE = { answer: 'approve', code: RIGHT_CODE };

interface Page {
  status: number;
  html: string;
  location: string | undefined;
  headers: Record<string, unknown>;
}

async function open(): Promise<{ world: World; shop: ReturnType<typeof openCheckout> }> {
  const world = await startWorld();
  onTestFinished(() => world.close());
  return { world, shop: openCheckout(world.api) };
}

/** What a browser does with a form: posts its fields and shows, or follows, what comes back. */
async function submit(world: World, address: string, fields: Record<string, string>): Promise<Page> {
  const answer = await world.server.http.inject({
    method: 'POST',
    url: new URL(address, 'http://tapbench.test').pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  const { headers, statusCode: status, body: html } = answer;
  return { status, html, headers, location: headers.location };
}

/** The form on a page, with the fields that a browser would send. */
function formOn({ html }: Page): { action: string; fields: Record<string, string> } {
  const [, action] = /<form method="post" action="([^"]*)"/.exec(html)!;
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return { action: action!, fields: Object.fromEntries(inputs.map(([, name, value]) => [name, value])) };
}

async function challenged(shop: ReturnType<typeof openCheckout>, change: object = {}): Promise<Json> {
  return shop.pay(await shop.session(change), CARDS.challenge);
}

test(
  '3DS page: a cardholder approves the challenge, and returns to the shop with the payment made',
  { tags: ['spec:2.2/return-url-session-id'] },
  async () => {
    const { world, shop } = await open();
    const asked = await challenged(shop, { returnUrl: 'https://shop.example/back?basket=7' });
    const { acsUrl, cReq } = asked.requiredAction.challenge;
    const page = await submit(world, acsUrl, { creq: cReq });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.html).toContain('12.50 GBP');
    expect(page.html).toContain('Visa ending 0002');
    expect(page.html).not.toContain('_secret_');
    const { action, fields } = formOn(page);
    const back = await submit(world, action, { ...fields, ...APPROVE });
    expect([back.status, back.location]).toEqual([303, `https://shop.example/back?basket=7&ps=${asked.id}`]);
    expect(await shop.read(asked)).toMatchObject({ status: 'Captured' });
  },
);

test('3DS page: a cardholder who rejects the challenge returns to the shop without a payment', async () => {
  const { world, shop } = await open();
  const asked = await challenged(shop, { returnUrl: 'https://shop.example/back' });
  const { acsUrl, cReq } = asked.requiredAction.challenge;
  const { action, fields } = formOn(await submit(world, acsUrl, { creq: cReq }));
  const back = await submit(world, action, { ...fields, answer: 'cancel' });
  expect(back.location).toBe(`https://shop.example/back?ps=${asked.id}`);
  expect(await shop.read(asked)).toMatchObject({
    status: 'PendingPayment',
    lastError: '3ds_authentication_failure',
  });
});

test('3DS page: a wrong code is asked for again, and the third one ends the challenge', async () => {
  const { world, shop } = await open();
  const asked = await challenged(shop, { returnUrl: 'https://shop.example/back' });
  const { acsUrl, cReq } = asked.requiredAction.challenge;
  const { action, fields } = formOn(await submit(world, acsUrl, { creq: cReq }));
  for (const [code, left] of [
    ['000000', '2 tries are left'],
    ['', 'One try is left'],
  ]) {
    const again = await submit(world, action, { ...fields, answer: 'approve', code: code! });
    expect([again.status, again.html.includes(left!)]).toEqual([400, true]);
    expect(formOn(again)).toEqual({ action, fields });
    expect(await shop.read(asked)).toMatchObject({ status: 'PendingAction' });
  }
  expect((await submit(world, acsUrl, { creq: cReq })).html).toContain('One try is left');
  const over = await submit(world, action, { ...fields, answer: 'approve', code: '12345' });
  expect(over.location).toBe(`https://shop.example/back?ps=${asked.id}`);
  expect(await shop.read(asked)).toMatchObject({ lastError: '3ds_authentication_failure' });
});

test('3DS page: with a notification URL the third wrong code is posted there, and the right one is too late', async () => {
  const { world, shop } = await open();
  const asked = await challenged(shop);
  const { acsUrl, cReq } = asked.requiredAction.challenge;
  const notify = { notificationUrl: 'https://shop.example/3ds' };
  const { action, fields } = formOn(await submit(world, acsUrl, { creq: cReq, ...notify }));
  const wrong = { ...fields, ...notify, answer: 'approve', code: '000000' };
  await submit(world, action, wrong);
  await submit(world, action, wrong);
  for (const code of ['000000', RIGHT_CODE]) {
    const posting = formOn(await submit(world, action, { ...wrong, code }));
    expect(decode(posting.fields['cres']!)).toMatchObject({ transStatus: 'N' });
  }
  expect((await submit(world, acsUrl, { creq: cReq, ...notify })).html).toContain('This is over');
});

test('3DS page: with a notification URL the result is posted to the shop, which continues the payment', async () => {
  const { world, shop } = await open();
  const asked = await challenged(shop);
  const { acsUrl, cReq } = asked.requiredAction.challenge;
  const notify = { notificationUrl: 'https://shop.example/3ds', threeDSSessionData: 'basket "7"' };
  const { action, fields } = formOn(await submit(world, acsUrl, { creq: cReq, ...notify }));
  const posting = formOn(await submit(world, action, { ...fields, ...notify, ...APPROVE }));
  expect(posting.action).toBe('https://shop.example/3ds');
  expect(posting.fields['threeDSSessionData']).toBe('basket &quot;7&quot;');
  expect(decode(posting.fields['cres']!)).toMatchObject({ messageType: 'CRes', transStatus: 'Y' });
  expect(await shop.read(asked)).toMatchObject({ status: 'PendingAction' });
  const { body } = await shop.goOn(asked, { challengeResult: posting.fields['cres'] });
  expect(body.status).toBe('Captured');
});

test('3DS page: a challenge is completed once; later it has ended, and the payment is unchanged', async () => {
  const { world, shop } = await open();
  const asked = await challenged(shop, { returnUrl: 'https://shop.example/back' });
  const { acsUrl, cReq } = asked.requiredAction.challenge;
  const { action, fields } = formOn(await submit(world, acsUrl, { creq: cReq }));
  await submit(world, action, { ...fields, ...APPROVE });
  const again = await submit(world, action, { ...fields, answer: 'cancel' });
  expect(again.location).toBe(`https://shop.example/back?ps=${asked.id}`);
  const page = await submit(world, acsUrl, { creq: cReq });
  expect(page.html).toContain('This is over');
  expect(page.html).toContain(`https://shop.example/back?ps=${asked.id}`);
  expect(await shop.read(asked)).toMatchObject({ status: 'Captured' });
});

test('3DS page: an app is opened by a link, since a browser may block a redirect after a form', async () => {
  const { world, shop } = await open();
  const asked = await challenged(shop, { returnUrl: "shop-app://back?a='<b>" });
  const { acsUrl, cReq } = asked.requiredAction.challenge;
  const { action, fields } = formOn(await submit(world, acsUrl, { creq: cReq }));
  const back = await submit(world, action, { ...fields, ...APPROVE });
  expect([back.status, back.location]).toEqual([200, undefined]);
  expect(back.html).toContain('href="shop-app://back?');
  expect(back.html).toContain(`ps=${asked.id}`);
  expect(back.html).not.toContain('<b>');
});

test('3DS page: invalid requests are refused with a reason', async () => {
  const { world, shop } = await open();
  const asked = await challenged(shop);
  const run = decode(asked.requiredAction.challenge.cReq)!;
  const { acsUrl } = asked.requiredAction.challenge;
  for (const creq of [
    '',
    'x',
    encode({}),
    encode({ ...run, acsTransID: 'other' }),
    encode({ threeDSServerTransID: 5 }),
  ])
    expect([creq, (await submit(world, acsUrl, { creq })).status]).toEqual([creq, 404]);
  expect((await submit(world, `${acsUrl}/answer`, { run: 'x', ...APPROVE })).status).toBe(404);
  expect(await shop.read(asked)).toMatchObject({ status: 'PendingAction' });
});

test('3DS page: a hidden frame shows the browser to the issuer, who reports when it is done', async () => {
  const { world, shop } = await open();
  const asked = await shop.pay(await shop.session(), CARDS.identify);
  const { threeDsMethodUrl, threeDsMethodData } = asked.requiredAction.identify;
  const looked = formOn(await submit(world, threeDsMethodUrl, { threeDSMethodData: threeDsMethodData }));
  expect(looked.action).toBe('http://tapbench.test/three-ds/method/done');
  const done = await submit(world, looked.action, looked.fields);
  const [, fingerprint] = /&quot;fingerprint&quot;:&quot;(.*?)&quot;/.exec(done.html)!;
  expect((await shop.goOn(asked, { fingerprint })).body.status).toBe('Captured');
  for (const threeDSMethodData of [
    '',
    'x',
    encode({}),
    encode({ threeDSServerTransID: 'a', threeDSMethodNotificationURL: 'javascript:x' }),
  ])
    expect((await submit(world, threeDsMethodUrl, { threeDSMethodData })).status).toBe(400);
});

test('3DS page: a browser redirected to the issuer returns with the payment made', async () => {
  const { world, shop } = await open();
  const settings = { threeDsRedirect: true, returnUrl: 'https://shop.example/back' };
  await world.api.patch(`/sandbox/accounts/${world.platformId}/settings`, settings);
  const asked = await shop.pay(await shop.session(), CARDS.identify);
  const { pathname, search } = new URL(asked.requiredAction.url);
  const page = await world.server.http.inject({ method: 'GET', url: pathname + search });
  const { action, fields } = formOn({ html: page.body } as Page);
  const back = await submit(world, action, { ...fields, ...APPROVE });
  expect(back.location).toBe(`https://shop.example/back?ps=${asked.id}`);
  expect(await shop.read(asked)).toMatchObject({ status: 'Captured' });
});

test('3DS page: faults let a cardholder leave it, and then refuse, in place of approving', async () => {
  const { world, shop } = await open();
  const faults = ['leaves', 'refuses'].map((what) => ({ at: 'cardholder.challenge', what }));
  await world.api.post('/sandbox/faults', { faults });
  const asked = await challenged(shop, { returnUrl: 'https://shop.example/back' });
  const { acsUrl, cReq } = asked.requiredAction.challenge;
  const { action, fields } = formOn(await submit(world, acsUrl, { creq: cReq }));
  expect((await submit(world, action, { ...fields, ...APPROVE })).html).toContain('The cardholder has left');
  expect(await shop.read(asked)).toMatchObject({ status: 'PendingAction' });
  const back = await submit(world, action, { ...fields, ...APPROVE });
  expect(back.location).toBe(`https://shop.example/back?ps=${asked.id}`);
  expect(await shop.read(asked)).toMatchObject({ lastError: '3ds_authentication_failure' });
});
