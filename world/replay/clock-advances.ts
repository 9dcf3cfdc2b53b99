import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceCall, TraceItem, TraceReply } from '../../server/traces/trace-item.schema.ts';
import { repliesOf } from '../../server/traces/trace-replies.ts';

/** Returns by how much a request advanced the clock, in milliseconds; undefined for one that did not. */
export function advancedMs(
  { url, body }: TraceCall,
  reply: Pick<TraceReply, 'status'> | undefined,
): number | undefined {
  const { seconds } = ((body && 'json' in body && body.json) || {}) as { seconds?: unknown };
  const isAdvance = url === '/sandbox/clock/advance' && reply?.status === 200;
  return isAdvance && typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/** The requests of a recording in real time that advance the clock; none on virtual time. */
export interface ClockAdvances {
  /** Keeps such a request until `reach`. Returns false for any other request. */
  keep(call: TraceCall): boolean;
  /** Sends those that had moved the clock before an item, and waits until the replay has too. */
  reach(item: TraceItem): Promise<void>;
  /** Returns the real time by which something was earlier in the replay than in the recording, in milliseconds. */
  lagBetween(recordedMs: number, replayedMs: number): number;
}

/** By how much the clock moved, and its time right after. */
interface Advance {
  byMs: number;
  movedMs: number;
}

/**
 * Sends each request that advances the clock when the clock moved in the recording: what ends while such a request is
 * under way, such as an attempt of a webhook, does so before or after that, and the time of its item says which.
 * @param nowMs time of the replayed sandbox
 * @param send resolves with the answer
 */
export function createClockAdvances(
  { header, items }: Trace,
  { nowMs, send }: { nowMs(): number; send(call: TraceCall): Promise<void> },
): ClockAdvances {
  const recorded = header.virtualTime ? new Map<TraceCall, Advance>() : advancesIn(items);
  const replayed: Advance[] = [];
  const kept = new Set<TraceCall>();
  return {
    keep: (call) => recorded.has(call) && kept.add(call).has(call),
    async reach(item) {
      for (const call of kept) {
        const { byMs, movedMs } = recorded.get(call)!;
        const isAnswered = item.kind === 'reply' && item.call === call.seq;
        if (item.atMs < movedMs && !isAnswered) continue;
        kept.delete(call);
        await send(call);
        replayed.push({ byMs, movedMs: nowMs() });
      }
    },
    lagBetween(recordedMs, replayedMs) {
      const advancedBetween = totalUntil(recordedMs, recorded.values()) - totalUntil(replayedMs, replayed);
      return recordedMs - replayedMs - advancedBetween;
    },
  };
}

function advancesIn(items: readonly TraceItem[]): Map<TraceCall, Advance> {
  const replies = repliesOf(items);
  const advances = new Map<TraceCall, Advance>();
  for (const item of items) {
    const byMs = item.kind === 'call' ? advancedMs(item, replies.get(item.seq)) : undefined;
    if (byMs !== undefined) advances.set(item as TraceCall, { byMs, movedMs: item.atMs + byMs });
  }
  return advances;
}

function totalUntil(atMs: number, advances: Iterable<Advance>): number {
  let totalMs = 0;
  for (const { byMs, movedMs } of advances) if (movedMs <= atMs) totalMs += byMs;
  return totalMs;
}
