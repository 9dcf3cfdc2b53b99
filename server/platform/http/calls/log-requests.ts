import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { monotonicMs } from '../../../../protocol/clock.ts';
import { constantTimeEqual } from '../../constant-time-equal.ts';
import type { Services } from '../../services.ts';
import { beginExchange, type Exchange } from './exchange.ts';
import { KEY_HEADER, keyUseOf } from '../idempotency/key-use.ts';
import { pathOf } from '../path-params.ts';
import type { Refusal } from '../refusals.ts';

const STORED_PATH = /^\/(?:v1|sandbox|pairing)(?:\/|$)/;
// `tapbench logs` and the dashboard read the log again and again, and a command that certifies waits for answers.
const LOG_PATH = /^\/sandbox\/(?:requests|certificates)(?:\/|$)/;
// An open page of the dashboard reads these again and again.
const PAGE_PATH = /^\/sandbox\/(?:deliveries|faults|webhooks|objects|search|recordings)(?:\/|$)/;

const HEADERS = ['account', 'content-type', 'content-length', 'origin', 'user-agent'];
const ANSWER_HEADERS = ['content-type', 'idempotent-replayed', 'retry-after'];

/** Adds a request to the log of its sandbox once it is answered, or its connection is closed. */
export function logRequest(
  request: IncomingMessage,
  response: ServerResponse,
  {
    clock,
    observers,
    realClock,
    requestLog,
    settings,
  }: Pick<Services, 'clock' | 'observers' | 'realClock' | 'requestLog' | 'settings'>,
): void {
  const url = request.url ?? '';
  if (!requestLog || !isStored(request, settings)) return;
  const exchange = beginExchange(request);
  const [receivedMs, createdMs] = [realClock.nowMs(), clock.nowMs()];
  const beganMs = monotonicMs();
  let isAdded = false;
  const add = observers.guard('request log', (status: number | null) => {
    if (isAdded) return;
    isAdded = true;
    // A fault that struck it has named it.
    if (exchange.storedId === undefined && !requestLog.takes(status)) return;
    requestLog.add({
      method: request.method ?? '',
      url,
      status,
      receivedMs,
      createdMs,
      elapsedMs: monotonicMs() - beganMs,
      answerHeaders: pick(ANSWER_HEADERS, (name) => response.getHeader(name)),
      ...contentOf(exchange, request.headers, settings),
    });
  });
  response.on('finish', () => add(response.statusCode));
  response.on('close', () => add(response.writableFinished ? response.statusCode : null));
}

/** Adds a request that cannot be parsed to the log of the main sandbox, where its first line shows what it was. */
export function logUnparsed(
  firstBytes: Buffer | undefined,
  {
    clock,
    realClock,
    requestLog,
    settings,
  }: Pick<Services, 'clock' | 'realClock' | 'requestLog' | 'settings'>,
  { refusal, requestId, answer }: { refusal: Refusal; requestId: string; answer: string },
): void {
  const [, method, url] = /^([A-Z]{3,10}) (\/\S*)/.exec(firstBytes?.toString('latin1', 0, 2_000) ?? '') ?? [];
  if (!requestLog || method === undefined || url === undefined) return;
  if (!isStored({ method, url, headers: {} }, settings)) return;
  requestLog.add({
    method,
    url,
    status: refusal.status,
    receivedMs: realClock.nowMs(),
    createdMs: clock.nowMs(),
    elapsedMs: 0,
    answerHeaders: { 'content-type': 'application/json; charset=utf-8' },
    ...contentOf({ refusal: refusal.refusal, requestId, answer }, {}, settings),
  });
}

function isStored(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { dashboardToken }: Services['settings'],
): boolean {
  const path = pathOf(url);
  if (!STORED_PATH.test(path)) return false;
  if (method !== 'GET') return true;
  if (LOG_PATH.test(path)) return false;
  return !PAGE_PATH.test(path) || !constantTimeEqual(headers.authorization ?? '', dashboardToken);
}

function contentOf(exchange: Exchange, headers: IncomingHttpHeaders, settings: Services['settings']) {
  const { request, route, received, refusal, requestId, storedId, answer } = exchange;
  return {
    id: storedId,
    headers: headersOf(headers),
    body: bodyOf(exchange),
    keyEnd: endOf(headers.authorization),
    accountId: request?.caller?.accountId || null,
    operation: route?.operation ?? null,
    tag: route?.tag ?? null,
    refusal: refusal ?? null,
    idempotencyKey: keyUseOf(route, headers, settings) ?? null,
    requestId: requestId ?? null,
    answer,
    hasCredentials: route?.surface === 'pairing' && received !== undefined && refusal === undefined,
  };
}

function bodyOf({ request, received }: Exchange): string | object | undefined {
  if (received?.upload) {
    const { body, file } = received.upload;
    const shown = file && { name: file.name, contentType: file.contentType, sizeInBytes: file.bytes.length };
    return { ...(body as object), file: shown };
  }
  return typeof request?.body === 'string' ? request.body : undefined;
}

function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const shown = pick(HEADERS, (name) => headers[name]);
  // A caller with the key of a request can get its answer again, so it is shown as API keys are.
  const key = endOf(headers[KEY_HEADER]?.toString());
  return headers[KEY_HEADER] === undefined ? shown : { ...shown, [KEY_HEADER]: `··${key ?? ''}` };
}

function pick(
  names: readonly string[],
  valueOf: (name: string) => string | number | readonly string[] | undefined,
): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = valueOf(name);
    if (value !== undefined) picked[name] = String(value);
  }
  return picked;
}

// Of a shorter text, four characters would be much of a secret.
const KEY_LENGTH_MIN = 16;

function endOf(key: string | undefined): string | null {
  const last = key?.trim().split(/\s+/).at(-1) ?? '';
  return last.length < KEY_LENGTH_MIN ? null : last.slice(-4);
}
