/**
 * Shared by the examples: an API client built on `fetch`, and helpers to print progress.
 *
 * From the environment: TAPBENCH_URL (http://127.0.0.1:8080 by default), SECRET_KEY and PUBLIC_KEY, which `tapbench
 * up` prints.
 */
import { isDeepStrictEqual } from 'node:util';

/**
 * @typedef {any} Json A response body.
 *
 * @typedef {object} Settings
 * @property {string} url
 * @property {string} secretKey
 * @property {string} publicKey
 * @property {(line: string) => void} [say] Prints a line of progress; `console.log` by default.
 *
 * @typedef {object} Api
 * @property {string} url
 * @property {(line: string) => void} say
 * @property {(path: string) => Promise<Json>} get
 * @property {(path: string, body?: unknown) => Promise<Json>} post
 * @property {(path: string, body?: unknown) => Promise<Json>} patch
 * @property {(path: string, form: FormData) => Promise<Json>} upload Uploads a file.
 * @property {(accountId: string) => Api} as Returns a client for a sub account (header Account).
 * @property {() => Api} front Returns a client with the public key, for the customer's browser or app.
 */

/** @param {Settings} [settings] */
export function connect(settings = fromEnvironment()) {
  return apiOf(settings, { authorization: settings.secretKey });
}

function fromEnvironment() {
  const { TAPBENCH_URL = 'http://127.0.0.1:8080', SECRET_KEY, PUBLIC_KEY } = process.env;
  if (!SECRET_KEY || !PUBLIC_KEY) throw new Error('SECRET_KEY and PUBLIC_KEY are needed');
  return { url: TAPBENCH_URL, secretKey: SECRET_KEY, publicKey: PUBLIC_KEY };
}

/**
 * @param {Settings} settings
 * @param {Record<string, string>} headers
 */
function apiOf(settings, headers) {
  const { url, say = console.log } = settings;
  const call = (method) => (path, body) =>
    request(`${url}${path}`, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    url,
    say,
    get: call('GET'),
    post: call('POST'),
    patch: call('PATCH'),
    upload: (path, form) => request(`${url}${path}`, { method: 'POST', headers, body: form }),
    as: (account) => apiOf(settings, { ...headers, account }),
    front: () => apiOf(settings, { ...headers, authorization: settings.publicKey }),
  };
}

const RETRIES_MAX = 10;

/**
 * Sends a request; waits and retries on 429. Throws on any other error.
 * @param {string} url
 * @param {RequestInit} init
 */
async function request(url, init) {
  for (let retries = 0; ; retries++) {
    const response = await fetch(url, init);
    if (response.status === 429 && retries < RETRIES_MAX) {
      await pause(1000 * Number(response.headers.get('retry-after') ?? 1));
      continue;
    }
    const body = await response.json();
    if (response.ok) return body;
    const { code, message } = body.errors[0];
    throw new Error(`${init.method} ${url}: ${response.status} ${code}: ${message}`);
  }
}

/** @param {number} ms */
export function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const POLL_MS = 30;
const POLLS_MAX = 500;

/**
 * Polls until `read` returns a truthy value. In production use webhooks instead; an example has no port for them.
 * @template T
 * @param {string} what
 * @param {() => Promise<T | undefined | false>} read
 */
export async function until(what, read) {
  for (let polls = 0; polls < POLLS_MAX; polls++) {
    const result = await read();
    if (result) return result;
    await pause(POLL_MS);
  }
  throw new Error(`timed out waiting until ${what}`);
}

/**
 * Advances sandbox time. Everything that becomes due is done.
 * @param {Api} api
 */
export async function wait(api, { seconds = 0, days = 0 }) {
  const { nowTimestamp } = await api.post('/sandbox/clock/advance', { seconds: seconds + days * 86_400 });
  await until(
    'the clock has advanced',
    async () => (await api.get('/sandbox/clock')).nowTimestamp >= nowTimestamp,
  );
}

/**
 * Throws unless `actual` equals `expected`.
 * @param {string} what
 * @param {unknown} actual
 * @param {unknown} expected
 */
export function check(what, actual, expected) {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
}

/**
 * Creates a sub account with an email address only.
 * @param {Api} api
 * @param {string} name
 * @param {object} [more]
 */
export async function newShop(api, name, more = {}) {
  const email = `${name}-${Math.random().toString(36).slice(2)}@shop.example`;
  const { id } = await api.post('/v1/accounts', { email, ...more });
  return id;
}

export const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };

/**
 * Pays a session with a card, as a shop's page does.
 * @param {Api} api
 * @param {Json} session
 * @param {object} [cardDetails]
 * @param {object} [more]
 */
export function pay(api, session, cardDetails = CARD, more = {}) {
  return api.front().post('/v1/payment-sessions/attempt-payment', {
    clientSecret: session.clientSecret,
    cardDetails,
    ...more,
  });
}

/**
 * Fetches all items of a list, page by page.
 * @param {Api} api
 * @param {string} path
 */
export async function all(api, path) {
  const items = [];
  for (let token = ''; token !== null;) {
    const page = await api.get(
      `${path}${path.includes('?') ? '&' : '?'}limit=50${token && `&startsAfter=${token}`}`,
    );
    items.push(...page.items);
    token = page.paginationToken;
  }
  return items;
}

/**
 * Runs an example when its file is the main program, not when it is imported.
 * @param {string} file
 * @param {(api: Api) => Promise<void>} run
 */
export async function main(file, run) {
  if (process.argv[1] === file) await run(connect());
}
