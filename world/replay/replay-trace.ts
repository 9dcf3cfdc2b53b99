import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { ItemOf, TraceItem, TraceReply, TraceOutput } from '../../server/traces/trace-item.schema.ts';
import { answerRequests } from './answer-requests.ts';
import { createClockAdvances } from './clock-advances.ts';
import type { Difference } from './compare-values.ts';
import { mapTexts } from './bindings.ts';
import { createMapping } from './mapping.ts';
import { ReplayClock, startReplayWorld, type ReplayWorld } from './replay-world.ts';
import { recordReplay, replayedRequest } from './replay-outputs.ts';
import { createReplayTime } from './replay-time.ts';

/** The first place at which a replay differs from its recording. */
export interface Divergence {
  /** The recorded item that is other or missing in the replay; null for something that only the replay did. */
  item: TraceItem | null;
  difference: Difference;
}

const YEAR_MS = 365.25 * 86_400_000;
const SPAN_YEARS_MAX = 100;

/** What came of a replay. */
type ReplayResult =
  | { outcome: 'identical'; compared: number }
  | { outcome: 'diverged'; divergence: Divergence; compared: number }
  /** Reasons in words. */
  | { outcome: 'notReplayable'; reasons: string[] };

/**
 * Repeats a trace in a world of its own, on virtual time: restores its snapshot, sends what was recorded as input, each
 * after the outputs that stand before it, and compares all outputs.
 * @param interrupted ends it
 * @throws Refusal for a snapshot that is damaged or of a newer version, and the reason of `interrupted`
 */
export async function replayTrace(trace: Trace, interrupted?: AbortSignal): Promise<ReplayResult> {
  const reasons = [...trace.summary.notReplayable, ...spanProblems(trace)];
  if (reasons.length > 0) return { outcome: 'notReplayable', reasons };
  const world = await startReplayWorld(trace, interrupted);
  try {
    return await replayIn(world, trace);
  } finally {
    await world.close();
  }
}

/** Returns why a trace takes too long to repeat: what is due regularly, such as a clean-up, is due in all of its time. */
function spanProblems({ header, items, summary }: Trace): string[] {
  const lastMs = items.reduce((latest, { atMs }) => Math.max(latest, atMs), summary.endMs);
  return lastMs - header.clockMs > SPAN_YEARS_MAX * YEAR_MS
    ? [`it spans more than ${SPAN_YEARS_MAX} years`]
    : [];
}

async function replayIn(world: ReplayWorld, trace: Trace): Promise<ReplayResult> {
  const { repeat, end } = createReplay(world, trace);
  let compared = 0;
  for (const item of trace.items) {
    const difference = await repeat(item);
    if (difference) return { outcome: 'diverged', divergence: { item, difference }, compared };
    if (item.kind === 'reply' || item.kind === 'output') compared += 1;
  }
  const divergence = await end();
  return divergence ? { outcome: 'diverged', divergence, compared } : { outcome: 'identical', compared };
}

function createReplay(world: ReplayWorld, trace: Trace) {
  const { fleet } = world;
  const mapping = createMapping(trace, world);
  const { map } = mapping;
  const outputs = recordReplay(trace, world, mapping);
  const advances = createClockAdvances(trace, () => world.server.services.clock.nowMs());
  const time = createReplayTime(trace, world, { events: () => outputs.count, advances });
  const outside = answerRequests(trace, world, mapping, time);
  const { waitFor } = outside;
  /** Reads of what the replay had done and a recording in real time had not: bodies that are not compared. */
  const racing = new Set<number>();

  async function addTerminal({ seq: _seq, kind: _kind, atMs, ...member }: ItemOf<'terminal'>): Promise<void> {
    await time.reach(atMs);
    const terminalId = map(member.terminalId);
    await fleet.add({ ...(member as Parameters<typeof fleet.add>[0]), terminalId });
    await waitFor(atMs, () => fleet.terminal(terminalId)?.online || undefined);
  }

  /** On virtual time an advance ends when all was done that was due. */
  async function endAdvance({ atMs }: TraceReply): Promise<void> {
    if (!(world.time instanceof ReplayClock)) return;
    await time.reachInput({ atMs, settled: true });
    world.time.endAdvance();
  }

  /** Repeats an input, or compares an output. */
  async function repeat(item: TraceItem): Promise<Difference | undefined> {
    switch (item.kind) {
      case 'call':
        await time.reachInput(item);
        if (item.method === 'GET' && !trace.header.virtualTime && outputs.isAhead()) racing.add(item.seq);
        advances.sent(item);
        void world.send(await replayedRequest(item, map));
        // In real time it moves the clock by itself, and the next item says how far it has come.
        if (advances.has(item.seq) && !trace.header.virtualTime) await world.settled();
        return undefined;
      case 'act':
        await time.reachInput(item);
        return void fleet.terminal(map(item.terminalId))?.perform(mapTexts(item.act, map));
      case 'terminal':
        await addTerminal(item);
        return undefined;
      case 'answer':
        await outside.answer(item);
        return undefined;
      case 'reply':
        if (advances.has(item.call)) await endAdvance(item);
        return outputs.compareReply(item, { time, waitFor, isRacing: racing.has(item.call) });
      case 'output':
        return isOfIntegrator(item) ? undefined : outputs.compareOutput(item, { time, waitFor });
    }
  }

  /** Lets the rest of the recorded time pass. Returns what the replay did not do, or did besides. */
  async function end(): Promise<Divergence | undefined> {
    const untilMs = await time.end();
    const extra = outputs.extraUntil(untilMs);
    return outside.unanswered() ?? (extra && { item: null, difference: extra });
  }

  return { repeat, end };
}

/** Names the plan of the faults that stop an integrator's process. No plan of the sandbox has these, but its recordings do. */
export const PLAN_OF_STOPS = 'integrator';

/** Returns whether an output is not of the sandbox, but of the integrator whose process was stopped. */
function isOfIntegrator({ entry: { plan, fault } }: TraceOutput): boolean {
  return (plan ?? fault)?.planId === PLAN_OF_STOPS;
}
