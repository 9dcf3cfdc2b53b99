import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { ClockAdvances } from './clock-advances.ts';
import type { Difference } from './compare-values.ts';
import type { ReplayWorld } from './replay-world.ts';
import { turn } from '../virtual-clock.ts';

// A world is idle after this many turns of the event loop in which nothing happened.
const QUIET_TURNS = 60;
const TURNS_MAX = 500_000;
// A server that works in real time is never later than this.
const LAG_MAX_MS = 10_000;

/** The passing of time in a replay. Times are those of the recording. */
export interface ReplayTime {
  /** By how much the replay was ahead of a recording in real time, at most, so far; 0 for one on virtual time. */
  readonly lagMs: number;
  /** Returns the lag with that of something that happened at these times. */
  lagWith(recordedMs: number, replayedMs: number): number;
  /** Lets time pass until an input was sent. */
  reach(atMs: number): Promise<void>;
  /** Lets time pass until an input came, and until nothing is under way if that was so in the recording. */
  reachInput(input: { atMs: number; settled?: true }): Promise<void>;
  /** Waits for what the recording has at a time. Resolves with undefined when it does not happen. */
  waitFor<T>(atMs: number, check: () => T | undefined): Promise<T | undefined>;
  /** Returns whether what the recording did at a time may happen now in the replay. */
  mayHappenNow(recordedMs: number): boolean;
  /** Compares when something happened in the recording and in the replay. */
  compareMoments(recordedMs: number, replayedMs: number): Difference | undefined;
  /** Lets time pass until the end. Returns until when the recording is complete: later things may have been under way. */
  end(): Promise<number>;
}

interface ReplayTimeParts {
  /** Increases with each output and answer. */
  events(): number;
  advances: Pick<ClockAdvances, 'lagBetween'>;
}

export function createReplayTime(
  { header, summary }: Trace,
  world: ReplayWorld,
  { events, advances }: ReplayTimeParts,
): ReplayTime {
  const { clock } = world.server.services;
  const isVirtual = header.virtualTime ?? false;
  const { reach, passTime } = createTimePassing(world, isVirtual);
  const activity = () => world.activity() + events() + world.requests.held().length;
  const isLag = (ms: number) => (isVirtual ? ms === 0 : ms >= 0 && ms <= LAG_MAX_MS);
  let lagMs = 0;

  return {
    get lagMs() {
      return lagMs;
    },
    lagWith: (recordedMs, replayedMs) =>
      isVirtual ? 0 : Math.max(lagMs, Math.min(advances.lagBetween(recordedMs, replayedMs), LAG_MAX_MS)),
    // Nothing that the recording did in real time is later here.
    reach,
    async reachInput({ atMs, settled }) {
      await this.reach(atMs);
      if (settled) await world.settled();
    },
    async waitFor(atMs, check) {
      let seen = activity();
      let quietTurns = 0;
      for (let turns = 0; turns < TURNS_MAX; turns += 1) {
        const found = check();
        if (found !== undefined) return found;
        await turn();
        const now = activity();
        quietTurns = world.quiet() && now === seen ? quietTurns + 1 : 0;
        seen = now;
        if (quietTurns < QUIET_TURNS) continue;
        quietTurns = 0;
        if (!(await passTime(atMs))) return undefined;
      }
      throw new Error('the replay did not become idle');
    },
    mayHappenNow: (recordedMs) => isLag(recordedMs - clock.nowMs()),
    compareMoments(recordedMs, replayedMs) {
      const lag = isVirtual ? recordedMs - replayedMs : advances.lagBetween(recordedMs, replayedMs);
      if (!isLag(lag)) return { path: ['atMs'], recorded: recordedMs, replayed: replayedMs };
      lagMs = Math.max(lagMs, lag);
      return undefined;
    },
    async end() {
      const { endMs, settled } = summary;
      await this.reach(endMs);
      // What was under way at the end may have come to its end here.
      if (!settled) return -Infinity;
      await world.settled();
      return isVirtual ? endMs : endMs - lagMs;
    },
  };
}

/** Lets the time of a replay pass. Instants are those of the recording. */
function createTimePassing({ time, settled, server }: ReplayWorld, isVirtual: boolean) {
  const { clock, clockAdvances } = server.services;
  const targetOf = (atMs: number) => (isVirtual ? atMs : atMs - clock.offsetMs);

  async function advanceTo(targetMs: number): Promise<void> {
    if (targetMs > time.nowMs()) await time.advance(targetMs - time.nowMs());
  }

  /**
   * Lets time pass until `atMs`, and no more than an advance of the clock needs that is under way in real time. Its clock
   * stands while it waits, such as for an answer that comes at `atMs`, so it may never be as late as in the recording.
   */
  async function reach(atMs: number): Promise<void> {
    const untilMs = time.nowMs() + (atMs - clock.nowMs());
    while (clockAdvances.isInProgress()) {
      await settled();
      if (clock.nowMs() >= atMs || time.nowMs() >= untilMs) return;
      if (!(await passTime(atMs))) return;
    }
    await advanceTo(targetOf(atMs));
  }

  /** Lets time pass until the next thing is due, but not beyond `atMs`. Returns false when it has passed. */
  async function passTime(atMs: number): Promise<boolean> {
    const targetMs = targetOf(atMs);
    if (time.nowMs() >= targetMs) return false;
    const [nextMs = Infinity] = time.due;
    await advanceTo(isVirtual ? targetMs : Math.max(time.nowMs() + 1, Math.min(nextMs, targetMs)));
    return true;
  }

  return { reach, passTime };
}
