import { signal } from '@preact/signals';
import { jsonCall, refusalMessage } from '../../../../protocol/api-call.ts';
import {
  requestOf,
  type Arguments,
  type Given,
  type Operation,
  type Reply,
} from '../../../../protocol/api-client.ts';
import { pathInSandbox } from './sandbox-path.ts';
import type { Session } from './session.ts';

interface PathOptions extends CallOptions {
  body?: unknown;
}

/** The response of the server; `problem` is the message of a failed call. */
export type ApiResult<T> = { ok: true; body: T } | { ok: false; status: number; problem: string };

interface CallOptions {
  /** The account that the call is made for; the platform's own when absent. */
  accountId?: string;
  /** The key that the call is made with; the page's token when absent. */
  key?: string | undefined;
  /** With the same one the server makes the call once (Idempotency-Key). */
  idempotencyKey?: string;
}

interface AnyRequest {
  method: string;
  path: string;
  /** Undefined for none: the page's token is not sent. */
  key: string | undefined;
  accountId: string | undefined;
  /** Text is sent as JSON, whatever it is. */
  body: string | FormData | undefined;
}

export interface PageApi {
  /** Calls an operation of the API. */
  answer<O extends Operation>(
    operation: O,
    ...given: Arguments<O, CallOptions>
  ): Promise<ApiResult<Reply<O>>>;
  /** Calls a path that is data, or one of the dashboard, which is not part of the API. */
  call<T>(method: string, path: string, options?: PathOptions): Promise<ApiResult<T>>;
  get<T>(path: string, options?: PathOptions): Promise<ApiResult<T>>;
  post<T>(path: string, options?: PathOptions): Promise<ApiResult<T>>;
  /** Downloads a file, with the name that the server gives it. */
  download(path: string): Promise<ApiResult<{ name: string; content: Blob }>>;
  /** Sends a request with any text or form as its body. Returns whether the server responded, whatever the status. */
  send(request: AnyRequest): Promise<boolean>;
}

/** The error message of the last call; shown until it is dismissed or another call succeeds. */
export const problem = signal<string | undefined>(undefined);

/** Calls the server with the page's token. The live connection detects a token that is no longer valid. */
export function createApi({ token }: Pick<Session, 'token'>): PageApi {
  async function request(
    method: string,
    path: string,
    { body, accountId, key, idempotencyKey }: PathOptions,
  ): Promise<Response> {
    const caller = { secretKey: key ?? (await token()), account: accountId || undefined };
    const { headers, body: text } = jsonCall(caller, { method, path, body, idempotencyKey });
    return fetch(pathInSandbox(path, location.pathname), {
      method,
      headers,
      ...(text !== undefined && { body: text }),
    });
  }

  /** @param read reads the content of a successful response */
  async function answerOf<T>(
    [method, path, options = {}]: [method: string, path: string, options?: PathOptions | undefined],
    read: (response: Response) => Promise<T>,
  ): Promise<ApiResult<T>> {
    try {
      const response = await request(method, path, options);
      if (response.ok) return { ok: true, body: await read(response) };
      const message =
        refusalMessage(await response.json()) ?? `The server responded with status ${response.status}.`;
      return { ok: false, status: response.status, problem: message };
    } catch {
      return { ok: false, status: 0, problem: 'The server cannot be reached.' };
    }
  }

  const call = <T>(method: string, path: string, options?: PathOptions): Promise<ApiResult<T>> =>
    answerOf([method, path, options], async (response) => (await response.json()) as T);

  function answer<O extends Operation>(
    operation: O,
    ...given: Arguments<O, CallOptions>
  ): Promise<ApiResult<Reply<O>>>;
  function answer(operation: string, given: Given & CallOptions = {}): Promise<ApiResult<unknown>> {
    const { method, path } = requestOf(operation, given);
    return call(method, path, given);
  }

  return {
    answer,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, options) => call('POST', path, options),
    download: (path) =>
      answerOf(['GET', path], async (response) => ({
        name: /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'download',
        content: await response.blob(),
      })),
    send({ method, path, key, accountId, body }) {
      const headers = {
        ...(key !== undefined && { authorization: key }),
        // The browser adds the type of a form, with its boundary.
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...(accountId !== undefined && { account: accountId }),
      };
      const content = method === 'GET' || body === undefined ? {} : { body };
      return fetch(pathInSandbox(path, location.pathname), { method, headers, ...content }).then(
        () => true,
        () => false,
      );
    },
  };
}

/**
 * Returns a function that waits for an answer and passes it on, unless the answer to a later question was passed on
 * before: answers may overtake each other on their way.
 */
export function inOrder<Answer>(show: (answer: Answer) => void): (answer: Promise<Answer>) => Promise<void> {
  let asked = 0;
  let shown = 0;
  return async (coming) => {
    const number = ++asked;
    const answer = await coming;
    if (number < shown) return;
    shown = number;
    show(answer);
  };
}
