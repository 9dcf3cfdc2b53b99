/**
 * What the examples share: a way to call the server, and a few words to say what is going on. Nothing but `fetch`,
 * so that it reads the same in any language.
 *
 * From the environment: TAPBENCH_URL (http://127.0.0.1:8080 unless said), SECRET_KEY and PUBLIC_KEY, which
 * `tapbench up` prints.
 */

// oxlint-disable-next-line no-explicit-any -- an example shows the shape of an answer by using it
export type Json = any;

export interface Settings {
  url: string;
  secretKey: string;
  publicKey: string;
  /** Says what happens; to standard output unless said. */
  say?: (line: string) => void;
}

export interface Api {
  url: string;
  say(line: string): void;
  get(path: string): Promise<Json>;
  post(path: string, body?: unknown): Promise<Json>;
  patch(path: string, body?: unknown): Promise<Json>;
  /** Uploads a file; `form` as FormData. */
  upload(path: string, form: FormData): Promise<Json>;
  /** The same, for a sub account (header Account). */
  as(accountId: string): Api;
  /** The same with the public key, as the browser or app of a customer. */
  front(): Api;
}

export function connect(settings: Settings = fromEnvironment()): Api {
  return apiOf(settings, { authorization: settings.secretKey });
}

function fromEnvironment(): Settings {
  const { TAPBENCH_URL = 'http://127.0.0.1:8080', SECRET_KEY, PUBLIC_KEY } = process.env;
  if (!SECRET_KEY || !PUBLIC_KEY) throw new Error('SECRET_KEY and PUBLIC_KEY are needed');
  return { url: TAPBENCH_URL, secretKey: SECRET_KEY, publicKey: PUBLIC_KEY };
}

function apiOf(settings: Settings, headers: Record<string, string>): Api {
  const { url, say = console.log } = settings;
  const call = (method: string) => (path: string, body?: unknown) =>
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

const TRIES = 10;

/** One request; over the rate limit it waits and asks again. Any other refusal is thrown. */
async function request(url: string, init: RequestInit): Promise<Json> {
  for (let tried = 0; ; tried++) {
    const answer = await fetch(url, init);
    if (answer.status === 429 && tried < TRIES) {
      await pause(1000 * Number(answer.headers.get('retry-after') ?? 1));
      continue;
    }
    const body: Json = await answer.json();
    if (answer.ok) return body;
    const { code, message } = body.errors[0];
    throw new Error(`${init.method} ${url}: ${answer.status} ${code}: ${message}`);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const LOOK_AGAIN_MS = 30;
const LOOKS_MAX = 500;

/** Looks until there is something to see. In production a webhook tells; an example has no port to be told at. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (let looked = 0; looked < LOOKS_MAX; looked++) {
    const seen = await look();
    if (seen) return seen;
    await pause(LOOK_AGAIN_MS);
  }
  throw new Error(`it never happened that ${what}`);
}

/** Moves sandbox time on; what becomes due on the way happens. */
export async function wait(api: Api, { seconds = 0, days = 0 }): Promise<void> {
  const { nowTimestamp } = await api.post('/sandbox/clock/advance', { seconds: seconds + days * 86_400 });
  await until('time has passed', async () => (await api.get('/sandbox/clock')).nowTimestamp >= nowTimestamp);
}

/** Throws unless what is seen is what is expected. */
export function check(what: string, seen: unknown, expected: unknown): void {
  if (JSON.stringify(seen) === JSON.stringify(expected)) return;
  throw new Error(`${what}: ${JSON.stringify(seen)}, expected ${JSON.stringify(expected)}`);
}

/** A sub account that nobody else uses: who it belongs to is completed by its holder, later. */
export async function newShop(api: Api, name: string, more: object = {}): Promise<string> {
  const email = `${name}-${Math.random().toString(36).slice(2)}@shop.example`;
  const { id } = await api.post('/v1/accounts', { email, ...more });
  return id;
}

export const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };

/** What the page of a shop does: pays a session with a card. */
export function pay(api: Api, session: Json, cardDetails: object = CARD, more: object = {}): Promise<Json> {
  return api.front().post('/v1/payment-sessions/attempt-payment', {
    clientSecret: session.clientSecret,
    cardDetails,
    ...more,
  });
}

/** All of a list, page by page. */
export async function all(api: Api, path: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let token: string | null = ''; token !== null;) {
    const page: Json = await api.get(
      `${path}${path.includes('?') ? '&' : '?'}limit=50${token && `&startsAfter=${token}`}`,
    );
    items.push(...page.items);
    token = page.paginationToken;
  }
  return items;
}

/** Runs an example when it is the program, not when it is imported. */
export async function main(file: string, run: (api: Api) => Promise<void>): Promise<void> {
  if (process.argv[1] === file) await run(connect());
}
