import type { CutPointName } from '../../../server/platform/faults/cut-points.ts';
import type { PlannedFault } from '../../../server/platform/faults/fault-plan.schema.ts';
import { stopPointOf, type HuntedFault, type Observed } from '../hunted-fault.ts';
import type { Trial } from '../trial.ts';

/** What of an occurrence names it. */
export const NAMES = ['operation', 'message', 'state', 'effect', 'eventType'] as const;
type Names = Partial<Record<(typeof NAMES)[number], string>>;

/** Something that happens in a hunt, from which occurrences without names are counted. */
export interface Beginning extends Names {
  /** `integrator` is a request of its process. */
  at: CutPointName | 'integrator';
  /** Its number among those of the same names, from 1. */
  nth: number;
}

/**
 * A fault that means the same where more happens before it: one whose number counts all that happens at a place has a
 * beginning, from which on it counts.
 */
export type ExampleFault = HuntedFault & { after?: Beginning };
export type ExamplePlan = readonly ExampleFault[];

/** What happens in a run, in its order. */
export interface Run {
  order: NonNullable<Trial['order']>;
  /** Operations of the requests of the integrator, those of the scenario's process. */
  requests: readonly string[];
}

export function runOf({ order = [], story }: Pick<Trial, 'order' | 'story'>): Run {
  const requests = story().flatMap(({ who, kind, process, isEnd }) =>
    who === 'shop' && process === undefined && !isEnd ? [kind] : [],
  );
  return { order, requests };
}

/** Returns a plan that was tried in such a way that it means the same where more happens. */
export function exampleOf(plan: readonly HuntedFault[], run: Run): ExampleFault[] {
  const placed = plan.map((fault) => placedFault(fault, run));
  // What comes first is found first.
  return placed.toSorted((a, b) => a.index - b.index).map(({ fault }) => fault);
}

function placedFault(fault: HuntedFault, { order, requests }: Run): { fault: ExampleFault; index: number } {
  const asIs = { fault, index: -1 };
  if (fault.at === 'integrator') {
    // Its events, waits and writes are as many whatever else it reads.
    if (stopPointOf(fault) !== 'request' || fault.process !== undefined) return asIs;
    const { nth } = fault.when;
    const operation = requests[nth - 1];
    if (operation === undefined) return asIs;
    const same = requests.slice(0, nth).filter((each) => each === operation).length;
    const after: Beginning = { at: 'integrator', operation, nth: same };
    return { fault: { ...fault, when: { ...fault.when, nth: 1 }, after }, index: order.length };
  }
  const { nth = 1 } = fault.when ?? {};
  if (!countsAll(fault)) return asIs;
  const struck = indexOfNth(order, nth, ({ place }) => place.at === fault.at);
  const index = beginningBefore(struck, order);
  if (struck < 0 || index < 0) return asIs;
  const beginning = order[index]!;
  const { count: _count, ...place } = beginning.place;
  const counted = order.slice(index, struck + 1).filter((each) => each.place.at === fault.at).length;
  const after: Beginning = { ...place, nth: beginning.nth };
  return { fault: { ...fault, when: { ...fault.when, nth: counted }, after }, index };
}

/**
 * Returns the plan that an example means; undefined when it no longer fits, since what it begins with does not happen.
 * @param runUnder returns what happens under a plan; undefined where that cannot be found out
 */
export async function planOf(
  example: ExamplePlan,
  runUnder: (plan: HuntedFault[]) => Promise<Run | undefined>,
): Promise<HuntedFault[] | undefined> {
  const plan = example.flatMap(({ after, ...fault }) => (after ? [] : [fault]));
  for (const { after, ...fault } of example) {
    if (!after) continue;
    // Until a fault strikes, what happens is the same as where it never does. Without any plan the server commits other work.
    const run = await runUnder([...plan, withNumber(fault, NEVER)]);
    const nth = run && numberOf(fault, after, run);
    if (nth === undefined) return undefined;
    plan.push(withNumber(fault, nth));
  }
  return plan;
}

/** Returns the index of the last thing with a name; where there is one, no read: how often a shop reads says little. */
function beginningBefore(struck: number, order: Run['order']): number {
  const isRead = ({ operation = '' }: Names) => operation.startsWith('GET ');
  const write = order.findLastIndex(({ place }, at) => at <= struck && isNamed(place) && !isRead(place));
  return write < 0 ? order.findLastIndex(({ place }, at) => at <= struck && isNamed(place)) : write;
}

/** A number that nothing has. */
const NEVER = 1_000_000;

function withNumber(fault: HuntedFault, nth: number): HuntedFault {
  if (fault.at === 'integrator') return { ...fault, when: { ...fault.when, nth } };
  return { ...fault, when: { ...fault.when, nth } };
}

function numberOf(fault: HuntedFault, after: Beginning, { order, requests }: Run): number | undefined {
  const { nth = 1 } = fault.when ?? {};
  if (after.at === 'integrator') {
    const index = indexOfNth(requests, after.nth, (operation) => operation === after.operation);
    return index < 0 ? undefined : index + nth;
  }
  const index = order.findIndex(
    ({ place, nth: number }) =>
      place.at === after.at && number === after.nth && NAMES.every((name) => place[name] === after[name]),
  );
  if (index < 0) return undefined;
  return order.slice(0, index).filter(({ place }) => place.at === fault.at).length + nth;
}

/** Returns whether the number of a fault counts all that happens at its place. */
function countsAll({ when = {} }: PlannedFault): boolean {
  return !isNamed(when);
}

function isNamed(named: Names | Observed): boolean {
  return NAMES.some((name) => named[name] !== undefined);
}

/** Returns the index of the nth that is one of these; -1 for none. */
function indexOfNth<T>(all: readonly T[], nth: number, isOne: (one: T) => boolean): number {
  let seen = 0;
  return all.findIndex((one) => isOne(one) && (seen += 1) === nth);
}
