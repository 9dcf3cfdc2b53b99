import { delay, type Clock } from '../../../protocol/clock.ts';
import type { VirtualClock } from '../../../world/virtual-clock.ts';
import { turn } from '../../../world/turn.ts';

const TICK_MS = 4;
// What happens within a world takes some turns of the event loop. On a busy machine time must not outrun it.
const STEP_MS_MAX = 250;

/** Lets the time of a world pass with real time, `speed` times as fast, until `stop`. */
export function pace(clock: VirtualClock, real: Clock, speed: number): { stop(): Promise<void> } {
  let isStopped = false;
  clock.settleWith(turn);
  const run = async () => {
    for (let lastMs = real.nowMs(); !isStopped;) {
      await delay(real, TICK_MS);
      const nowMs = real.nowMs();
      await clock.advance(Math.min((nowMs - lastMs) * speed, STEP_MS_MAX));
      lastMs = nowMs;
    }
  };
  const ended = run();
  return {
    stop() {
      isStopped = true;
      return ended;
    },
  };
}
