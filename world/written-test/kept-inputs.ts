import { isDeepStrictEqual } from 'node:util';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceCall, TraceReply } from '../../server/traces/trace-item.schema.ts';
import { expectedOf } from './expectations.ts';

/**
 * Returns the reads that a test leaves out, by number: those of a server in real time while something was under way, whose
 * replies depend on the moment, and those that repeat the request before them with the same result.
 */
export function readsLeftOut(trace: Trace, replies: ReadonlyMap<number, TraceReply>): ReadonlySet<number> {
  const leftOut = new Set<number>();
  let last: TraceCall | undefined;
  for (const item of trace.items) {
    if (item.kind !== 'call' && item.kind !== 'act') continue;
    if (item.kind === 'act' || item.method !== 'GET') {
      last = undefined;
      continue;
    }
    const isRacing = !trace.header.virtualTime && !item.settled;
    if (isRacing || (last && isSameRead(last, item, replies))) leftOut.add(item.seq);
    else last = item;
  }
  return leftOut;
}

function isSameRead(one: TraceCall, other: TraceCall, replies: ReadonlyMap<number, TraceReply>): boolean {
  const [replyToOne, replyToOther] = [replies.get(one.seq), replies.get(other.seq)];
  return (
    one.url === other.url &&
    isDeepStrictEqual(one.headers, other.headers) &&
    replyToOne !== undefined &&
    replyToOther !== undefined &&
    isDeepStrictEqual(expectedOf(replyToOne), expectedOf(replyToOther))
  );
}
