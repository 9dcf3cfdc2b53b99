import type { Lane, TimelineEntry } from '../../view.ts';

export type StepEntry = TimelineEntry & { step: NonNullable<TimelineEntry['step']> };

/** Returns the entries of an action and those without one; all entries when `actionId` is null. */
export function entriesOf(
  entries: readonly TimelineEntry[],
  actionId: string | null,
): readonly TimelineEntry[] {
  if (actionId === null) return entries;
  return entries.filter((entry) => entry.actionId === actionId || entry.actionId === null);
}

/** Returns the ids of the machines with steps in these entries, in the order of their first step. */
export function machinesOf(entries: readonly TimelineEntry[]): string[] {
  return [...new Set(entries.flatMap(({ step }) => step?.machineId ?? []))];
}

/** Returns the steps of a machine up to an entry; all of them when `upTo` is null. */
export function stepsOf(
  entries: readonly TimelineEntry[],
  machineId: string | null,
  upTo: number | null = null,
): StepEntry[] {
  return entries.filter(
    (entry): entry is StepEntry =>
      entry.step?.machineId === machineId && entry.step !== undefined && (upTo === null || entry.seq <= upTo),
  );
}

/**
 * Returns the paths of the states in which a fault struck the terminal.
 * @param entries those up to the moment shown
 * @param steps those of one machine; the terminal's have no object
 */
export function struckStates(
  entries: readonly TimelineEntry[],
  steps: readonly StepEntry[],
): ReadonlySet<string> {
  // A step of a machine of the server is of an object.
  const entered = new Set(steps.filter(({ objectId }) => objectId === null).map(({ step }) => step.state));
  const struck = entries.flatMap(({ fault }) => (fault?.at === 'terminal.state' ? [fault.subject] : []));
  return new Set(struck.filter((state) => entered.has(state)));
}

/**
 * Returns the sequence number of the step before or after the one shown; null for the current state.
 * @param shown sequence number of the entry shown; null for the current state
 */
export function stepFrom(steps: readonly StepEntry[], shown: number | null, by: -1 | 1): number | null {
  const last = steps.length - 1;
  const at = shown === null ? last : steps.findLastIndex(({ seq }) => seq <= shown);
  const to = Math.max(0, at + by);
  if (last < 0 || to >= last) return to > last || by > 0 || last < 0 ? null : steps[last]!.seq;
  return steps[to]!.seq;
}

export const LANES: readonly { id: Lane; label: string; about: string }[] = [
  { id: 'api', label: 'API', about: 'requests and responses' },
  { id: 'wire', label: 'Wire', about: 'MQTT messages and frames on the serial line' },
  { id: 'machine', label: 'Machine', about: 'state changes' },
  { id: 'events', label: 'Events', about: 'events and webhook deliveries' },
];
