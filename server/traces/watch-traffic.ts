import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { pathOf } from '../platform/http/path-params.ts';
import type { Services } from '../platform/services.ts';
import type { AnsweredRequest, ArrivedRequest } from '../platform/traffic.ts';
import { maskedBody } from './mask-content.ts';
import type { SecretBook } from './secret-book.ts';
import type { Items } from './trace-items.ts';
import type { TraceBody } from './trace-format.schema.ts';

const RECORDED = /^\/(?:v1|sandbox)(?:\/|$)/;
// What a page, a simulator or the recording itself calls. Pages of cardholders and of onboarding are called by a person.
const NOT_RECORDED =
  /^\/(?:sandbox\/(?:recordings|requests|fleets)|sandboxes|pairing|dashboard|mqtt|docs)(?:\/|$)/;
const HEADERS = ['account', 'content-type', 'idempotency-key', 'origin', 'authorization'] as const;
const ANSWER_HEADERS = ['content-type', 'idempotent-replayed', 'location', 'retry-after'] as const;
const KEYS_PATH = /^\/sandbox\/terminals\/([^/]+)\/press-keys$/;

/** Records what reaches a sandbox from outside, masked. Returns the function that ends it. */
export function watchTraffic(
  { traffic, settings }: Services,
  { items, book }: { items: Items; book: SecretBook },
): () => void {
  let isEnded = false;

  function arrived(request: ArrivedRequest): ((answered: AnsweredRequest) => void) | undefined {
    if (!isRecorded(request, settings.dashboardToken)) return undefined;
    const place = items.reserve();
    const { method, url } = request;
    const headers = maskedHeaders(book, request.headers, HEADERS);
    return ({ status, headers: answerHeaders, body, answer }) => {
      if (isEnded) return;
      const call = { method, url: book.masked(url), headers, body: maskedCall(book, url, body) };
      place.put({ kind: 'call', ...call });
      items.add({
        kind: 'reply',
        call: place.seq,
        status,
        headers: maskedHeaders(book, answerHeaders, ANSWER_HEADERS),
        body: maskedBody(book, answer),
      });
    };
  }

  const unwatch = traffic.watch({
    requestArrived: arrived,
    actPerformed: (terminalId, act) =>
      void items.add({ kind: 'act', terminalId, act: maskedAct(book, terminalId, act) }),
  });
  return () => {
    isEnded = true;
    unwatch();
  };
}

function isRecorded({ method, url, headers }: ArrivedRequest, dashboardToken: string): boolean {
  const path = pathOf(url);
  if (NOT_RECORDED.test(path)) return false;
  // What an open page reads is no part of what is recorded.
  if (method === 'GET') return RECORDED.test(path) && headers.authorization !== dashboardToken;
  return method !== 'OPTIONS' && method !== 'HEAD';
}

function maskedCall(book: SecretBook, url: string, body: AnsweredRequest['body']): TraceBody | null {
  const terminalId = KEYS_PATH.exec(pathOf(url))?.[1];
  const masked = maskedBody(book, body);
  if (terminalId === undefined || !masked || !('json' in masked)) return masked;
  const { keys } = (masked.json ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'string')) return masked;
  return { json: { ...(masked.json as object), keys: book.maskedKeys(terminalId, keys) } };
}

function maskedAct(book: SecretBook, terminalId: string, act: SimulationAct): SimulationAct {
  return act.act === 'press-keys' ? { ...act, keys: book.maskedKeys(terminalId, act.keys) } : act;
}

function maskedHeaders(
  book: SecretBook,
  headers: IncomingHttpHeaders | OutgoingHttpHeaders,
  names: readonly string[],
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (value === undefined) continue;
    const isSecret = name === 'authorization' || name === 'idempotency-key';
    shown[name] = isSecret && value !== '' ? book.placeholderOf(String(value)) : book.masked(String(value));
  }
  return shown;
}
