import { signal } from '@preact/signals';
import { after, SystemClock, type Clock } from '../../../protocol/clock.ts';
import type { ClockView } from '../view.ts';

/** The browser's own time, which counts on between what the server says. */
export const pageClock: Clock = new SystemClock();

/** How far the sandbox is ahead of this browser; the two need not agree on the time of day. */
let aheadMs = 0;

/** Sandbox time, four times a second: for what counts down. */
export const now = signal(pageClock.nowMs());
/** How far the sandbox is ahead of real time at the server. */
export const offset = signal(0);

const TICK_MS = 250;

export function setSandboxTime({ nowMs, offsetMs }: ClockView): void {
  aheadMs = nowMs - pageClock.nowMs();
  offset.value = offsetMs;
  now.value = nowMs;
}

export function startTicking(clock: Clock = pageClock): void {
  after(clock, TICK_MS, () => {
    now.value = clock.nowMs() + aheadMs;
    startTicking(clock);
  });
}
