import { fraction, seededRandom } from '../../../protocol/ids.ts';
import { findCardNumbers } from '../card-numbers.ts';
import { openLineBench, PATIENCE_MS, SETTLE_MS, STORIES, type Told } from './line-bench.ts';
import type { MutationPlan } from './mutated-line.ts';
import type { LineLanguage } from './languages.ts';
import { MUTATIONS, type Direction } from './mutations.ts';

/** What a driver or a twin says that has failed by a mistake of its own, which both catch. */
const MISTAKE =
  /"msg":"the (?:terminal|till) failed"|(?:Type|Range|Reference|Syntax)Error|Cannot read propert|is not (?:a function|iterable)|Maximum call stack/;

interface MutatedPayment {
  /** Rules that did not hold; none when all did. */
  broken: string[];
  told: Told;
  /** What was done to which message, for a failing test. */
  plan: MutationPlan | undefined;
  counts: Record<Direction, number>;
  /** Messages that did not arrive as they were sent, or when. */
  struck: number;
  /** Log, trace, events and the timeline of the terminal. */
  shown: string;
}

/**
 * Takes a payment over a line that mutates messages, then one over a right line at the same terminal.
 * @param plan none for a right line throughout
 */
export async function payOverMutatedLine(
  language: LineLanguage,
  seed: string,
  plan: MutationPlan | undefined,
): Promise<MutatedPayment> {
  const random = seededRandom(`${language.name} ${seed}`);
  const below = (count: number) => Math.floor(fraction(random) * count);
  const bench = await openLineBench(language, seed, plan);
  const { reader, tray, line, clock } = bench;
  const broken: string[] = [];
  const check = (holds: boolean, rule: string) => void (holds || broken.push(rule));
  const rejected: unknown[] = [];
  const onRejected = (reason: unknown) => void rejected.push(reason);
  process.on('unhandledRejection', onRejected);
  try {
    const story = plan ? STORIES[below(STORIES.length)]! : 'pays';
    const amountMinor = 1_000 + below(900);
    const told = await bench.pay({ amountMinor, story, number: 1 });
    check(told !== 'nothing', `the driver has said nothing after ${PATIENCE_MS / 1_000} s`);
    reader.end();
    tray.remove();
    await clock.advance(SETTLE_MS);
    // Nobody can tell a message from another that is as right.
    const first = { told, amountMinor, mayBeWrong: line.forged, mayBeOther: line.alteredUnchecked };
    broken.push(...brokenByFirst(bench, first));
    // A plan for messages of the next payment would strike nothing.
    const counts = { ...line.counts };
    line.stop();
    await bench.reset();
    broken.push(...(await brokenByNext(bench, first)));
    await bench.close();
    check(clock.due.length === 0, `${clock.due.length} timers are left`);
    check(rejected.length === 0, `unhandled: ${String(rejected[0])}`);
    const output = bench.output();
    const failure = MISTAKE.exec(output)?.[0];
    check(failure === undefined, `something is thrown that nobody expected: ${failure}`);
    const cards = findCardNumbers(output);
    check(cards.length === 0, `the output has card numbers: ${cards.join(', ')}`);
    const shown = `${output}\n${bench.timeline()}`;
    return { broken, told, plan, counts, struck: line.struck, shown };
  } finally {
    process.off('unhandledRejection', onRejected);
  }
}

type Bench = Awaited<ReturnType<typeof openLineBench>>;

/** The payment over the mutated line, and what was told of it. */
interface FirstPayment {
  told: Told;
  amountMinor: number;
  /** Whether a message was delivered that is right and says another thing. */
  mayBeWrong: boolean;
  /** Whether a request of a language without check bytes may have arrived with another amount, which the answer shows. */
  mayBeOther: boolean;
}

/** Returns the rules that do not hold once all is done that can be done over the mutated line. */
function brokenByFirst(
  { takenMinor, reversals }: Bench,
  { told, amountMinor, mayBeWrong, mayBeOther }: FirstPayment,
): string[] {
  const taken = takenMinor();
  const broken: string[] = [];
  if (mayBeWrong) return broken;
  if (told === 'paid' && taken !== amountMinor) broken.push(`it is told as paid, and ${taken} are taken`);
  if (told === 'not paid' && taken !== 0) broken.push(`it is told as not paid, and ${taken} are taken`);
  const isOther = taken !== 0 && taken !== amountMinor;
  if (isOther && !(told === 'unknown' && mayBeOther))
    broken.push(`of ${amountMinor} there are ${taken} taken`);
  const isLeftToPerson = reversals.some(({ outcome }) => outcome === 'NotReversed');
  if (told === 'unknown' && taken !== 0 && !isLeftToPerson)
    broken.push(`its outcome is told as unknown, ${taken} are taken, and nobody hears of it`);
  return broken;
}

const NEXT_MINOR = 777;

/** Takes a payment over the line, which is right now. Returns the rules that do not hold. */
async function brokenByNext(bench: Bench, first: FirstPayment): Promise<string[]> {
  const broken: string[] = [];
  const next = { amountMinor: NEXT_MINOR, story: 'pays' } as const;
  let again = await bench.pay({ ...next, number: 2 });
  if (bench.isBusyWithEarlier()) {
    // A till that still asks what came of the first payment says so, and charges nothing: a second one beside it could be
    // the same sale. On the right line it has the answer within a minute.
    await bench.clock.advance(60_000);
    again = await bench.pay({ ...next, number: 3 });
  }
  if (again !== 'paid') broken.push(`the next payment over a right line is ${again}`);
  const takenOfNext = bench.takenMinor(NEXT_MINOR);
  if (takenOfNext !== NEXT_MINOR) broken.push(`of the next payment ${takenOfNext} of 777 are taken`);
  // Over the right line what is still to be reversed of the first payment is reversed, and nothing else.
  const left = bench.takenMinor() - takenOfNext;
  const { told, amountMinor, mayBeWrong } = first;
  if (told === 'paid' && !mayBeWrong && left !== amountMinor)
    broken.push(`the first payment is told as paid, and ${left} are left of it after the next one`);
  if (told === 'not paid' && !mayBeWrong && left !== 0)
    broken.push(`the first payment is told as not paid, and ${left} are left of it after the next one`);
  return broken;
}

/** Chooses what is done to which messages of an exchange with this many. */
export function planOf(seed: string, direction: Direction, messages: number): MutationPlan {
  const random = seededRandom(`plan ${direction} ${seed}`);
  const below = (count: number) => Math.floor(fraction(random) * count);
  const first = below(messages);
  // Now and then all from there on.
  const isAll = below(8) === 0;
  const mutation = MUTATIONS[below(MUTATIONS.length)]!;
  // A flood at each message of a till that asks again for half an hour would take a minute.
  const most = mutation === 'oversized' ? 20 : 200;
  const places = Array.from({ length: isAll ? most : 1 }, (_, index) => first + index);
  return { direction, places, mutation };
}
