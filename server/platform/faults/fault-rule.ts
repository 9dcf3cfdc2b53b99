import { createHash } from 'node:crypto';
import type { CutPointName } from './cut-points.ts';
import { TIMES_MAX, type TextFilter } from './fault-members.ts';
import type { PlannedFault } from './fault-plan.schema.ts';
import { entriesOf } from '../../../protocol/tables.ts';

/** How often one fault can kill the server, and all faults of a new plan together. */
export const KILLS_MAX = 100;

/** Something that happens where a fault can strike. */
export interface Occurrence extends Partial<Record<Exclude<TextFilter, 'id'>, string>> {
  at: CutPointName;
  /** Number of the attempt to deliver an event, from 1. */
  attempt?: number;
  /** Ids of the objects that it concerns. */
  ids: readonly string[];
}

/** How often what a fault asks for has happened, and how often it struck. */
export interface Count {
  seen: number;
  struck: number;
  /** Time of the sandbox at its first strike; undefined before. */
  sinceMs?: number | undefined;
}

/** Returns whether an occurrence is one that a fault asks for, whatever its number. */
export function isMeant({ at, when = {} }: PlannedFault, occurrence: Occurrence): boolean {
  if (at !== occurrence.at) return false;
  const { id, operation, message, state, effect, eventType, untilAttempt = Infinity } = when;
  if (id !== undefined && !occurrence.ids.includes(id)) return false;
  // A state within another is named by its path, `reading.card`, or by one part of it.
  if (state !== undefined && occurrence.state !== state && !occurrence.state?.split('.').includes(state))
    return false;
  if (occurrence.attempt !== undefined && occurrence.attempt >= untilAttempt) return false;
  const asked = { operation, message, effect, eventType };
  return entriesOf(asked).every(([name, value]) => value === undefined || value === occurrence[name]);
}

/** Returns whether a fault strikes the latest occurrence that it was counted for. */
export function strikesNow(fault: PlannedFault, count: Count, seed: string, nowMs: number): boolean {
  const { nth = 1, percent = 100 } = fault.when ?? {};
  const { seen } = count;
  return (
    seen >= nth && canStrike(fault, count, nowMs) && (percent === 100 || isChosen(`${seed} ${seen}`, percent))
  );
}

/** Returns whether a fault can strike again. */
export function canStrike(
  fault: PlannedFault,
  { struck, sinceMs = Infinity }: Count,
  nowMs: number,
): boolean {
  const { forMs = Infinity } = fault.when ?? {};
  return struck < timesOf(fault) && nowMs - sinceMs < forMs;
}

/** Returns whether a fault kills the server. */
export const killsServer = ({ what }: PlannedFault): boolean => what.startsWith('kill-');

/** Returns how often a fault strikes, at most. A plan that an earlier version stored can ask for more kills than there may be. */
function timesOf(fault: PlannedFault): number {
  const { forMs, times = forMs === undefined ? 1 : TIMES_MAX } = fault.when ?? {};
  return killsServer(fault) ? Math.min(times, KILLS_MAX) : times;
}

/** Chooses some of all texts, always the same ones. */
function isChosen(text: string, percent: number): boolean {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32 < percent / 100;
}
