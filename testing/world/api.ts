import type { Server } from '../../server/app.ts';
import { injectTransport } from '../../world/inject-transport.ts';

// oxlint-disable-next-line no-explicit-any -- tests read any reply
type Json = any;

export interface Answer {
  status: number;
  body: Json;
  headers: Record<string, string | string[] | number | undefined>;
}

/** HTTP client of a server in this process. */
export interface Api {
  get(path: string): Promise<Answer>;
  /** Sends JSON, or a form with a file. */
  post(path: string, body?: unknown): Promise<Answer>;
  patch(path: string, body?: unknown): Promise<Answer>;
  delete(path: string, body?: unknown): Promise<Answer>;
  /** Sends any method, body and headers unchanged. */
  raw(
    method: string,
    path: string,
    body?: string | Buffer,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Returns a client with the Account header. */
  as(accountId: string): Api;
  /** Returns a client with another key. */
  withKey(key: string): Api;
  /** Number of pending requests. */
  readonly open: number;
}

/** Returns the body of a reply. @throws Error with what the server says, unless the status is 2xx */
export function successOf({ status, body }: Answer, call: string): Json {
  if (status >= 200 && status < 300) return body;
  throw new Error(`${call} got ${status}: ${JSON.stringify(body)}`);
}

/** Counter of pending requests, shared by clients. */
export interface OpenCalls {
  open: number;
  /** Called when a test makes a call, before the call begins. */
  onCall?: (() => void) | undefined;
  /** Resolves once a server that was killed is up again; undefined while one is. */
  starting?: Promise<void> | undefined;
  /** What makes each pending request fail. */
  cuts?: Set<(reason: Error) => void>;
}

/** Sends a request once the server is up. It fails when the server is killed meanwhile. */
export async function sendCall<T>(calls: OpenCalls, send: () => PromiseLike<T>): Promise<T> {
  while (calls.starting) await calls.starting;
  const cuts = (calls.cuts ??= new Set());
  return new Promise<T>((resolve, reject) => {
    cuts.add(reject);
    const end = () => cuts.delete(reject);
    send().then(
      (answer) => (end(), resolve(answer)),
      (error: unknown) => (end(), reject(error as Error)),
    );
  });
}

export function createApi(server: () => Server, key: string, counter: OpenCalls = { open: 0 }): Api {
  return apiOf(server, { authorization: key }, counter);
}

function apiOf(server: () => Server, headers: Record<string, string>, counter: OpenCalls): Api {
  const raw: Api['raw'] = async (method, path, body, more = {}) => {
    counter.open += 1;
    counter.onCall?.();
    try {
      const all = { ...headers, ...more };
      const answer = await sendCall(counter, () =>
        injectTransport(server())({ method, path, headers: all, body }),
      );
      return { status: answer.status, body: parsed(answer.text), headers: answer.headers };
    } finally {
      counter.open -= 1;
    }
  };
  const json = (method: string) => async (path: string, body?: unknown) => {
    if (body === undefined) return raw(method, path);
    if (!(body instanceof FormData))
      return raw(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
    const { bytes, contentType } = await encodeForm(body);
    return raw(method, path, bytes, { 'content-type': contentType });
  };
  return {
    raw,
    get: json('GET'),
    post: json('POST'),
    patch: json('PATCH'),
    delete: json('DELETE'),
    as: (accountId) => apiOf(server, { ...headers, account: accountId }, counter),
    withKey: (key) => apiOf(server, { ...headers, authorization: key }, counter),
    get open() {
      return counter.open;
    },
  };
}

/** Encodes a form. Returns its bytes and content type. */
export async function encodeForm(form: FormData): Promise<{ bytes: Buffer; contentType: string }> {
  const encoded = new Response(form);
  return {
    bytes: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type')!,
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
