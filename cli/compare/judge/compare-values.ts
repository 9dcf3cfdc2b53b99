import type { ScenarioRun, Observation } from '../run-scenario.ts';
import type { DifferenceKind } from './difference.ts';
import type { Pairs } from './pairs.ts';
import { idFormOf, isCode, isDate, isIdLike, isOpaque, isUrl } from './text-forms.ts';

/** One reply of a scenario, at one server. */
export interface Moment {
  run: Pick<ScenarioRun, 'unique' | 'startTimestamp'>;
  observation: Pick<Observation, 'reply' | 'atTimestamp'>;
  /** All texts that the scenario has sent so far. */
  sent: ReadonlySet<string>;
}

export interface ValueContext {
  here: Moment;
  there: Moment;
  pairs: Pairs;
  /** The texts of the scenarios so far that no other run has. */
  uniques: { here: readonly string[]; there: readonly string[] };
}

/** Servers differ in their clocks, and in how long they take. */
const TOLERANCE_SECONDS = 60;
const DAY = 86_400;

/** Members whose text is of the account that makes the calls, and so of no meaning for others. */
const OF_THE_ACCOUNT = new Set([
  'descriptor',
  'city',
  'name',
  'email',
  'tradingName',
  'bankName',
  'serialNumber',
]);

/**
 * Returns in what two texts differ; undefined where the other server may well have another. Ids, secrets and addresses
 * need the same form, and an id that comes again must be the same one again. What the scenario sent must come back. Dates
 * are equal but around midnight. One word, such as a status, must be the same; a sentence may be another.
 */
export function differenceOfTexts(
  here: string,
  there: string,
  member: string,
  { pairs, uniques, ...moments }: ValueContext,
): DifferenceKind | undefined {
  if (isIdLike(here) || idFormOf(there) !== undefined) {
    if (idFormOf(here) !== idFormOf(there)) return 'form';
    return pairs.join(here, there) ? undefined : 'identity';
  }
  if (here === there || shared(here, uniques.here) === shared(there, uniques.there)) return undefined;
  const [sentHere, sentThere] = [moments.here.sent, moments.there.sent];
  // Such as the name of a terminal, which a scenario has read and sends back.
  if (sentHere.has(here) && sentThere.has(there) && !sentThere.has(here)) return undefined;
  if (sentHere.has(here) || sentThere.has(there)) return 'value';
  if (isUrl(here) || isUrl(there)) return isUrl(here) && isUrl(there) ? undefined : 'form';
  if (isDate(here)) return isDate(there) ? differenceOfDates(here, there, moments) : 'form';
  if (isOpaque(here)) return isOpaque(there) ? undefined : 'form';
  if (OF_THE_ACCOUNT.has(member)) return undefined;
  if (isCode(here) || isCode(there) || there === '') return 'value';
  return undefined;
}

const shared = (text: string, uniques: readonly string[]) =>
  uniques.reduce((left, unique) => left.replaceAll(unique, '<unique>'), text);

function differenceOfDates(
  here: string,
  there: string,
  { here: moment }: Pick<ValueContext, 'here'>,
): DifferenceKind | undefined {
  const days = Math.abs(Date.parse(here) - Date.parse(there)) / (DAY * 1000);
  const second = moment.observation.atTimestamp % DAY;
  const isMidnight = Math.min(second, DAY - second) < 10 * TOLERANCE_SECONDS;
  return days <= (isMidnight ? 1 : 0) ? undefined : 'value';
}

/** Returns the time of a reply by the clock of its server. */
function serverTimeOf({ observation: { reply, atTimestamp } }: Moment): number {
  return reply.serverTime ?? atTimestamp;
}

/**
 * Returns in what two timestamps differ; undefined when both are as far from now, by the clock of their server, or both
 * from before the scenario. A time that was compared before counts as the same when it comes again.
 */
export function differenceOfTimes(
  here: number,
  there: number,
  { here: ours, there: theirs, pairs }: ValueContext,
): DifferenceKind | undefined {
  if (!Number.isInteger(there)) return 'form';
  // Not the digits alone, which an id may have too.
  const [name, other] = [`time ${here}`, `time ${there}`];
  if (pairs.thereOf(name) === other) return undefined;
  const [fromNow, otherFromNow] = [here - serverTimeOf(ours), there - serverTimeOf(theirs)];
  const isOld = (moment: Moment, time: number) =>
    time < serverTimeOf(moment) - (moment.observation.atTimestamp - moment.run.startTimestamp);
  if (isOld(ours, here) && isOld(theirs, there)) return undefined;
  const taken = [ours, theirs].map(({ run, observation }) => observation.atTimestamp - run.startTimestamp);
  const tolerance = TOLERANCE_SECONDS + Math.max(...taken);
  if (Math.abs(fromNow - otherFromNow) > tolerance) return 'time';
  pairs.join(name, other);
  return undefined;
}
