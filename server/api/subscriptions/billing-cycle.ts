const DAY_MS = 86_400_000;

/** The length of a cycle; `times` is the number of cycles, unlimited when not given. */
export interface Interval {
  unit: 'Days' | 'Months';
  count: number;
  times?: number;
}

/**
 * Returns when the cycle that begins at `startMs` ends and the next one begins. Months are calendar months (UTC): the
 * day is that of `anchorMs`, the first billing time, or the last day of a shorter month (docs/choices.md, Billing
 * cycles). So a subscription of the 31st is billed on 28 February, and on 31 March.
 */
export function cycleEnd(startMs: number, { unit, count }: Interval, anchorMs: number): number {
  if (unit === 'Days') return startMs + count * DAY_MS;
  const start = new Date(startMs);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(new Date(anchorMs).getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (startMs % DAY_MS);
}

/** Returns the cycle that contains `nowMs`, at the earliest the one given; cycles in between are skipped. */
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

/** Rounds down to whole seconds, the precision of the API: what is due is due at the time that the API shows. */
export function floorToSecond(ms: number): number {
  return ms - (ms % 1000);
}
