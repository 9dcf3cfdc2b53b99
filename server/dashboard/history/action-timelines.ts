import type { Services } from '../../platform/services.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import type { TimelineLog } from '../timeline-log.ts';
import type { TimelineEntry } from '../view.ts';
import { listTimelines, type TimelineRow } from './action-timeline.records.ts';
import { createTimelineWriter } from './timeline-writer.ts';

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
