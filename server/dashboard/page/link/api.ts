import { signal } from '@preact/signals';
import { pathInSandbox } from './sandbox-path.ts';
import type { Session } from './session.ts';

/** The response of the server; `problem` is the message of a failed call. */
export type ApiResult<T> = { ok: true; body: T } | { ok: false; status: number; problem: string };

interface CallOptions {
  body?: unknown;
  /** The account that the call is made for; the platform's own when absent. */
  accountId?: string;
  /** The key that the call is made with; the page's token when absent. */
  key?: string | undefined;
}

interface AnyRequest extends Pick<CallOptions, 'key'> {
  method: string;
  path: string;
  accountId: string | undefined;
  text: string | undefined;
}

export interface Api {
  get<T>(path: string, options?: CallOptions): Promise<ApiResult<T>>;
  post<T>(path: string, options?: CallOptions): Promise<ApiResult<T>>;
  delete<T>(path: string, options?: CallOptions): Promise<ApiResult<T>>;
  /** Sends a request with any text as its body. Returns whether the server responded, whatever the status. */
  send(request: AnyRequest): Promise<boolean>;
}

/** The error message of the last call; shown until it is dismissed or another call succeeds. */
export const problem = signal<string | undefined>(undefined);

interface ErrorEnvelope {
  errors?: { message?: string }[];
}

/** Calls the server with the page's token. The live connection detects a token that is no longer valid. */
export function createApi({ token }: Pick<Session, 'token'>): Api {
  async function request(
    method: string,
    path: string,
    { body, accountId, key }: CallOptions,
  ): Promise<Response> {
    return fetch(pathInSandbox(path, location.pathname), {
      method,
      headers: {
        authorization: key ?? (await token()),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(accountId && { account: accountId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<ApiResult<T>> {
    try {
      const response = await request(method, path, options);
      const body = (await response.json()) as T & ErrorEnvelope;
      if (response.ok) return { ok: true, body };
      const message = body.errors?.[0]?.message ?? `The server responded with status ${response.status}.`;
      return { ok: false, status: response.status, problem: message };
    } catch {
      return { ok: false, status: 0, problem: 'The server cannot be reached.' };
    }
  }
  return {
    get: (path, options) => call('GET', path, options),
    post: (path, options) => call('POST', path, options),
    delete: (path, options) => call('DELETE', path, options),
    async send({ method, path, key, accountId, text }) {
      const headers = {
        authorization: key ?? (await token()),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...(accountId !== undefined && { account: accountId }),
      };
      const body = method === 'GET' || text === undefined ? {} : { body: text };
      return fetch(pathInSandbox(path, location.pathname), { method, headers, ...body }).then(
        () => true,
        () => false,
      );
    },
  };
}
