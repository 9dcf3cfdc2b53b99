import { isKeyOf, keysOf } from '../../protocol/tables.ts';
import type { Server } from '../../server/app.ts';
import { faultLine, span } from '../../server/platform/faults/fault-words.ts';
import type { PlannedFault } from '../../server/platform/faults/fault-plan.schema.ts';
import type { Occurrence } from '../../server/platform/faults/fault-rule.ts';
import { isSpared } from './spared-reads.ts';

/** A fault that a hunt tries: one of the server, or a stop of the integrator's process. */
export type HuntedFault = PlannedFault | IntegratorFault;

/** The process of the integrator stops at its nth request, event, wait or write, and starts again. */
export interface IntegratorFault {
  at: 'integrator';
  what:
    | 'stop-before-request'
    | 'stop-before-reply'
    | 'stop-after-webhook'
    | 'stop-in-wait'
    | 'stop-in-write'
    | 'stop-after-write';
  when: { nth: number };
  /** Name of a process beside the scenario; by default it is that of the scenario. */
  process?: string;
  /** Time of the sandbox until it starts again, in which its endpoints refuse connections; at once by default. */
  downMs?: number;
}

/** What the integrator's process does, at which it can be stopped. */
export type StopPoint = 'request' | 'webhook' | 'wait' | 'write';

/** How often it did so, besides requests. */
export type OtherStops = Readonly<Record<Exclude<StopPoint, 'request'>, number>>;

const STOPS: Record<IntegratorFault['what'], { at: StopPoint; text: string }> = {
  'stop-before-request': { at: 'request', text: 'The process is killed before it is handled' },
  'stop-before-reply': { at: 'request', text: 'The process is killed before it hears the reply' },
  'stop-after-webhook': { at: 'webhook', text: 'The process is killed once it has acknowledged it' },
  'stop-in-wait': { at: 'wait', text: 'The process is killed at its end' },
  'stop-in-write': { at: 'write', text: 'The process is killed before it is on the disk' },
  'stop-after-write': { at: 'write', text: 'The process is killed once it is on the disk' },
};

export const STOP_NAMES = keysOf(STOPS);

/** Returns at what the process stops. */
export function stopPointOf({ what }: Pick<IntegratorFault, 'what'>): StopPoint {
  return STOPS[what].at;
}

/** Returns what a fault of a hunt strikes and what it does, in words. */
export function describeFault(fault: HuntedFault): string {
  if (fault.at !== 'integrator') return faultLine(fault);
  const { at, text } = STOPS[fault.what];
  const process = fault.process === undefined ? "the integrator's process" : `the process ${fault.process}`;
  const point = `${at[0]!.toUpperCase()}${at.slice(1)} ${fault.when.nth} of ${process}`;
  return `${point}: ${text}, and started again${afterDown(fault, ' after ')}.`;
}

/**
 * Returns what a fault strikes that stops the integrator's process, for the recordings.
 * @param name of the event that was acknowledged, or of the key that was written; undefined at another point
 */
export function stopSubject(fault: IntegratorFault, name?: string): string {
  const named = name === undefined ? '' : ` (${name})`;
  const of = fault.process === undefined ? '' : ` of ${fault.process}`;
  return `${stopPointOf(fault)} ${fault.when.nth}${of}${named}${afterDown(fault, ', down for ')}`;
}

/** Returns what a fault does that stops the integrator's process, in words. */
export function describeStop(what: string): string {
  return isKeyOf(STOPS, what) ? `${STOPS[what].text}, and started again.` : what;
}

function afterDown({ downMs = 0 }: IntegratorFault, words: string): string {
  return downMs > 0 ? words + span(downMs) : '';
}

/** Something that happens in a scenario without faults, where one could strike, and how often it happens. */
export interface Observed extends Omit<Occurrence, 'ids'> {
  count: number;
}

/**
 * Watches where faults could strike, besides those that do. Returns what happened so far, in the order in which each
 * happened first.
 * @param onOccurrence called with each; its count is that of those so far
 */
export function observeOccurrences(
  watchServers: (watch: (server: Pick<Server, 'services'>) => void) => void,
  onOccurrence: (occurrence: Observed) => unknown = () => {},
): () => Observed[] {
  const seen = new Map<string, Observed>();
  watchServers(({ services: { faults } }) => {
    if (!faults) return;
    const { strike } = faults;
    faults.awaits = () => true;
    faults.strike = (struck, requestId) => {
      if (isSpared()) return undefined;
      const { ids: _ids, attempt: _attempt, ...occurrence } = struck;
      const key = JSON.stringify(occurrence);
      const known = seen.get(key) ?? { ...occurrence, count: 0 };
      known.count += 1;
      seen.set(key, known);
      onOccurrence(known);
      return strike(struck, requestId);
    };
  });
  return () => [...seen.values()].map((each) => ({ ...each }));
}

/** Returns what happened, without how often. */
export function nameOf({ count: _count, ...occurrence }: Observed): string {
  return JSON.stringify(occurrence);
}

/** Places that a shop sees: what it sends and hears, what its bank and its customer decide, and its own process. */
const SEEN_BY_SHOP = /^(api\.|webhook\.|bank\.|cardholder\.|integrator$)/;

export function isSeenByShop({ at }: Pick<HuntedFault, 'at'>): boolean {
  return SEEN_BY_SHOP.test(at);
}

/** Returns where a fault strikes, without what it does there, its number, how often and how long. */
export function placeOf(fault: HuntedFault): string {
  if (fault.at === 'integrator') return `${fault.at} ${fault.process ?? ''} ${fault.what}`;
  const { nth: _nth, times: _times, forMs: _forMs, percent: _percent, ...filter } = fault.when ?? {};
  return JSON.stringify([fault.at, filter]);
}
