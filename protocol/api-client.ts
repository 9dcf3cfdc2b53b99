import { Fault } from './failures.ts';
import { bodyOf, jsonCall, type ApiReply, type Caller, type Transport } from './api-call.ts';
import type { ApiOperations } from './api-operations.ts';

/** Method and path of an operation, such as `GET /v1/customers/{customerId}`. */
export type Operation = keyof ApiOperations;

/** The body of the reply of an operation. */
export type Reply<O extends Operation> = ApiOperations[O] extends { reply: infer Body } ? Body : never;

/** What an operation takes: parameters of its path, its query and its body. */
export type Input<O extends Operation> = Omit<ApiOperations[O], 'reply'>;

/** The body that an operation takes. */
export type SentBody<O extends Operation> = ApiOperations[O] extends { body?: infer Body }
  ? NonNullable<Body>
  : never;

/** The operations that reply with a list. */
export type ListOperation = {
  [O in Operation]: Reply<O> extends { items: unknown[]; paginationToken: string | null } ? O : never;
}[Operation];

/** An item of the list that an operation replies with. */
export type Item<O extends Operation> = Reply<O> extends { items: (infer One)[] } ? One : never;

/** What a call is given after its operation; nothing is needed where the operation requires nothing. */
export type Arguments<O extends Operation, Options> =
  Partial<Input<O>> extends Input<O> ? [input?: Input<O> & Options] : [input: Input<O> & Options];

type QueryValue = string | number | boolean;

/** What a call is given, of any operation. */
export interface Given {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  body?: unknown;
}

interface CallOptions {
  idempotencyKey?: string | undefined;
  /** Ends the wait for the reply. */
  signal?: AbortSignal;
}

/** A reply: of success with the body that the operation declares, or any other, whose body is undefined unless it is JSON. */
export type Answer<Body> = Pick<ApiReply, 'status' | 'headers'> &
  ({ ok: true; body: Body } | { ok: false; body: unknown });

/** Sends one request as a client calls it, and returns its reply. Throws when there is no reply. */
export async function sendCall(
  carry: Transport,
  caller: Caller,
  operation: string,
  given: Given & CallOptions = {},
): Promise<Answer<unknown>> {
  const { idempotencyKey, signal } = given;
  const call = jsonCall(caller, { ...requestOf(operation, given), idempotencyKey });
  return answerOf(await carry({ ...call, ...(signal && { signal }) }));
}

/** Returns a reply with its body read: undefined unless it is JSON. */
export function answerOf(reply: ApiReply): Answer<unknown> {
  const body = bodyOf(reply);
  const { status, headers } = reply;
  return { ok: status >= 200 && status < 300 && body !== undefined, status, headers, body };
}

/** Returns method, path and body of a call: the path with its parameters filled in and its query. */
export function requestOf(
  operation: string,
  { params = {}, query = {}, body }: Given,
): { method: string; path: string; body: unknown } {
  const [method = '', path = ''] = operation.split(' ');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(parameterOf(params, name, operation)),
  );
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
  );
  const text = new URLSearchParams(pairs).toString();
  return { method, path: text === '' ? filled : `${filled}?${text}`, body };
}

/** @throws Fault `internal` for a parameter that is not given: the path without it is that of another operation */
function parameterOf(params: Readonly<Record<string, string>>, name: string, operation: string): string {
  const value = params[name];
  if (value === undefined) throw new Fault('internal', `${operation} is called without ${name}`);
  return value;
}
