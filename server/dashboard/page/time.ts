import { signal } from '@preact/signals';
import { after, SystemClock, type Clock } from '../../../protocol/clock.ts';
import type { ClockView } from '../view.ts';

/** The browser's clock. Advances sandbox time between messages of the server. */
export const pageClock: Clock = new SystemClock();

/** Sandbox time minus browser time. The browser's clock may be wrong, so this is not `offset`. */
let aheadOfBrowserMs = 0;

/** Sandbox time, updated four times a second. */
export const now = signal(pageClock.nowMs());
/** Sandbox time minus real time, at the server. */
export const offset = signal(0);

const TICK_MS = 250;

export function setSandboxTime({ nowMs, offsetMs }: ClockView): void {
  aheadOfBrowserMs = nowMs - pageClock.nowMs();
  offset.value = offsetMs;
  now.value = nowMs;
}

export function startTicking(clock: Clock = pageClock): void {
  after(clock, TICK_MS, () => {
    now.value = clock.nowMs() + aheadOfBrowserMs;
    startTicking(clock);
  });
}
