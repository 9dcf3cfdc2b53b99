import type { Pace } from '../protocol/clock.ts';
import { median, medianBefore, spreadOf, type Round } from './measure.ts';
import type { Result } from './report.ts';
import { AT_ONCE, type Together } from './suite-tests.ts';

/** Of the sandbox that is forked. */
export const PAYMENTS = 200;

/** What is measured in one round at each server, milliseconds. */
export interface SuiteTimes {
  alone: number[];
  together: Together;
  calls: { first: number[]; second: number[] };
  forks: { fresh: number[]; forked: number[] };
}

/** What was measured at one pace, by row. */
export type SuiteRounds = { [What in keyof SuiteTimes]: Round<SuiteTimes[What], SuiteTimes[What]>[] };

const ALONE_SHARE_MAX = 1 / 6;
const TOGETHER_TIMES_MIN = 4;
const CPU_SHARE_MAX = 0.4;
const FIRST_CALL_RATIO_MAX = 1.5;
const FORK_RATIO_MAX = 2;

/**
 * Returns the rows of a pace.
 * @param real what was measured at a real pace, with which an instant one is compared
 */
export function rowsOf(rounds: SuiteRounds, pace: Pace, real?: SuiteRounds): Result[] {
  return [...testRows(rounds, pace, real), callRow(rounds.calls, pace), forkRow(rounds.forks, pace)];
}

const bareNote =
  'bare: a Node server that answers the same calls without a store, and sends the webhook at once';

const paceNotes = (pace: Pace): string[] =>
  pace === 'real'
    ? ['a further call lets the cardholder present the card at once; the reader takes its time']
    : [];

function testRows({ alone, together }: SuiteRounds, pace: Pace, real?: SuiteRounds): Result[] {
  const oneTest =
    'a test creates a sandbox, registers a webhook, takes an in-person payment from POST to captured, and deletes the sandbox';
  const perSecond = (value: Together) => value.perSecond;
  const cpuMs = (value: Together) => value.cpuMs;
  return [
    {
      name: `suite: one test alone, ${pace}`,
      unit: 'ms',
      ...figuresOf(alone, median),
      ...aimOf(
        'at most a sixth of before at a real pace',
        real && medianBefore(real.alone, median),
        (before) => median(alone.map(({ ours }) => median(ours))) <= ALONE_SHARE_MAX * before,
      ),
      details: [
        `${oneTest}; ${alone.length} rounds of ${alone[0]!.ours.length}`,
        ...paceNotes(pace),
        bareNote,
      ],
    },
    {
      name: `suite: eight tests at once, ${pace}`,
      unit: '/s',
      ...figuresOf(together, perSecond),
      ...aimOf(
        'at least four times before at a real pace',
        real && medianBefore(real.together, perSecond),
        (before) => median(together.map(({ ours }) => ours.perSecond)) >= TOGETHER_TIMES_MIN * before,
      ),
      details: [`${together.length} rounds, ${AT_ONCE} connections`, bareNote],
    },
    {
      name: `suite: CPU of the server for a test, ${pace}`,
      unit: 'ms',
      ...figuresOf(together, cpuMs),
      ...aimOf(
        'at most 0.4 of before at a real pace',
        real && medianBefore(real.together, cpuMs),
        (before) => median(together.map(({ ours }) => ours.cpuMs)) <= CPU_SHARE_MAX * before,
      ),
      details: ['of the tests that run eight at once, user and system time of the process', bareNote],
    },
  ];
}

function callRow(calls: SuiteRounds['calls'], pace: Pace): Result {
  const ratios = calls.map(({ ours }) => median(ours.first) / median(ours.second));
  return {
    name: `suite: first call after POST /sandboxes, ${pace}`,
    unit: 'ms',
    ...figuresOf(calls, ({ first }) => median(first)),
    aim: `at most ${FIRST_CALL_RATIO_MAX} times the second`,
    met: median(ratios) <= FIRST_CALL_RATIO_MAX,
    details: [
      `the second takes ${median(calls.map(({ ours }) => median(ours.second))).toFixed(2)} ms; first by second: ${median(ratios).toFixed(2)}${beforeRatio(calls, ({ first, second }) => median(first) / median(second))}`,
      'GET /v1/customers, an empty list',
      bareNote,
    ],
  };
}

function forkRow(forks: SuiteRounds['forks'], pace: Pace): Result {
  const ratios = forks.map(({ ours }) => median(ours.forked) / median(ours.fresh));
  return {
    name: `suite: a test in a fork, ${pace}`,
    unit: 'ms',
    ...figuresOf(forks, ({ forked }) => median(forked)),
    aim: `at most ${FORK_RATIO_MAX} times one in a new sandbox`,
    met: median(ratios) <= FORK_RATIO_MAX,
    details: [
      `of a sandbox with ${PAYMENTS} payments (20 in a quick run) and a webhook; a test in a new sandbox takes ${median(forks.map(({ ours }) => median(ours.fresh))).toFixed(2)} ms, fork by new: ${median(ratios).toFixed(2)}${beforeRatio(forks, ({ forked, fresh }) => median(forked) / median(fresh))}`,
      bareNote,
    ],
  };
}

function figuresOf<T>(rounds: readonly Round<T, T>[], figure: (value: T) => number) {
  return {
    ours: median(rounds.map(({ ours }) => figure(ours))),
    bare: median(rounds.map(({ bare }) => figure(bare))),
    before: medianBefore(rounds, figure),
    ratio: spreadOf(rounds.map(({ ours, bare }) => figure(ours) / figure(bare))),
  };
}

/** Returns the aim of an instant pace; whether it is met is known where another checkout was measured. */
function aimOf(aim: string, before: number | undefined, isMet: (before: number) => boolean) {
  return before === undefined ? { aim: null, met: null } : { aim, met: isMet(before) };
}

function beforeRatio<T>(rounds: readonly Round<T, T>[], ratio: (value: T) => number): string {
  const before = medianBefore(rounds, ratio);
  return before === undefined ? '' : `, before ${before.toFixed(2)}`;
}
