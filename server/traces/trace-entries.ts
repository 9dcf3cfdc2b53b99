import { callTitle, callTone } from '../dashboard/entry-content.ts';
import type { TimelineEntry } from '../dashboard/view.ts';
import { pathOf } from '../platform/http/path-params.ts';
import type { TraceItem, TraceReply, TraceBody, TraceCall } from './trace-item.schema.ts';

/** Returns the reply to each call, by the number of the call. */
export function repliesOf(items: readonly TraceItem[]): ReadonlyMap<number, TraceReply> {
  return new Map(items.flatMap((item) => (item.kind === 'reply' ? [[item.call, item] as const] : [])));
}

type Related = Pick<TimelineEntry, 'terminalId' | 'actionId' | 'objectId'>;

const OF_TERMINAL =
  /^\/(?:v1\/in-person|sandbox)\/terminals\/([^/]+)(\/(?:payment|refund|cancel-action|confirm-receipt))?/;

/**
 * Returns the items of a trace as entries of a timeline, in their order. A request is one entry, where it arrived, with its
 * reply.
 */
export function traceEntries(items: readonly TraceItem[]): TimelineEntry[] {
  const replies = repliesOf(items);
  const actionOf = actionsBySession(items);
  return items.flatMap((item) => {
    const { realMs } = item;
    return entriesOf(item).map((entry) => (realMs === undefined ? entry : { ...entry, realMs }));
  });

  function entriesOf(item: TraceItem): TimelineEntry[] {
    switch (item.kind) {
      case 'call':
        return [requestEntry(item, replies.get(item.seq), actionOf)];
      case 'reply':
      // The entry of the webhook says what its endpoint answered.
      case 'answer':
        return [];
      case 'output':
        return [{ ...item.entry, seq: item.seq }];
      case 'act': {
        const { act, ...members } = item.act;
        const title = [act, ...Object.values(members).flat()].join(' ');
        return [atTerminal(item, title, item.act)];
      }
      case 'terminal': {
        const { seq: _seq, atMs: _atMs, realMs: _realMs, kind: _kind, ...detail } = item;
        return [atTerminal(item, 'simulated terminal', detail)];
      }
    }
  }
}

/** The action of each payment session of a terminal, so that a request about the session is found with the action. */
function actionsBySession(items: readonly TraceItem[]): Map<string, Related> {
  const found = new Map<string, Related>();
  for (const item of items) {
    if (item.kind !== 'output' || item.entry.actionId === null) continue;
    const { objectId, terminalId, actionId } = item.entry;
    if (objectId !== null && !found.has(objectId)) found.set(objectId, { terminalId, actionId, objectId });
  }
  return found;
}

function requestEntry(
  call: TraceCall,
  reply: TraceReply | undefined,
  actionOf: ReadonlyMap<string, Related>,
): TimelineEntry {
  const { seq, atMs, method, url, headers } = call;
  const status = reply?.status ?? null;
  const path = pathOf(url);
  return {
    seq,
    atMs,
    ...relatedTo(path, reply, actionOf),
    lane: 'api',
    kind: 'request',
    title: `${callTitle({ method, path })} ${status ?? 'without a response'}`,
    tone: status === null ? 'warn' : callTone(status),
    detail: {
      request: { method, path: url, headers, ...contentOf(call.body) },
      response: reply ? { status, headers: reply.headers, ...contentOf(reply.body) } : null,
    },
  };
}

/** The content, as the member `body`; none for none. */
function contentOf(body: TraceBody | null): { body?: unknown } {
  if (body === null) return {};
  if ('json' in body) return { body: body.json };
  return { body: 'text' in body ? body.text : body };
}

function relatedTo(
  path: string,
  reply: TraceReply | undefined,
  actionOf: ReadonlyMap<string, Related>,
): Related {
  const body = contentOf(reply?.body ?? null).body as Shown | null | undefined;
  const [, terminalId = null, operation] = OF_TERMINAL.exec(path) ?? [];
  if (terminalId !== null)
    return { terminalId, actionId: (operation && body?.action?.id) || null, objectId: null };
  const named = path.split('/').find((part) => actionOf.has(part)) ?? body?.id;
  const objectId = named ?? null;
  return (objectId !== null && actionOf.get(objectId)) || { terminalId: null, actionId: null, objectId };
}

interface Shown {
  id?: string;
  action?: { id?: string } | null;
}

function atTerminal(
  { seq, atMs, terminalId }: Extract<TraceItem, { kind: 'act' | 'terminal' }>,
  title: string,
  detail: unknown,
): TimelineEntry {
  const about = { terminalId, actionId: null, objectId: null };
  return { seq, atMs, ...about, lane: 'wire', kind: 'act', title, tone: 'plain', detail };
}
