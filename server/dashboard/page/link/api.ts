import { signal } from '@preact/signals';
import type { Session } from './session.ts';

/** What the server answered; `problem` is a sentence for a person when it did not do what was asked. */
export type Answer<T> = { ok: true; body: T } | { ok: false; status: number; problem: string };

interface CallOptions {
  body?: unknown;
  /** The account that owns what the call is about; the platform's own when absent. */
  accountId?: string;
}

export interface Api {
  get<T>(path: string, options?: CallOptions): Promise<Answer<T>>;
  post<T>(path: string, options?: CallOptions): Promise<Answer<T>>;
}

/** The last thing that could not be done; shown until it is dismissed or something else is done. */
export const problem = signal<string | undefined>(undefined);

interface ErrorEnvelope {
  errors?: { message?: string }[];
}

/** Calls the server with the page's token. Whether that is still good, the live connection finds out. */
export function createApi({ token }: Pick<Session, 'token'>): Api {
  async function request(method: string, path: string, { body, accountId }: CallOptions): Promise<Response> {
    return fetch(path, {
      method,
      headers: {
        authorization: await token(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(accountId && { account: accountId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<Answer<T>> {
    try {
      const response = await request(method, path, options);
      const body = (await response.json()) as T & ErrorEnvelope;
      if (response.ok) return { ok: true, body };
      const said = body.errors?.[0]?.message ?? `The server answered ${response.status}.`;
      return { ok: false, status: response.status, problem: said };
    } catch {
      return { ok: false, status: 0, problem: 'The server cannot be reached.' };
    }
  }
  return {
    get: (path, options) => call('GET', path, options),
    post: (path, options) => call('POST', path, options),
  };
}
