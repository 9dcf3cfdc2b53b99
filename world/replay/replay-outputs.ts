import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { isDrawn } from '../../server/dashboard/attribution.ts';
import type { TimelineEntry } from '../../server/dashboard/view.ts';
import type { AnsweredRequest } from '../../server/platform/inputs.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceOutput, TraceReply, TraceBody, TraceCall } from '../../server/traces/trace-item.schema.ts';
import { watchOutputs } from '../../server/traces/recording.ts';
import { maskedReply } from '../../server/traces/watch-inputs.ts';
import { missing, type Difference } from './compare-values.ts';
import type { Mapping } from './mapping.ts';
import { createOutputPool } from './output-pool.ts';
import type { ReplayTime } from './replay-time.ts';
import type { ReplayWorld } from './replay-world.ts';
import { mapTexts } from './bindings.ts';

/** What a replay does, recorded as a recording does it. */
interface ReplayOutputs {
  /** Outputs and replies so far. */
  readonly count: number;
  /** Compares a recorded reply with that of the replay. */
  compareReply(item: TraceReply, by: ReplayWaiting & { isRacing: boolean }): Promise<Difference | undefined>;
  /** Compares a recorded output with the one of the replay that stands for it. */
  compareOutput(item: TraceOutput, by: ReplayWaiting): Promise<Difference | undefined>;
  /** Whether the replay has done something that comes later in the recording. */
  isAhead(): boolean;
  /** Returns the first output until a time that the recording does not have. */
  extraUntil(untilMs: number): Difference | undefined;
}

interface ReplayWaiting {
  time: Pick<ReplayTime, 'lagMs' | 'lagWith' | 'compareMoments'>;
  waitFor: ReplayTime['waitFor'];
}

export function recordReplay(
  { header }: Trace,
  { server, placeholders }: ReplayWorld,
  mapping: Mapping,
): ReplayOutputs {
  const { services, dashboard } = server;
  const { bindings, book, compare } = mapping;
  const pool = createOutputPool();
  const answers = new Map<number, { answered: AnsweredRequest; atMs: number }>();
  services.inputs.watch('answers of a replay', {
    requestArrived({ headers }) {
      const call = headers[CALL_HEADER];
      if (call === undefined) return undefined;
      return (answered) => void answers.set(Number(call), { answered, atMs: services.clock.nowMs() });
    },
    actPerformed() {},
    outgoingAnswered() {},
  });
  watchOutputs(dashboard, (entry) => {
    if (isInVersion(header.version, entry)) pool.add(entry);
  });

  return {
    get count() {
      return pool.count + answers.size;
    },
    async compareReply({ atMs, call, status, headers, body }, { time, waitFor, isRacing }) {
      const found = await waitFor(atMs, () => answers.get(call));
      if (!found) return missing(status);
      const { answered } = found;
      const moved = time.compareMoments(atMs, found.atMs);
      if (moved || status === null) return moved;
      if (body && 'json' in body && answered.answer !== undefined)
        bindSecrets(body.json, jsonIn(answered.answer), placeholders.bind);
      if (isRacing) return compare({ status }, { status: answered.status }, time.lagMs);
      const replayed = maskedReply(book, answered);
      // A recording has not all headers of every answer.
      const known = Object.entries(replayed.headers).filter(([name]) => name in headers);
      return compare(
        { status, headers, body },
        { ...replayed, headers: Object.fromEntries(known) },
        time.lagMs,
      );
    },
    async compareOutput({ atMs, entry }, { time, waitFor }) {
      let last: Difference | undefined;
      const found = await waitFor(atMs, () => {
        const lagOf = (replayed: TimelineEntry) => time.lagWith(atMs, replayed.atMs);
        const taken = pool.take(entry, { bindings, lagOf });
        last = taken && 'difference' in taken ? taken.difference : undefined;
        return taken && 'entry' in taken ? taken.entry : undefined;
      });
      if (!found) return last ?? missing(entry.title);
      return time.compareMoments(atMs, found.atMs);
    },
    isAhead: () => pool.left().length > 0,
    extraUntil(untilMs) {
      const extra = pool.left().find(({ atMs }) => atMs <= untilMs);
      return extra && { path: [], recorded: undefined, replayed: extra };
    },
  };
}

/** Version 1 of the format has no postings, and neither events nor webhooks about objects without a timeline. */
function isInVersion(version: number, { kind, objectId, terminalId }: TimelineEntry): boolean {
  if (version > 1) return true;
  const isOfEvent = kind === 'event' || kind === 'webhook';
  const hasTimeline = isDrawn(objectId) || (objectId !== null && objectId === terminalId);
  return kind !== 'posting' && (!isOfEvent || hasTimeline);
}

function jsonIn(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Calls `bind` with each secret of an answer whose placeholder the recorded answer has.
 * @param recorded JSON of the recorded answer, with placeholders
 * @param replayed JSON of the replayed answer, with its secrets
 */
function bindSecrets(
  recorded: unknown,
  replayed: unknown,
  bind: (secret: number, value: string) => void,
): void {
  if (typeof recorded === 'string' && typeof replayed === 'string')
    return bindInText(recorded, replayed, bind);
  if (typeof recorded !== 'object' || recorded === null || typeof replayed !== 'object' || replayed === null)
    return;
  for (const [name, value] of Object.entries(recorded))
    bindSecrets(value, (replayed as Record<string, unknown>)[name], bind);
}

// Ids in a text are as long in the recording as in the replay.
function bindInText(recorded: string, replayed: string, bind: (secret: number, value: string) => void): void {
  const [before = '', number, after = '', ...more] = recorded.split(/\{\{secret:(\d+)\}\}/);
  if (number === undefined || more.length > 0) return;
  bind(Number(number), replayed.slice(before.length, replayed.length - after.length));
}

/** Names the recorded call that a request repeats, by its `seq`. */
const CALL_HEADER = 'tapbench-replayed-call';

/** Returns the request that repeats a recorded call. `map` puts ids and secrets of the replay into a text. */
export async function replayedRequest(
  { seq, method, url, headers, body }: TraceCall,
  map: (text: string) => string,
) {
  const { payload, type } = await payloadOf(body, map);
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(value)]));
  return {
    method,
    url: map(url),
    headers: { ...sent, ...(type !== undefined && { 'content-type': type }), [CALL_HEADER]: String(seq) },
    payload,
  };
}

async function payloadOf(body: TraceBody | null, map: (text: string) => string): Promise<Payload> {
  if (!body) return { payload: undefined };
  if ('text' in body) return { payload: map(body.text) };
  if ('json' in body) return { payload: JSON.stringify(mapTexts(body.json, map)) };
  return formOf(body, map);
}

interface Payload {
  payload: string | Buffer | undefined;
  /** Content type of a form. */
  type?: string;
}

/** The bytes of the file are not in the trace: others of the same number are sent. */
async function formOf(
  { form, file }: Extract<TraceBody, { form: unknown }>,
  map: (text: string) => string,
): Promise<Payload> {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) data.set(map(name), map(String(value)));
  if (file)
    data.set('file', new File([Buffer.alloc(file.bytes, ' ')], map(file.name), { type: file.contentType }));
  const encoded = new Response(data);
  const type = encoded.headers.get('content-type')!;
  return { payload: Buffer.from(await encoded.arrayBuffer()), type };
}
