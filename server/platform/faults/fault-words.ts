import { CUT_POINTS, effectOf } from './cut-points.ts';
import { DEFAULT_DELAY_MS, type Filter } from './fault-members.ts';
import type { PlannedFault } from './fault-plan.schema.ts';
import { keysOf } from '../../../protocol/tables.ts';

/** A fault of a plan in words. */
interface FaultWords {
  /** Where it strikes. */
  where: string;
  /** Which occurrences it strikes. */
  which: string;
  /** What happens. */
  what: string;
}

const FILTER_WORDS: Record<Filter, string> = {
  operation: '',
  message: 'message ',
  state: 'state ',
  effect: 'effect ',
  eventType: 'event ',
  id: 'of ',
  untilAttempt: 'before attempt ',
};

/** Returns a fault in words, for people. */
export function faultWords({ at, what, when = {}, delayMs = DEFAULT_DELAY_MS }: PlannedFault): FaultWords {
  const { title } = CUT_POINTS[at];
  const filters = keysOf(FILTER_WORDS)
    .filter((name) => when[name] !== undefined)
    .map((name) => FILTER_WORDS[name] + when[name]);
  return {
    where: title,
    which: [...filters, numbers(when)].join(', '),
    what: effectOf(at, what).replaceAll('`delayMs`', seconds(delayMs)).replaceAll('`', ''),
  };
}

/** Returns a fault in one line, for people. */
export function faultLine(fault: PlannedFault): string {
  const { where, which, what } = faultWords(fault);
  return `${where}: ${which}. ${what}`;
}

function numbers({ nth = 1, times, forMs, percent = 100 }: NonNullable<PlannedFault['when']>): string {
  if (percent < 100 || forMs !== undefined) {
    const from = nth > 1 ? ` from the ${ordinal(nth)} on` : '';
    const chance = percent < 100 ? ` with a chance of ${percent} %` : '';
    const during = forMs === undefined ? '' : ` for ${span(forMs)}`;
    return [`each${from}${chance}${during}`, ...limits(times, forMs)].join(', ');
  }
  return numbersOf(nth, times);
}

function limits(times: number | undefined, forMs: number | undefined): string[] {
  if (times === undefined && forMs !== undefined) return [];
  return [times === undefined || times === 1 ? 'once' : `${counted(times)} times at most`];
}

function numbersOf(nth: number, times = 1): string {
  if (times === 1) return `the ${ordinal(nth)} one`;
  return nth === 1 ? `the first ${counted(times)}` : `the ${ordinal(nth)} to the ${ordinal(nth + times - 1)}`;
}

function ordinal(number: number): string {
  if (number === 1) return 'first';
  const last = number % 100;
  const ending = last >= 11 && last <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return counted(number) + ending;
}

function counted(number: number): string {
  return number.toLocaleString('en');
}

/** Returns a time in the largest unit of which it is a whole number. */
export function span(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : seconds(ms);
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${ms / 1_000} s`;
}
