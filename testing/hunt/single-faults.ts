import { type Random, fraction } from '../../protocol/ids.ts';
import {
  CUT_POINTS,
  STRANGE_FAULTS,
  type CutPointName,
  type FaultAt,
} from '../../server/platform/faults/cut-points.ts';
import { keysOf } from '../../protocol/tables.ts';
import type { HuntedFault, IntegratorFault, Observed, OtherStops } from './hunted-fault.ts';
import { NO_STOPS, type StopCounts } from './integrator.ts';
import { isOutage, outagesOf } from './outages.ts';

// Short for a person, longer than a client waits, longer than an action at a terminal lasts.
export const DELAYS_MS = [1_000, 15_000, 120_000];
/** How long a process is down: longer than an attempt of an event waits, than a payment takes, and than all attempts last. */
export const DOWN_MS = [15_000, 120_000, 3_600_000];
/** On real time a longer one takes most of a hunt. */
const DOWN_MS_ON_REAL_TIME = DOWN_MS.slice(0, 2);
/** Two deliveries are at once however long the first of them has waited. */
const LONGEST_ONLY: readonly string[] = ['beside'];
/** Returns whether a fault lets things happen at once, however long it may wait for that. */
const isAtOnce = ({ what }: Pick<HuntedFault, 'what'>): boolean => LONGEST_ONLY.includes(what);
/** The one to begin with where few can be tried. */
export const TYPICAL_DELAY_MS = DELAYS_MS[1]!;
/** Returns whether a fault lasts as long as most do, where it may last longer. */
export function isAsLongAsMost(fault: HuntedFault): boolean {
  const { delayMs = TYPICAL_DELAY_MS } = fault.at === 'integrator' ? {} : fault;
  return delayMs === TYPICAL_DELAY_MS || isAtOnce(fault);
}
/** Occurrences of one kind of which a hunt strikes any; later ones are much the same. */
export const NTH_MAX = 5;
/** Writes of the integrator that are struck: each leaves something else on its disk. */
const WRITES_MAX = 20;
// Nobody is told of these, so the verdicts could only judge what the shop cannot know.
export const LEFT_OUT_MESSAGES = new Set([
  'message.report machine.described',
  'message.report machine.stepped',
]);

// They show in what an endpoint replies or a terminal does, and not in what a shop has taken: `tapbench certify` has them.
const LEFT_OUT_FAULTS: readonly string[] = [
  'unsigned',
  'altered-body',
  'spaced-body',
  'large-body',
  'unknown-type',
  ...keysOf(STRANGE_FAULTS),
] satisfies (FaultAt<'webhook.attempt'> | FaultAt<'message.command'>)[];

/** Returns whether hunts draw a fault of this name. */
export const isHunted = (what: string): boolean => !LEFT_OUT_FAULTS.includes(what);

/** Something that happens, of which the occurrences after the first `known` can be struck. */
export interface Place extends Observed {
  known: number;
}

/** Requests of the integrator after the first `known`, at which its process can be stopped. */
interface Requests {
  known: number;
  count: number;
  /** Whether the process is down in real time. */
  isOnRealTime: boolean;
}

/**
 * Returns the faults that can strike an occurrence of a place, each once, in groups: one for each place, where a request of an
 * operation and its reply are one, and, for the process of the integrator, one for each of its first requests.
 */
export function faultGroups(places: readonly Place[], requests: Requests): HuntedFault[][] {
  const groups = inGroups(places.filter(isTried), callOf).map((all) =>
    all.flatMap((place) => [...faultsAt(place), ...(place.known === 0 ? outagesAt(place) : [])]),
  );
  const stops = Array.from({ length: NTH_MAX }, (): HuntedFault[] => []);
  const spans = requests.isOnRealTime ? DOWN_MS_ON_REAL_TIME : DOWN_MS;
  for (const nth of numbers(requests))
    stops[(nth - 1) % NTH_MAX]!.push(
      stopAt('stop-before-request', nth),
      ...stopsAt('stop-before-reply', nth, spans),
    );
  return [...groups, ...stops].filter((group) => group.length > 0);
}

interface StopsWhere {
  /** What it had done before it was started again, at which it is not stopped. */
  before?: Readonly<StopCounts>;
  isOnRealTime?: boolean;
}

/**
 * Returns the stops of a process at the events that it acknowledges, in its waits and its writes, and at its requests where
 * these are counted: a group of each.
 * @param process its name; undefined for that of the scenario
 */
export function stopGroups(
  { request = 0, webhook, wait, write }: OtherStops & { request?: number },
  process?: string,
  { before = NO_STOPS, isOnRealTime = false }: StopsWhere = {},
): HuntedFault[][] {
  const spans = isOnRealTime ? DOWN_MS_ON_REAL_TIME : DOWN_MS;
  const first = (known: number, count: number, most: number) =>
    numbers({ known, count: Math.min(count, known + most) });
  const stopsOf = (what: IntegratorFault['what'], nths: readonly number[]): IntegratorFault[] =>
    nths.flatMap((nth) => stopsAt(what, nth, spans));
  const requests = first(before.request, request, NTH_MAX);
  const groups = [
    [...requests.map((nth) => stopAt('stop-before-request', nth)), ...stopsOf('stop-before-reply', requests)],
    stopsOf('stop-after-webhook', first(before.webhook, webhook, NTH_MAX)),
    stopsOf('stop-in-wait', first(before.wait, wait, NTH_MAX)),
    first(before.write, write, WRITES_MAX).flatMap((nth) => [
      stopAt('stop-in-write', nth),
      stopAt('stop-after-write', nth),
    ]),
  ];
  const named = groups.map((group) =>
    group.map((stop) => (process === undefined ? stop : { ...stop, process })),
  );
  return named.filter((group) => group.length > 0);
}

function stopAt(what: IntegratorFault['what'], nth: number): IntegratorFault {
  return { at: 'integrator', what, when: { nth } };
}

/** Returns stops of a process that starts again at once, and of one that is down for a while. */
function stopsAt(what: IntegratorFault['what'], nth: number, spans: readonly number[]): IntegratorFault[] {
  return [stopAt(what, nth), ...spans.map((downMs) => ({ ...stopAt(what, nth), downMs }))];
}

/** Returns the operation whose request or reply a place is, or else the place. */
function callOf(place: Place): unknown {
  return place.at.startsWith('api.') ? place.operation : place;
}

/** Returns whether faults strike a place. */
export function isTried({ at, message }: Observed): boolean {
  return !LEFT_OUT_MESSAGES.has(`${at} ${message}`);
}

function faultsAt({ at, count, known, ...filter }: Place): HuntedFault[] {
  const { faults, lasting }: { faults: object; lasting: readonly string[] } = CUT_POINTS[at];
  // Each commit is another step of the server.
  const last = at === 'server.commit' ? count : Math.min(count, Math.max(NTH_MAX, known + 1));
  return numbers({ known, count: last }).flatMap((nth) =>
    Object.keys(faults).flatMap((what): HuntedFault[] => {
      if (!isHunted(what)) return [];
      const when = { ...filter, nth };
      if (!lasting.includes(what)) return [{ at, what, when }];
      const delays = LONGEST_ONLY.includes(what) ? DELAYS_MS.slice(-1) : DELAYS_MS;
      return delays.map((delayMs) => ({ at, what, delayMs, when }));
    }),
  );
}

function outagesAt({ known: _known, ...observed }: Place): HuntedFault[] {
  return outagesOf(observed);
}

function numbers({ known, count }: { known: number; count: number }): number[] {
  return Array.from({ length: Math.max(0, count - known) }, (_, index) => known + 1 + index);
}

/** Kinds of faults of which a shop sees much the same: one that stands one of them is likely to stand the others. */
const ALIKE: readonly (readonly string[])[] = [
  ['reset', 'rate-limited', 'unavailable', 'no-reply'],
  ['lost', 'network-down', 'broker-away', 'dropped', 'wrong-secret', 'cut-body'],
  ['delay', 'out-of-order', 'beside', 'slow-body'],
  ['twice', 'twice-at-once'],
] satisfies { [At in CutPointName]: FaultAt<At> }[CutPointName][][];

/**
 * Returns the faults of all groups in an order of chance, in which each group has its turn, within a group each family of kinds
 * that are alike, and within a family each kind: a place where much happens does not put off the others, nor do faults that do
 * much the same.
 */
export function mixed(groups: readonly HuntedFault[][], random: Random): HuntedFault[] {
  const byFamily = groups.map((group) => {
    const families = inGroups(group, familyOf).map((family) =>
      inTurn(shuffled(inGroups(family, kindOf), random), random),
    );
    return inTurn(shuffled(families, random));
  });
  return inTurn(shuffled(byFamily, random));
}

function familyOf(fault: HuntedFault): unknown {
  const alike = isOutage(fault) ? undefined : ALIKE.find((kinds) => kinds.includes(fault.what));
  return alike ?? kindOf(fault);
}

/** Returns what a fault does and where; outages are one kind. */
function kindOf(fault: HuntedFault): string {
  return isOutage(fault) ? 'outage' : `${fault.at} ${fault.what}`;
}

function inGroups<T>(list: readonly T[], keyOf: (item: T) => unknown): T[][] {
  const groups = new Map(list.map((item) => [keyOf(item), new Array<T>()]));
  for (const item of list) groups.get(keyOf(item))!.push(item);
  return [...groups.values()];
}

/** Returns the first of each list, then the second of each, and so on; each list is shuffled first when `random` is given. */
export function inTurn<T>(lists: readonly (readonly T[])[], random?: Random): T[] {
  const ordered = random ? lists.map((list) => shuffled(list, random)) : lists;
  const longest = Math.max(0, ...ordered.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => index).flatMap((index) =>
    ordered.flatMap((list) => list.slice(index, index + 1)),
  );
}

/** Draws a fault: each group is as likely as another, and in it each kind of fault. */
export function chosen(groups: readonly HuntedFault[][], random: Random): HuntedFault {
  return oneOf(oneOf(inGroups(oneOf(groups, random), kindOf), random), random);
}

function oneOf<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(fraction(random) * list.length)]!;
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const keyed = list.map((item) => ({ item, key: fraction(random) }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}
