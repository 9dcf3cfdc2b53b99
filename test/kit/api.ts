import type { Server } from '../../server/app.ts';

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
}

export function createApi(server: () => Server, key: string, counter: OpenCalls = { open: 0 }): Api {
  return apiOf(server, { authorization: key }, counter);
}

function apiOf(server: () => Server, headers: Record<string, string>, counter: OpenCalls): Api {
  const raw: Api['raw'] = async (method, path, body, more = {}) => {
    counter.open += 1;
    try {
      const answer = await server().http.inject({
        method,
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
