import { ReaderTraced } from '../../protocol/messages/inspection.messages.ts';
import type { ApiCall } from '../platform/activities.ts';
import type { Services } from '../platform/services.ts';
import { Attribution, isDrawn, type RelatedIds } from './attribution.ts';
import { setBounded } from '../platform/bounded-map.ts';
import type { EntryContent } from './entry-content.ts';
import { createEntryStore, type EntryStore, type EntryLimits } from './entry-store.ts';
import { knownSecrets } from '../platform/mask-secrets.ts';
import { createEntryListener, type LoggedEntry, type EntrySink } from './entry-listener.ts';
import type { WatchTarget, TimelineEntry, WebhookAttempt } from './view.ts';
import type { Gateway } from '../platform/gateway.ts';

type TimelineLogEvent = { entry: LoggedEntry } | { attempt: WebhookAttempt };

/** The latest timeline entries, by action and object. Recording begins with the server, so a page opened later shows them too. */
export interface TimelineLog {
  /** Entries of a target, in order. */
  entriesOf(target: WatchTarget): readonly LoggedEntry[];
  /** Whether an entry belongs to the timeline of a target. */
  belongs(entry: LoggedEntry, target: WatchTarget): boolean;
  /** A terminal's latest action, as far as this process knows. */
  latestActionOf(terminalId: string): string | undefined;
  /** Entries after this number may still be preceded by a call under way that began a moment ago. */
  heldAfter(): number;
  /**
   * Returns the function that stops listening.
   * @param observer name of the listener, for the log; what it throws does not reach what is recorded
   * @param onFailure called when it has thrown
   */
  listen(observer: string, listener: (event: TimelineLogEvent) => void, onFailure?: () => void): () => void;
}

// About two hundred payments at terminals: each has its action, its session and its terminal.
const LIMITS: EntryLimits = { timelines: 600, entriesOfTimeline: 500, entries: 30_000 };
const CALLS_MAX = 1_000;
/** Stands for the content of an entry that could not be made. */
const NOT_SHOWN: EntryContent = { title: 'could not be shown', tone: 'warn', detail: null };
// Entries that follow from a call wait this long for the call's own entry.
const HELD_MS = 300;

/** @param machineIdOf the machine that a terminal runs its actions on */
export function createTimelineLog(
  services: Services,
  machineIdOf: (terminalId: string) => string | undefined,
  limits: Partial<EntryLimits> = {},
): TimelineLog {
  const { clock, realClock, gateway, activities, observers } = services;
  const store = createEntryStore<LoggedEntry>({ ...LIMITS, ...limits });
  const attribution = new Attribution();
  const listeners = new Set<(event: TimelineLogEvent) => void>();
  const calls = new Map<ApiCall, { seq: number; atMs: number; beganMs: number }>();
  let seq = 0;

  const emit = (event: TimelineLogEvent) => listeners.forEach((listener) => listener(event));
  const shown = observers.guard('content of timeline entries', (show: LoggedEntry['show']) => show());
  const put = (entry: LoggedEntry) => {
    // Called later, by a page or a recording, which the content of one entry must not end.
    const safe = { ...entry, show: () => shown(entry.show) ?? NOT_SHOWN };
    store.add(keysOf(safe), safe);
    emit({ entry: safe });
  };
  const sink: EntrySink = {
    attribution,
    known: knownSecrets(services.settings),
    add(about, entry) {
      if (about) put({ seq: ++seq, atMs: clock.nowMs(), ...about, ...entry });
    },
    begin(call) {
      setBounded(calls, CALLS_MAX, call, { seq: ++seq, atMs: clock.nowMs(), beganMs: realClock.nowMs() });
    },
    end(call, about, show) {
      const begun = calls.get(call) ?? { seq: ++seq, atMs: clock.nowMs() };
      calls.delete(call);
      if (about) put({ seq: begun.seq, atMs: begun.atMs, ...about, lane: 'api', kind: 'request', show });
    },
    attempted(made) {
      emit({ attempt: { ...made, atMs: clock.nowMs() } });
    },
    clear() {
      store.clear();
      attribution.clear();
    },
  };
  activities.listen('timelines', createEntryListener(sink, machineIdOf));
  recordFrames(gateway, sink);

  return {
    entriesOf: ({ kind, id }) =>
      kind === 'terminal' ? entriesOfTerminal(store, id, attribution.latestActionOf(id)) : store.of(id),
    belongs: (entry, { kind, id }) =>
      keysOf(entry).includes(id) ||
      (kind === 'terminal' && entry.terminalId === id && entry.actionId === attribution.latestActionOf(id)),
    latestActionOf: (terminalId) => attribution.latestActionOf(terminalId),
    heldAfter() {
      const sinceMs = realClock.nowMs() - HELD_MS;
      let held = Infinity;
      for (const call of calls.values()) if (call.beganMs > sinceMs) held = Math.min(held, call.seq);
      return held;
    },
    listen(observer, listener, onFailure) {
      const guarded = observers.guard(observer, listener, onFailure);
      listeners.add(guarded);
      return () => void listeners.delete(guarded);
    },
  };
}

function recordFrames(gateway: Gateway, { add, attribution }: EntrySink): void {
  gateway.onReport(ReaderTraced, (terminalId, { actionId, direction, bytes, note }) => {
    const title = note ?? `${bytes.length / 2} bytes`;
    const detail = { direction, ...(note !== undefined && { note }) };
    add(attribution.ofTerminal(terminalId, actionId ?? null), {
      lane: 'wire',
      kind: direction === 'out' ? 'serial.out' : 'serial.in',
      show: () => ({ title, tone: 'plain', detail, bytes }),
    });
  });
}

/** Entries of the terminal's latest action, and the terminal's own entries since that action began. */
function entriesOfTerminal(
  store: EntryStore<LoggedEntry>,
  terminalId: string,
  actionId: string | undefined,
): readonly LoggedEntry[] {
  const ofAction = actionId === undefined ? [] : store.of(actionId);
  const fromSeq = ofAction[0]?.seq ?? 0;
  const ofTerminal = store.of(terminalId).filter((entry) => entry.seq >= fromSeq);
  return [...ofAction, ...ofTerminal].sort((a, b) => a.seq - b.seq);
}

/** The entry as it is sent to a page. */
export function toTimelineEntry({ show, ...entry }: LoggedEntry): TimelineEntry {
  return { ...entry, ...show() };
}

/** Keys of an entry: its object if that has a timeline, and its action, or its terminal when it has no action. */
function keysOf({ terminalId, actionId, objectId }: RelatedIds): string[] {
  const owner = actionId ?? terminalId;
  const keys = isDrawn(objectId) ? [objectId] : [];
  if (owner !== null && !keys.includes(owner)) keys.push(owner);
  return keys;
}
