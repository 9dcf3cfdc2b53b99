import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceCall, TraceItem, TraceReply } from '../../server/traces/trace-item.schema.ts';
import { repliesOf } from '../../server/traces/trace-entries.ts';

/** Returns by how much a request advanced the clock, in milliseconds; undefined for one that did not. */
export function advancedMs(
  { url, body }: TraceCall,
  reply: Pick<TraceReply, 'status'> | undefined,
): number | undefined {
  const { seconds } = ((body && 'json' in body && body.json) || {}) as { seconds?: unknown };
  const isAdvance = url === '/sandbox/clock/advance' && reply?.status === 200;
  return isAdvance && typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/** The requests of a recording that advance the clock. */
export interface ClockAdvances {
  /** Whether a request advanced the clock in the recording. */
  has(call: number): boolean;
  /** Takes note that the replay sends a request. */
  sent(call: TraceCall): void;
  /** Returns the real time by which something was earlier in the replay than in the recording, in milliseconds. */
  lagBetween(recordedMs: number, replayedMs: number): number;
}

/** By how much the clock moved, and its time at the end of that. */
interface Advance {
  byMs: number;
  movedMs: number;
}

/** @param nowMs time of the replayed sandbox */
export function createClockAdvances({ items }: Trace, nowMs: () => number): ClockAdvances {
  const recorded = advancesIn(items);
  const replayed: Advance[] = [];
  return {
    has: (call) => recorded.has(call),
    sent({ seq }) {
      const advance = recorded.get(seq);
      if (advance) replayed.push({ byMs: advance.byMs, movedMs: nowMs() + advance.byMs });
    },
    lagBetween(recordedMs, replayedMs) {
      const advancedBetween = totalUntil(recordedMs, recorded.values()) - totalUntil(replayedMs, replayed);
      return recordedMs - replayedMs - advancedBetween;
    },
  };
}

function advancesIn(items: readonly TraceItem[]): Map<number, Advance> {
  const replies = repliesOf(items);
  const advances = new Map<number, Advance>();
  for (const item of items) {
    const byMs = item.kind === 'call' ? advancedMs(item, replies.get(item.seq)) : undefined;
    if (byMs !== undefined) advances.set(item.seq, { byMs, movedMs: item.atMs + byMs });
  }
  return advances;
}

function totalUntil(atMs: number, advances: Iterable<Advance>): number {
  let totalMs = 0;
  for (const { byMs, movedMs } of advances) if (movedMs <= atMs) totalMs += byMs;
  return totalMs;
}
