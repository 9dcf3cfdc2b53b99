import type { Lane, TimelineEntry } from '../../view.ts';

export type StepEntry = TimelineEntry & { step: NonNullable<TimelineEntry['step']> };

/** The entries of one action, and those that belong to none: all of them when none is named. */
export function entriesOf(
  entries: readonly TimelineEntry[],
  actionId: string | null,
): readonly TimelineEntry[] {
  if (actionId === null) return entries;
  return entries.filter((entry) => entry.actionId === actionId || entry.actionId === null);
}

/** The machines that stepped in these entries, in the order in which they first did. */
export function machinesOf(entries: readonly TimelineEntry[]): string[] {
  return [...new Set(entries.flatMap(({ step }) => step?.machineId ?? []))];
}

/** The steps of a machine up to an entry; all of them without one. */
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
 * The step before or after the one that is shown.
 * @param shown sequence number of the entry shown; null for how things stand now
 * @returns its sequence number, or null for how things stand now
 */
export function stepFrom(steps: readonly StepEntry[], shown: number | null, by: -1 | 1): number | null {
  const last = steps.length - 1;
  const at = shown === null ? last : steps.findLastIndex(({ seq }) => seq <= shown);
  const to = Math.max(0, at + by);
  if (last < 0 || to >= last) return to > last || by > 0 || last < 0 ? null : steps[last]!.seq;
  return steps[to]!.seq;
}

export const LANES: readonly { id: Lane; label: string; about: string }[] = [
  { id: 'api', label: 'API', about: 'requests and their answers' },
  { id: 'wire', label: 'Wire', about: 'MQTT messages, and the bytes of a serial line' },
  { id: 'machine', label: 'Machine', about: 'steps of the machines' },
  { id: 'events', label: 'Events', about: 'events, and attempts to deliver them' },
];
