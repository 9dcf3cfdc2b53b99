import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { pathOf } from '../platform/http/path-params.ts';
import type { Services } from '../platform/services.ts';
import type { Fetched, PostAnswer } from '../platform/outgoing.ts';
import type { AnsweredRequest, ArrivedRequest, OutgoingAnswer } from '../platform/inputs.ts';
import { maskedBody, maskedContent, maskedSent, maskedUrl, maskedValue } from './mask-content.ts';
import type { SecretBook } from './secret-book.ts';
import type { Items } from './trace-items.ts';
import type { TraceBody, TraceReply } from './trace-item.schema.ts';

// Every hop between the parts of a sandbox in one process takes a turn of the event loop or two.
const QUIET_TURNS = 10;

/** Whether something is under way in a sandbox. */
interface SettledWatch {
  /** To be called whenever something happens. */
  happened(): void;
  isSettled(): boolean;
}

/** @param idle returns whether the sandbox itself has nothing to do */
export function createSettledWatch(idle: () => boolean): SettledWatch {
  let turnsLeft = 0;
  const turn = () => {
    turnsLeft -= 1;
    if (turnsLeft > 0) setImmediate(turn);
  };
  return {
    happened() {
      if (turnsLeft === 0) setImmediate(turn);
      turnsLeft = QUIET_TURNS;
    },
    isSettled: () => turnsLeft === 0 && idle(),
  };
}

const RECORDED = /^\/(?:v1|sandbox)(?:\/|$)/;
// What a page, a simulator or the recording itself calls. Pages of cardholders and of onboarding are called by a person.
const NOT_RECORDED =
  /^\/(?:sandbox\/(?:certificates|recordings|requests|fleets)|sandboxes|pairing|dashboard|mqtt|docs)(?:\/|$)/;
// It answers when what it waits for has happened, which for a test is no input.
const WAITING = /^\/sandbox\/terminals\/[^/?]+\?(?:.*&)?(?:state|online)=/;
const HEADERS = ['account', 'content-type', 'idempotency-key', 'origin', 'authorization'] as const;
const ANSWER_HEADERS = ['content-type', 'idempotent-replayed', 'location', 'retry-after'] as const;
const KEYS_PATH = /^\/sandbox\/terminals\/([^/]+)\/press-keys$/;

interface InputWatch {
  end(): void;
  /** Ends it with a server that was killed: the requests under way are recorded without a reply. */
  cut(): void;
}

/** Where what is watched is recorded. */
export interface RecordedTo {
  items: Items;
  book: SecretBook;
  settledWatch: SettledWatch;
  /** Called when something could not be recorded, and is missing. */
  onFailure(): void;
}

/** Records what reaches a sandbox from outside, masked. */
export function watchInputs(
  { inputs, settings }: Pick<Services, 'inputs' | 'settings'>,
  { items, book, settledWatch, onFailure }: RecordedTo,
): InputWatch {
  let isEnded = false;
  /** What records a request under way. */
  const open = new Map<number, (body: AnsweredRequest['body']) => void>();

  function arrived(request: ArrivedRequest): ((answered: AnsweredRequest) => void) | undefined {
    if (!isRecorded(request, settings.dashboardToken)) return undefined;
    const settled = settledOf(settledWatch);
    const place = items.reserve();
    const { method, url } = request;
    const put = (sent: AnsweredRequest['body']) =>
      place.put(() => {
        const headers = maskedHeaders(book, request.headers, HEADERS);
        const body = maskedCall(book, url, sent);
        return { kind: 'call', ...settled, method, url: maskedUrl(book, url), headers, body };
      });
    open.set(place.seq, put);
    return (answered) => {
      if (isEnded) return;
      open.delete(place.seq);
      put(answered.body);
      items.add(() => ({ kind: 'reply', call: place.seq, ...maskedReply(book, answered) }));
    };
  }

  const watcher: Parameters<typeof inputs.watch>[1] = {
    requestArrived: arrived,
    actPerformed(terminalId, act) {
      const settled = settledOf(settledWatch);
      items.add(() => ({ kind: 'act', ...settled, terminalId, act: maskedAct(book, terminalId, act) }));
    },
    outgoingAnswered: (answered) =>
      void items.add(() => ({ kind: 'answer', ...maskedAnswer(book, answered) })),
  };
  const unwatch = inputs.watch('recording of inputs', watcher, onFailure);
  function end(): void {
    isEnded = true;
    unwatch();
  }

  return {
    end,
    cut() {
      for (const put of open.values()) put(undefined);
      end();
    },
  };
}

const settledOf = (settledWatch: SettledWatch) =>
  settledWatch.isSettled() ? { settled: true as const } : {};

function isRecorded({ method, url, headers }: ArrivedRequest, dashboardToken: string): boolean {
  const path = pathOf(url);
  if (NOT_RECORDED.test(path) || WAITING.test(url)) return false;
  // What an open page reads is no part of what is recorded.
  if (method === 'GET') return RECORDED.test(path) && headers.authorization !== dashboardToken;
  return method !== 'OPTIONS' && method !== 'HEAD';
}

function maskedCall(book: SecretBook, url: string, body: AnsweredRequest['body']): TraceBody | null {
  const masked = maskedBody(book, body);
  const terminalId = KEYS_PATH.exec(pathOf(url))?.[1];
  if (terminalId === undefined || typeof body !== 'string' || !masked || !('json' in masked)) return masked;
  const keys = (parseOutsideJson(body) as { keys?: unknown } | null)?.keys;
  return areKeys(keys)
    ? { json: { ...(masked.json as object), keys: book.maskedKeys(terminalId, keys) } }
    : masked;
}

function areKeys(keys: unknown): keys is string[] {
  return Array.isArray(keys) && keys.every((key) => typeof key === 'string' && /^(?:\d|[a-z]+)$/.test(key));
}

function maskedAct(book: SecretBook, terminalId: string, act: SimulationAct): SimulationAct {
  return act.act === 'press-keys' ? { ...act, keys: book.maskedKeys(terminalId, act.keys) } : act;
}

/** Returns the answer to a request as it is recorded. */
export function maskedReply(
  book: SecretBook,
  { status, headers, answer }: AnsweredRequest,
): Pick<TraceReply, 'status' | 'headers' | 'body'> {
  return {
    status,
    headers: maskedHeaders(book, headers, ANSWER_HEADERS),
    body: maskedBody(book, answer),
  };
}

function maskedAnswer(book: SecretBook, answered: OutgoingAnswer) {
  const url = book.masked(answered.url);
  const { request, answer } = answered;
  if (request === 'POST')
    return { request, url, sent: maskedSent(book, answered.sent), answer: maskedResponse(book, answer) };
  if (request === 'GET') return { request, url, sent: null, answer: maskedResponse(book, answer) };
  return { request, url, sent: null, answer };
}

function maskedResponse<R extends PostAnswer | Fetched | { problem: string }>(
  book: SecretBook,
  response: R,
): R {
  if (!('body' in response)) return maskedValue(book, response) as R;
  const { body, ...rest } = response;
  return { ...(maskedValue(book, rest) as R), body: maskedContent(book, body) };
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
    shown[name] =
      isSecret && value !== '' ? book.placeholderOf(String(value)) : maskedUrl(book, String(value));
  }
  return shown;
}
