import mqtt from 'mqtt';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser, openPage } from './browser.ts';
import { freePort } from '../../kit/free-port.ts';
import { openDashboard } from './dashboard-page.ts';
import { call } from '../kit/http-call.ts';
import { DOCUMENTED, SIMPLE, type Proxy } from './proxies.ts';
import { waitFor } from '../kit/wait-for.ts';
import { portOf } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  fixture.onCleanUp(() => browser.close());
});
afterAll(() => fixture.cleanUp());

const KINDS = ['nginx', 'haproxy'] as const;

/** What a caller could send to look like one of the server's own machine. */
const DISGUISES: Record<string, string>[] = [
  {},
  { host: '127.0.0.1' },
  { host: 'localhost' },
  { host: '[::1]' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-for': '' },
  { 'x-real-ip': '127.0.0.1', 'x-forwarded-host': '127.0.0.1', 'x-forwarded-proto': 'http' },
  { forwarded: 'for=127.0.0.1;host=127.0.0.1;proto=http' },
  { host: '127.0.0.1', origin: 'http://127.0.0.1', 'sec-fetch-site': 'same-origin' },
];

test.each(KINDS)(
  'reverse proxy: through %s no caller gets the dashboard token without the key',
  async (kind) => {
    const tapbench = await fixture.tapbench({ command: 'server' });
    const proxy = await SIMPLE[kind](fixture, portOf(tapbench.url));
    const token = tapbench.dashboardUrl.split('#token=')[1]!;
    const post = (path: string, headers: Record<string, string>, body: object) =>
      call({ method: 'POST', url: proxy.url + path, headers, body: JSON.stringify(body) });
    for (const url of [proxy.url, tapbench.url]) {
      for (const headers of DISGUISES) {
        const where = JSON.stringify([url, headers]);
        const session = { method: 'POST', url: `${url}/dashboard/session`, headers };
        for (const body of ['', '{}', '{"key":"sk_sandbox_guessed"}', '{"code":"guessed"}']) {
          const answer = await call({ ...session, body });
          expect([where, answer.status]).toEqual([where, expect.toBeOneOf([401, 403, 429])]);
          expect(JSON.stringify(answer.body)).not.toContain(token);
        }
        const codes = await call({ method: 'POST', url: `${url}/dashboard/codes`, headers });
        expect([where, codes.status]).toEqual([where, 401]);
        for (const path of ['/dashboard/keys', '/v1/in-person/terminals', '/sandbox/terminals']) {
          expect((await call({ method: 'GET', url: url + path, headers })).status).toBe(401);
        }
      }
    }
    const advanced = await post('/sandbox/clock/advance', { authorization: token }, { seconds: 60 });
    expect(advanced.status).toBe(200);
    expect((await post('/sandbox/reset', { authorization: token }, {})).status).toBe(403);
  },
);

/** A server behind a proxy with TLS, as docs/deploying.md has it. */
async function deployed(kind: (typeof KINDS)[number]) {
  const port = await freePort();
  const tapbench = await fixture.tapbench({ env: { PUBLIC_URL: `https://127.0.0.1:${port}` } });
  const proxy: Proxy = await DOCUMENTED[kind](fixture, { port, serverPort: portOf(tapbench.url) });
  expect(tapbench.dashboardUrl).toMatch(new RegExp(`^${proxy.url}/#token=dash_`));
  return { tapbench, proxy };
}

test.each(KINDS)(
  'reverse proxy: behind %s with TLS the dashboard takes a payment, and no log has its token',
  async (kind) => {
    const { tapbench, proxy } = await deployed(kind);
    const { state, button, openTerminal, startPayment, requested, errors } = await openDashboard(
      browser,
      tapbench.dashboardUrl,
    );
    await openTerminal(/Simulated terminal/);
    await startPayment();
    await button('Tap').click();
    await state('succeeded');
    expect(requested.filter((address) => !address.startsWith(proxy.url))).toEqual([]);
    expect(errors).toEqual([]);

    const { stderr } = await tapbench.kill('SIGINT');
    expect(stderr).not.toContain('dash_');
    // A WebSocket is logged when it ends.
    await waitFor('the log of the WebSocket', () => proxy.log().includes('/dashboard/live'));
    expect(proxy.log()).not.toContain('dash_');
  },
);

test.each(KINDS)(
  'reverse proxy: behind %s the page accepts the secret key, and a page from elsewhere gets nothing',
  async (kind) => {
    const { tapbench, proxy } = await deployed(kind);
    const { page } = await openPage(browser);
    await page.goto(proxy.url);
    await page.getByLabel('Secret key').fill(tapbench.secretKey);
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    await page.locator('.tile').first().waitFor();

    const headers = { origin: 'https://evil.example' };
    const body = JSON.stringify({ key: tapbench.secretKey });
    const answer = await call({ method: 'POST', url: `${tapbench.url}/dashboard/session`, headers, body });
    expect(answer.status).toBe(403);
  },
);

test.each(KINDS)(
  'reverse proxy: behind %s a terminal reaches the broker by MQTT over WebSocket',
  async (kind) => {
    const { tapbench, proxy } = await deployed(kind);
    const { body: credentials } = await tapbench.api('POST', '/pairing/simulators');
    const client = mqtt.connect(`${proxy.url.replace('https', 'wss')}/mqtt`, {
      ...credentials,
      rejectUnauthorized: false,
      reconnectPeriod: 0,
    });
    fixture.onCleanUp(() => void client.end(true));
    const connected = await new Promise((resolve) => {
      client.once('connect', ({ returnCode }) => resolve(returnCode));
      client.once('error', resolve);
      client.once('close', () => resolve('closed'));
    });
    expect(connected).toBe(0);
  },
);
