import { maskCardNumbers } from '../../protocol/card-numbers.ts';
import { messageOf } from '../../protocol/failures.ts';
import { wholeIdsInText } from '../../protocol/ids.ts';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { TEST_CARDS } from '../../protocol/test-cards.ts';
import { pause } from '../client/api-client.ts';
import type { CommandContext } from '../command-line/command-context.ts';

/** A request of a scenario, with nothing left to fill in. */
export interface PlainRequest {
  method: string;
  /** With the query, below `/v1`. */
  path: string;
  headers: Record<string, string>;
  body: string | FormData | undefined;
  /** All texts that are sent. */
  text: string;
}

export interface SeenReply {
  status: number;
  /** Undefined for a reply without a body. */
  body: unknown;
  /** The server's own time, in seconds; undefined when it gives none. */
  serverTime: number | undefined;
  /** The media type of the body, without parameters; undefined when it has none. */
  contentType: string | undefined;
}

/** What came of a request: a reply that can be compared, or why there is none. */
export type Sent = { reply: SeenReply } | { problem: string; isUnreachable?: true };

export interface CarefulClient {
  send(request: PlainRequest): Promise<Sent>;
}

interface ClientParts {
  /** Without `/v1`. */
  url: string;
  requestsPerSecond: number;
  /** How long a reply may take. */
  timeoutMs?: number;
}

const TIMEOUT_MS_DEFAULT = 30_000;
const BODY_BYTES_MAX = 2 * 1024 * 1024;
const RETRIES_MAX = 6;
const RETRY_SECONDS_MAX = 60;
/** Of what stands before a server, such as a proxy: they say nothing about the server itself. */
const GATEWAY_STATUSES = [502, 503, 504];

type Context = Pick<CommandContext, 'fetch' | 'clock' | 'interrupted'>;

/**
 * Creates a client for a server that is not ours: it sends no more requests a second than allowed, waits on 429, follows
 * no redirect, reads no more than 2 MB and waits no longer than 30 seconds for a reply. It sends no card number but
 * those of test cards.
 */
export function createCarefulClient(
  context: Context,
  { url, requestsPerSecond, timeoutMs = TIMEOUT_MS_DEFAULT }: ClientParts,
): CarefulClient {
  let nextMs = 0;
  async function turn(): Promise<void> {
    const now = context.clock.nowMs();
    const atMs = Math.max(now, nextMs);
    nextMs = atMs + 1000 / requestsPerSecond;
    if (atMs > now) await pause(context, atMs - now);
  }
  return {
    async send(request) {
      if (hasCardNumber(`${request.path} ${request.text}`))
        return { problem: 'it would send a card number that is not one of the test cards' };
      for (let tries = 1; ; tries += 1) {
        await turn();
        const sent = await sendOnce(context, { url, timeoutMs }, request);
        if (!('retryMs' in sent)) return sent;
        if (tries >= RETRIES_MAX)
          return { problem: `replied 429 to ${tries} requests, with the pauses that it asked for` };
        // Longer each time, where it asks for no pause.
        await pause(context, sent.retryMs ?? 1000 * 2 ** (tries - 1));
      }
    },
  };
}

/** Returns whether a text has a card number that is not one of the test cards. */
export function hasCardNumber(text: string): boolean {
  const withoutIds = text.split(wholeIdsInText()).join(' ');
  const others = TEST_CARDS.reduce((left, { number }) => left.replaceAll(number, ' '), withoutIds);
  return maskCardNumbers(others, 'likely') !== others;
}

async function sendOnce(
  { fetch, interrupted }: Context,
  { url, timeoutMs }: { url: string; timeoutMs: number },
  { method, path, headers, body }: PlainRequest,
): Promise<Sent | { retryMs: number | undefined }> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([interrupted, timeout]),
      ...(body !== undefined && { body }),
    });
    const { status } = answer;
    const text = await textOf(answer);
    if (status === 429) return { retryMs: retryMsOf(answer.headers.get('retry-after')) };
    if (status >= 300 && status < 400)
      return { problem: `replied ${status}, a redirect, which is not followed` };
    if (GATEWAY_STATUSES.includes(status)) return { problem: `replied ${status}` };
    if (text === undefined) return { problem: `replied ${status} with more than 2 MB` };
    return readReply(status, text, answer.headers);
  } catch (thrown) {
    interrupted.throwIfAborted();
    if (timeout.aborted)
      return { problem: `did not reply within ${timeoutMs / 1000} seconds`, isUnreachable: true };
    return { problem: `the connection failed: ${causeOf(thrown)}`, isUnreachable: true };
  }
}

function readReply(status: number, text: string, headers: Headers): Sent {
  const serverMs = Date.parse(headers.get('date') ?? '');
  const head = {
    status,
    serverTime: Number.isNaN(serverMs) ? undefined : Math.floor(serverMs / 1000),
    contentType: headers.get('content-type')?.split(';')[0]!.trim().toLowerCase(),
  };
  if (text.trim() === '') return { reply: { ...head, body: undefined } };
  try {
    return { reply: { ...head, body: parseOutsideJson(text) } };
  } catch (thrown) {
    const what = thrown instanceof SyntaxError ? 'what is not JSON' : messageOf(thrown);
    return { problem: `replied ${status} with ${what}` };
  }
}

/** Returns the body of a reply; undefined when it is too long. */
async function textOf({ body }: Response): Promise<string | undefined> {
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // The end of the loop cancels the rest of the body.
    if (length > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Retry-After in seconds (RFC 9110 §10.2.3), within bounds; the date form counts as none. */
function retryMsOf(header: string | null): number | undefined {
  if (header === null || !/^\d{1,6}$/.test(header)) return undefined;
  return Math.min(Number(header), RETRY_SECONDS_MAX) * 1000;
}

/** `fetch` says only that it failed, and gives the reason as the cause. */
function causeOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return messageOf(cause ?? thrown).slice(0, 200);
}
