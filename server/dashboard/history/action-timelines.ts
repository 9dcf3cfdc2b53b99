import type { Services } from '../../platform/services.ts';
import { parseJson, jsonText, type JsonText } from '../../platform/store/json-text.ts';
import { type TimelineLog, toTimelineEntry } from '../timeline-log.ts';
import type { TimelineEntry } from '../view.ts';
import { listTimelines, type TimelineRow, insertTimelinesUnlessGone } from './action-timeline.records.ts';
import { after, type Timer } from '../../../protocol/clock.ts';
import { messageOf } from '../../../protocol/failures.ts';
import type { RowLimits } from '../../platform/store/latest-rows.ts';
import { createEntryStore, type EntryLimits } from '../entry-store.ts';
import type { LoggedEntry } from '../entry-listener.ts';

/** The timelines of actions in the store, where the settings say so. */
export interface ActionTimelines {
  /** Returns the stored entries of an action. Those of other processes have negative numbers. */
  storedEntriesOf(actionId: string): Promise<TimelineEntry[]>;
  /** Whether nothing is being written. */
  idle(): boolean;
  /** Stores what is waiting, also of actions in progress. */
  stop(): Promise<void>;
}

/** @param processName names this process among those whose entries the store has */
export function createActionTimelines(
  services: Pick<Services, 'log' | 'activities' | 'observers' | 'realClock' | 'settings' | 'store'>,
  timelineLog: Pick<TimelineLog, 'listen'>,
  processName: string,
): ActionTimelines {
  const { activities, settings, store } = services;
  const { mode, timelines: limits } = settings;
  if (mode === 'live' || !limits || limits.countMax === 0)
    return { storedEntriesOf: async () => [], idle: () => true, stop: async () => {} };

  const writer = createTimelineWriter({ ...services, processName, limits });
  timelineLog.listen('stored timelines', (event) => {
    if ('entry' in event && event.entry.actionId !== null) writer.add(event.entry.actionId, event.entry);
  });
  activities.listen('ends of stored timelines', (activity) => {
    if (activity.kind === 'sandbox.reset') writer.clear();
    if (activity.kind === 'action.updated' && activity.status !== 'InProgress')
      writer.finish(activity.actionId);
  });
  return {
    storedEntriesOf: async (actionId) => mergedEntries(await listTimelines(store, actionId), processName),
    idle: writer.idle,
    stop: writer.stop,
  };
}

/** Each process numbers its entries from one: those of others come before, in the order of their time. */
function mergedEntries(rows: readonly TimelineRow[], processName: string): TimelineEntry[] {
  const own = rows.filter((row) => row.recording === processName).flatMap(entriesOf);
  const others = rows
    .filter((row) => row.recording !== processName)
    .flatMap(entriesOf)
    .toSorted((one, other) => one.atMs - other.atMs);
  return [...others.map((entry, at) => ({ ...entry, seq: at - others.length })), ...own];
}

function entriesOf({ entries }: TimelineRow): TimelineEntry[] {
  return parseJson(entries);
}

/** Some ten times as much as a payment with a chip takes. */
const CHARACTERS_MAX = 400_000;

/** Returns entries as text. Where they are too many, without the frames of the reader, or else without details. */
function timelineText(entries: readonly TimelineEntry[]): JsonText<TimelineEntry[]> {
  const whole = jsonText([...entries]);
  if (whole.length <= CHARACTERS_MAX) return whole;
  const withoutFrames = entries.filter(({ kind }) => !kind.startsWith('serial.'));
  const shorter = jsonText(withoutFrames);
  if (shorter.length <= CHARACTERS_MAX) return shorter;
  return jsonText(withoutFrames.map((entry) => ({ ...entry, detail: null })));
}

interface TimelineWriterParts extends Pick<Services, 'log' | 'observers' | 'realClock' | 'store'> {
  /** Names this process among those whose entries the store has. */
  processName: string;
  /** The latest timelines that are kept. */
  limits: RowLimits;
}

/** Writes the timelines of actions to the store, some at a time. */
interface TimelineWriter {
  /** Takes an entry of an action; it is written once the action is over. */
  add(actionId: string, entry: LoggedEntry): void;
  /** The action is over: writes its entries soon, and those that follow. */
  finish(actionId: string): void;
  /** Forgets what is not written yet. */
  clear(): void;
  idle(): boolean;
  /** Writes everything that waits, also of actions in progress. */
  stop(): Promise<void>;
}

// At most twenty actions a second: masking and describing the entries of one takes about as long as a payment.
const BATCH = 5;
const EVERY_MS = 250;
/** From the end of an action to its write, for what follows its end. */
const SETTLE_MS = 1_000;
/** Of actions that wait; under more load than can be stored, those that changed least recently are left out. */
const LIMITS: EntryLimits = { timelines: 300, entriesOfTimeline: 500, entries: 15_000 };

function createTimelineWriter(parts: TimelineWriterParts): TimelineWriter {
  const { realClock, limits } = parts;
  const waiting = createEntryStore<LoggedEntry>(LIMITS);
  /** When each action that is over may be written, the first of them first. */
  const due = new Map<string, number>();
  const finished = new Set<string>();
  const insert = createInsert(parts);
  let timer: Timer | undefined;
  let writing: Promise<void> | undefined;

  function write(actionIds: readonly string[]): Promise<void> {
    for (const actionId of actionIds) due.delete(actionId);
    return insert(actionIds.map((actionId) => [actionId, waiting.take(actionId)]));
  }

  function writeDue(): void {
    timer = undefined;
    const nowMs = realClock.nowMs();
    const ready = [...due].filter(([, atMs]) => atMs <= nowMs).slice(0, BATCH);
    writing = write(ready.map(([actionId]) => actionId)).finally(() => {
      writing = undefined;
      schedule();
    });
  }

  function schedule(): void {
    const [first] = due.values();
    if (first === undefined || timer || writing) return;
    timer = after(realClock, Math.max(EVERY_MS, first - realClock.nowMs()), writeDue);
  }

  function setDue(actionId: string): void {
    if (due.has(actionId)) return;
    due.set(actionId, realClock.nowMs() + SETTLE_MS);
    if (due.size > LIMITS.timelines) due.delete(due.keys().next().value!);
    schedule();
  }

  return {
    add(actionId, entry) {
      waiting.add([actionId], entry);
      if (finished.has(actionId)) setDue(actionId);
    },
    finish(actionId) {
      finished.add(actionId);
      if (finished.size > limits.countMax) finished.delete(finished.values().next().value!);
      setDue(actionId);
    },
    clear() {
      waiting.clear();
      due.clear();
      finished.clear();
    },
    idle: () => writing === undefined,
    async stop() {
      await writing;
      timer?.cancel();
      await write(waiting.keys());
    },
  };
}

/** Returns a function that stores the entries of actions; what fails is logged once. */
function createInsert({ store, log, observers, processName, limits }: TimelineWriterParts) {
  let failed = false;
  const textOf = observers.guard('text of stored timelines', (entries: readonly LoggedEntry[]) =>
    timelineText(entries.map(toTimelineEntry)),
  );
  return async (timelines: readonly [string, readonly LoggedEntry[]][]): Promise<void> => {
    const rows: TimelineRow[] = timelines
      .filter(([, entries]) => entries.length > 0)
      .flatMap(([actionId, entries]) => {
        const text = textOf(entries);
        return text === undefined ? [] : [{ action_id: actionId, recording: processName, entries: text }];
      });
    if (rows.length === 0) return;
    try {
      await store.transaction((tx) => insertTimelinesUnlessGone(tx, store.engine, rows, limits), {
        delayedDurability: true,
        guardedBy: ['latestRows'],
      });
      failed = false;
    } catch (thrown) {
      if (!failed) log.warn({ reason: messageOf(thrown) }, 'timelines of actions are not stored');
      failed = true;
    }
  };
}
