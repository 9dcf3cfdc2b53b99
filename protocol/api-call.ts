import { parseOutsideJson } from './outside-json.ts';

/** A request of the HTTP API as it is sent. */
interface SentCall {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  signal?: AbortSignal;
}

export interface ApiReply {
  status: number;
  headers: Readonly<Record<string, string | string[] | number | undefined>>;
  text: string;
}

/** Sends one request, over the network or in process. Throws when there is no reply. */
export type Transport = (call: SentCall) => Promise<ApiReply>;

/** Sends requests to a server with `fetch`. */
export function fetchTransport(fetch: typeof globalThis.fetch, url: string): Transport {
  return async ({ path, body, ...call }) => {
    const answer = await fetch(url + path, {
      ...call,
      ...(body === undefined ? {} : { body: body as string }),
    });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text: await answer.text(),
    };
  };
}

export interface Caller {
  secretKey: string;
  /** The sub account to act for. */
  account?: string | undefined;
}

/** Returns a request with its headers and its body as JSON. */
export function jsonCall(
  { secretKey, account }: Caller,
  {
    method,
    path,
    body,
    idempotencyKey,
  }: { method: string; path: string; body?: unknown; idempotencyKey?: string | undefined },
): SentCall & { body: string | undefined } {
  return {
    method,
    path,
    headers: {
      authorization: secretKey,
      ...(account !== undefined && { account }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** Returns the body of a reply; undefined when it is not JSON. */
export function bodyOf({ text }: Pick<ApiReply, 'text'>): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    return undefined;
  }
}

/** Returns the first message of an error reply (Spec §7); undefined when it has none. */
export function refusalMessage(body: unknown): string | undefined {
  const { errors } = (body ?? {}) as { errors?: { message?: unknown }[] };
  const message = errors?.[0]?.message;
  return typeof message === 'string' ? message : undefined;
}
