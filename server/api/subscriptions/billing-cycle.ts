const DAY_MS = 86_400_000;

/** How often is billed; `times` is how often in all, without end when not given. */
export interface Interval {
  unit: 'Days' | 'Months';
  count: number;
  times?: number;
}

/**
 * When the cycle that begins at `startMs` ends and the next one begins. Months are those of the calendar (UTC):
 * the day is that of `anchorMs`, the first billing moment, or the last of a month that is shorter
 * (docs/choices.md, Billing cycles). So a subscription of the 31st is billed on 28 February, and on 31 March.
 */
export function cycleEnd(startMs: number, { unit, count }: Interval, anchorMs: number): number {
  if (unit === 'Days') return startMs + count * DAY_MS;
  const start = new Date(startMs);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(new Date(anchorMs).getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (startMs % DAY_MS);
}

/** The cycle in which `nowMs` falls, at the earliest the one given: what went by in between is skipped. */
export function cycleAround(
  nowMs: number,
  cycle: { startMs: number; endMs: number },
  interval: Interval,
  anchorMs: number,
): { startMs: number; endMs: number } {
  let { startMs, endMs } = cycle;
  while (endMs <= nowMs) [startMs, endMs] = [endMs, cycleEnd(endMs, interval, anchorMs)];
  return { startMs, endMs };
}

/** Whole seconds, since that is how finely the API tells time: what is due is due when the API says so. */
export function wholeSecond(ms: number): number {
  return ms - (ms % 1000);
}
