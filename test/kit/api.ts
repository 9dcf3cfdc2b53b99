import type { Server } from '../../server/app.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

export interface Answer {
  status: number;
  body: Json;
  headers: Record<string, string | string[] | number | undefined>;
}

/** Calls a server without a port. */
export interface Api {
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  patch(path: string, body?: unknown): Promise<Answer>;
  delete(path: string, body?: unknown): Promise<Answer>;
  /** Any method, body and headers, as they are. */
  raw(
    method: string,
    path: string,
    body?: string | Buffer,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** The same server with the Account header. */
  as(accountId: string): Api;
  /** The same server with another key. */
  withKey(key: string): Api;
  /** Calls that have not been answered yet. */
  readonly open: number;
}

/** Calls that have not been answered yet, whoever makes them. */
export interface OpenCalls {
  open: number;
}

export function createApi(server: () => Server, key: string, counter: OpenCalls = { open: 0 }): Api {
  return apiOf(server, { authorization: key }, counter);
}

function apiOf(server: () => Server, headers: Record<string, string>, counter: OpenCalls): Api {
  const raw: Api['raw'] = async (method, path, body, more = {}) => {
    counter.open += 1;
    try {
      const answer = await server().http.inject({
        method: method as 'GET',
        url: path,
        headers: { ...headers, ...more },
        ...(body !== undefined && { payload: body }),
      });
      return { status: answer.statusCode, body: parsed(answer.body), headers: answer.headers };
    } finally {
      counter.open -= 1;
    }
  };
  const json = (method: string) => (path: string, body?: unknown) =>
    body === undefined
      ? raw(method, path)
      : raw(method, path, JSON.stringify(body), { 'content-type': 'application/json' });
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

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
