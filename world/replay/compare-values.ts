import { PRINTER_NOTE } from '../../protocol/receipt-printer.ts';
import { idsInText } from '../../protocol/ids.ts';
import type { RelatedIds } from '../../server/dashboard/attribution.ts';
import type { TimelineEntry } from '../../server/dashboard/view.ts';
import { encodedJson } from '../../server/traces/encoded-json.ts';
import type { Bindings } from './bindings.ts';

/** The first place at which a recorded value and a replayed one differ. */
export interface Difference {
  /** Names of members and numbers of items that lead there; empty for the value itself. */
  path: string[];
  recorded: unknown;
  replayed: unknown;
}

/** The difference of something that the replay did not do. */
export const missing = (recorded: unknown): Difference => ({ path: [], recorded, replayed: undefined });

interface ComparedBy {
  bindings: Bindings;
  /** By how many milliseconds times of the replay may be earlier than those of the recording; 0 on virtual time. */
  lagMs: number;
}

// Measured in real time, random, computed with a secret, or a number of a message: a terminal that is restored counts on.
const NOT_COMPARED = /^(?:elapsedMs|nonce|seq)$|signature$/i;
const TIME = /(?:Ms|Timestamp)$/;

/** Compares a recorded value with a replayed one, and binds the ids in them. Returns undefined when they agree. */
export function compareValues(
  recorded: unknown,
  replayed: unknown,
  by: ComparedBy,
  path: readonly string[] = [],
): Difference | undefined {
  const differ = { path: [...path], recorded, replayed };
  if (typeof recorded === 'string' && typeof replayed === 'string') {
    const [json, other] = [encodedJson(recorded), encodedJson(replayed)];
    if (json && other) return compareValues(json, other, by, path);
    return agreeTexts(recorded, replayed, by) ? undefined : differ;
  }
  if (typeof recorded === 'number' && typeof replayed === 'number')
    return agreeNumbers(recorded, replayed, by, path.at(-1) ?? '') ? undefined : differ;
  if (!isObject(recorded) || !isObject(replayed) || Array.isArray(recorded) !== Array.isArray(replayed))
    return Object.is(recorded, replayed) ? undefined : differ;
  return compareMembers(recorded, replayed, by, path);
}

/** Compares entries of a timeline, the steps of machines by what they did. */
export function compareEntries(
  recorded: TimelineEntry,
  replayed: TimelineEntry,
  by: ComparedBy,
): Difference | undefined {
  return compareValues(comparedPart(recorded, replayed), comparedPart(replayed, recorded), by);
}

/** The state before a step is null where the process did not see it. */
function comparedPart({ step, title, detail, bytes, ...entry }: TimelineEntry, other: TimelineEntry): object {
  const about = aboutOf(entry, other);
  if (!step) return { ...about, title, detail, ...(bytes !== undefined && comparedBytes(title, bytes)) };
  const { from, ...after } = step;
  return { ...about, step: from === null || other.step?.from === null ? after : step };
}

/** A copy of a receipt has ids in its bytes, and those of the replay may be masked elsewhere: the message with it is compared. */
const comparedBytes = (title: string, bytes: string) =>
  title.startsWith(PRINTER_NOTE) ? { length: bytes.length } : { bytes };

/**
 * Terminal and action of an object are null where its action was over when the process began, and so are all ids of a webhook whose
 * event was recorded before that.
 */
function aboutOf(
  { kind, terminalId, actionId, objectId }: Pick<TimelineEntry, 'kind' | keyof RelatedIds>,
  other: TimelineEntry,
): object {
  if (kind === 'webhook' && (objectId === null || other.objectId === null)) return { kind };
  const isSeen = objectId === null || (terminalId !== null && other.terminalId !== null);
  return { kind, objectId, ...(isSeen && { terminalId, actionId }) };
}

function compareMembers(
  recorded: Record<string, unknown>,
  replayed: Record<string, unknown>,
  by: ComparedBy,
  path: readonly string[],
): Difference | undefined {
  const left = new Set(Object.keys(replayed));
  for (const [name, value] of Object.entries(recorded)) {
    const other = left.has(name) ? name : (by.bindings.replayedFor(name) ?? name);
    left.delete(other);
    if (NOT_COMPARED.test(name)) continue;
    const difference = compareValues(value, replayed[other], by, [...path, name]);
    if (difference) return difference;
  }
  const [extra] = left;
  return extra === undefined
    ? undefined
    : { path: [...path, extra], recorded: undefined, replayed: replayed[extra] };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function agreeNumbers(recorded: number, replayed: number, { lagMs }: ComparedBy, name: string): boolean {
  if (recorded === replayed) return true;
  if (lagMs === 0 || !TIME.test(name)) return false;
  return agreeTimes(recorded, replayed, name.endsWith('Ms') ? lagMs : Math.ceil(lagMs / 1000));
}

function agreeTimes(recorded: number, replayed: number, lag: number): boolean {
  return replayed <= recorded && recorded - replayed <= lag;
}

const SECRET = String.raw`\{\{secret:\d+\}\}`;
const AUTHORISATION_CODE = String.raw`\b[0-9A-F]{6}\b`;
const TIME_IN_TEXT = String.raw`(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d:\d\d(?:\.\d{3})?`;
const MAPPED = new RegExp([idsInText().source, SECRET, AUTHORISATION_CODE, TIME_IN_TEXT].join('|'), 'g');

function agreeTexts(recorded: string, replayed: string, by: ComparedBy): boolean {
  if (recorded.endsWith('…') && replayed.endsWith('…'))
    return agreeTexts(uncut(recorded), uncut(replayed), by);
  const ours = recorded.match(MAPPED) ?? [];
  const theirs = replayed.match(MAPPED) ?? [];
  if (recorded.split(MAPPED).join('\0') !== replayed.split(MAPPED).join('\0')) return false;
  return ours.every((part, index) => agreeParts(part, theirs[index]!, by));
}

// An id at the place of the cut is not recognised.
const LONGEST_ID = 70;
const uncut = (text: string) => text.slice(0, -LONGEST_ID);

function agreeParts(recorded: string, replayed: string, { bindings, lagMs }: ComparedBy): boolean {
  if (/^[0-9A-F]{6}$/.test(recorded))
    return recorded === replayed || bindings.replayedFor(recorded) === replayed;
  if (/\d:\d/.test(recorded)) return agreeClockTimes(recorded, replayed, lagMs);
  return prefixOf(recorded) === prefixOf(replayed) && bindings.bind(recorded, replayed);
}

const prefixOf = (id: string) => /^(?:[a-z]+_|\{\{)?/.exec(id)![0];

function agreeClockTimes(recorded: string, replayed: string, lagMs: number): boolean {
  if (recorded === replayed) return true;
  const epochMs = (text: string) => Date.parse(`${text.includes('T') ? '' : '1970-01-01T'}${text}Z`);
  const hasParts = recorded.includes('.');
  return agreeTimes(epochMs(recorded), epochMs(replayed), hasParts ? lagMs : Math.ceil(lagMs / 1000) * 1000);
}
