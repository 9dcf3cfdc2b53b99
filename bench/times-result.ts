import { median, medianBefore, percentile, spreadOf, type Round } from './measure.ts';
import type { Result } from './report.ts';

interface TimesRow {
  name: string;
  /** The aim for the median of ours, milliseconds. */
  aimMs: number;
  /** Of each round, milliseconds. */
  taken: Round<number[], number[]>[];
  /** A high percentile to show, from 0 to 1. */
  tail: number;
  details: string[];
}

/** Returns the row of a benchmark that takes the time of one thing at a time, in rounds. */
export function timesResult({ name, aimMs, taken, tail, details }: TimesRow): Result {
  const [ours, bare] = [taken.flatMap((round) => round.ours), taken.flatMap((round) => round.bare)];
  const tailOf = (times: number[]) => `${percentile(times, tail).toFixed(2)} ms`;
  return {
    name,
    unit: 'ms',
    ours: median(ours),
    bare: median(bare),
    before: medianBefore(taken, median),
    ratio: spreadOf(taken.map((round) => median(round.ours) / median(round.bare))),
    aim: `under ${aimMs} ms`,
    met: median(ours) < aimMs,
    details: [
      `${taken.length} rounds of ${taken[0]!.ours.length}, one at a time; p${tail * 100} ${tailOf(ours)}, bare ${tailOf(bare)}`,
      ...details,
    ],
  };
}
