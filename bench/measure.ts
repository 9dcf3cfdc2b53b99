/** Median, minimum and maximum of values. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** Returns the percentile of `share` (0 to 1) by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]!;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

export interface Round<B, O> {
  bare: B;
  ours: O;
  /** Ours as another checkout has it, when one is compared. */
  before: O | undefined;
}

/** Returns the median of a figure of the other checkout, when one was measured. */
export function medianBefore<B, O>(
  taken: readonly Round<B, O>[],
  figureOf: (value: O) => number,
): number | undefined {
  const figures = taken.flatMap(({ before }) => (before === undefined ? [] : [figureOf(before)]));
  return figures.length === 0 ? undefined : median(figures);
}

// Far longer than a round takes.
const ROUND_MS_MAX = 60_000;

// On a slow machine fewer rounds are measured, but at least these.
const ALL_ROUNDS_MS_MAX = 22_000;
const ROUNDS_MIN = 3;

/**
 * Measures baseline and ours alternately, so that other load affects both; which one goes first alternates too. Drops
 * a first warm-up round. Returns at most `rounds`, fewer when they take long.
 * @param before measures another checkout, in the same rounds
 * @throws Error when a round times out.
 */
export async function alternate<B, O>(
  rounds: number,
  bare: () => Promise<B>,
  ours: () => Promise<O>,
  before?: () => Promise<O>,
): Promise<Round<B, O>[]> {
  const taken: Round<B, O>[] = [];
  const startNs = process.hrtime.bigint();
  for (let round = 0; round <= rounds; round += 1) {
    if (taken.length > ROUNDS_MIN && msSince(startNs) > ALL_ROUNDS_MS_MAX) break;
    const first = round % 2 === 0 ? await soon(bare()) : undefined;
    const mine = await soon(ours());
    const others = before && (await soon(before()));
    taken.push({ bare: first ?? (await soon(bare())), ours: mine, before: others });
  }
  return taken.slice(1);
}

function soon<T>(round: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLong = () => reject(new Error(`a round did not end within ${ROUND_MS_MAX / 1000} s`));
    const patience = setTimeout(tooLong, ROUND_MS_MAX);
    round.then(resolve, reject).finally(() => clearTimeout(patience));
  });
}

/** Returns the milliseconds since `startNs`, a value of process.hrtime.bigint(). */
export function msSince(startNs: bigint): number {
  return Number(process.hrtime.bigint() - startNs) / 1e6;
}

/** Runs `run` `count` times in sequence. Returns the durations, milliseconds. */
export async function timeEach(count: number, run: (index: number) => Promise<void>): Promise<number[]> {
  const durations: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startNs = process.hrtime.bigint();
    await run(index);
    durations.push(msSince(startNs));
  }
  return durations;
}

export function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
