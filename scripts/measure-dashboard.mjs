// @ts-check
// Measures how long the dashboard takes to load with 200 terminals and 10,000 stored requests, beside an empty page of
// the same run: `npm run build && node scripts/measure-dashboard.mjs`. Needs Debian's chromium-headless-shell.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const TERMINALS = 200;
const REQUESTS = 10_000;
const LOADS = 7;
// More than this wait for the log only while it is read.
const REQUESTS_AT_ONCE = 1_000;
const CONNECTIONS = 8;
const CUSTOMERS = 300;

const LISTED = "document.querySelectorAll('.item-list li').length > 0";

/** Views by name: the hash, and what is there once it is loaded. */
const VIEWS = {
  fleet: { hash: '#/', shown: `document.querySelector('.segments b')?.textContent === '${TERMINALS}'` },
  requests: { hash: '#/requests', shown: LISTED },
  objects: { hash: '#/objects?type=customer', shown: LISTED },
  webhooks: { hash: '#/webhooks', shown: LISTED },
};

const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tapbench-measure-'));
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
/** @type {(() => unknown)[]} */
const cleanups = [() => rmSync(folder, { recursive: true, force: true }), () => agent.destroy()];

try {
  const server = await start(['server', '--json'], {
    PORT: '0',
    MQTT_PORT: '0',
    DATA_DIR: folder,
    RATE_LIMIT: 'off',
  });
  await start(['sim', '--terminals', String(TERMINALS), '--cardholder', 'none', '--json'], {
    TAPBENCH_URL: server.url,
    SECRET_KEY: server.secretKey,
  });
  const page = await serveEmptyPage();
  await createCustomers(server, page);
  await sendRequests(server);
  await measure(server, page);
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}

/**
 * Starts a command and returns the JSON line that it prints once it is ready.
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
async function start(args, env) {
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.push(() => child.kill('SIGKILL'));
  for await (const line of createInterface(child.stdout)) if (line.startsWith('{')) return JSON.parse(line);
  throw new Error(`${args[0]} ended before it was ready`);
}

/** @param {{ url: string, secretKey: string }} server */
async function sendRequests(server) {
  for (let sent = 0; sent < REQUESTS; sent += REQUESTS_AT_ONCE) {
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, connection) => {
        for (let at = connection; at < REQUESTS_AT_ONCE; at += CONNECTIONS)
          await get(server, `/v1/customers?limit=${1 + (at % 50)}`);
      }),
    );
    // Reading the log stores what waits.
    await get(server, '/sandbox/requests?limit=1');
  }
}

/**
 * Creates customers, each with an event that is delivered to a webhook.
 * @param {{ url: string, secretKey: string }} server
 * @param {string} receiver
 */
async function createCustomers(server, receiver) {
  await post(server, '/v1/webhooks', { url: receiver, active: true, eventTypes: ['Customer.created'] });
  for (let created = 0; created < CUSTOMERS; created += 1)
    await post(server, '/v1/customers', { email: `${created}@corner.example` });
}

/**
 * @param {{ url: string, secretKey: string }} server
 * @param {string} path
 */
async function get(server, path) {
  await send(server, 'GET', path);
}

/**
 * @param {{ url: string, secretKey: string }} server
 * @param {string} path
 * @param {object} body
 */
async function post(server, path, body) {
  await send(server, 'POST', path, JSON.stringify(body));
}

/**
 * @param {{ url: string, secretKey: string }} server
 * @param {string} method
 * @param {string} path
 * @param {string} [body]
 */
async function send({ url, secretKey }, method, path, body) {
  const headers = { authorization: secretKey, 'content-type': 'application/json' };
  const call = request(url + path, { agent, method, headers }).end(body);
  const [response] = await once(call, 'response');
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${method} ${path}: status ${response.statusCode}`);
}

/** Serves an empty page and returns its address. */
async function serveEmptyPage() {
  const empty = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Empty</title><main></main>');
  }).listen(0, '127.0.0.1');
  cleanups.push(() => empty.close());
  await once(empty, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (empty.address());
  return `http://127.0.0.1:${port}/`;
}

/**
 * @param {{ url: string, dashboardUrl: string }} server
 * @param {string} emptyPage
 */
async function measure(server, emptyPage) {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  cleanups.push(() => browser.close());
  const bare = await loads(browser, {
    url: emptyPage,
    shown: "document.querySelector('main') !== null",
  });
  report('empty page', bare);
  for (const [name, { hash, shown }] of Object.entries(VIEWS))
    report(
      name,
      await loads(browser, { url: `${server.url}/${hash}`, link: server.dashboardUrl, shown }),
      bare,
    );
}

/**
 * Loads a page some times, each in a browser context of its own that has been at `link` before, as a browser whose
 * user comes again. Returns when the frame came in which `shown` holds, and the longest task; 0 for none of 50 ms.
 * @param {import('playwright-core').Browser} browser
 * @param {{ url: string, link?: string, shown: string }} options
 */
async function loads(browser, { url, link, shown }) {
  const measured = [];
  for (let count = 0; count < LOADS; count += 1) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    if (link) {
      await page.goto(link);
      await page.locator('span.link').waitFor();
      await page.goto('about:blank');
    }
    await page.addInitScript({ content: watching(shown) });
    await page.goto(url);
    /** @type {{ shownMs: number, longestTaskMs: number }} */
    const load = await page.evaluate('globalThis.measured');
    measured.push(load);
    await context.close();
  }
  return measured;
}

/**
 * Returns the script that runs in a page before its own: it measures the frame in which `shown` holds first, and the
 * longest task until a second later.
 * @param {string} shown
 */
function watching(shown) {
  return `
    globalThis.measured = new Promise((resolve) => {
      let longestTaskMs = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, Math.round(duration));
      }).observe({ type: 'longtask', buffered: true });
      const look = () => {
        if (!(${shown})) return void requestAnimationFrame(look);
        const shownMs = Math.round(performance.now());
        setTimeout(() => resolve({ shownMs, longestTaskMs }), 1_000);
      };
      requestAnimationFrame(look);
    });
  `;
}

/**
 * Prints the medians of the loads of a page, and their maxima in brackets.
 * @param {string} name
 * @param {{ shownMs: number, longestTaskMs: number }[]} measured
 * @param {{ shownMs: number, longestTaskMs: number }[]} [bare]
 */
function report(name, measured, bare) {
  const shown = measured.map(({ shownMs }) => shownMs);
  const tasks = measured.map(({ longestTaskMs }) => longestTaskMs);
  const more = bare
    ? `, ${median(shown) - median(bare.map(({ shownMs }) => shownMs))} ms after the empty page`
    : '';
  const text = (/** @type {number} */ ms) => (ms === 0 ? 'under 50' : String(ms));
  console.log(
    `${name}: shown after ${median(shown)} ms (${Math.max(...shown)})${more}; longest task ${text(median(tasks))} ms (${text(Math.max(...tasks))})`,
  );
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
