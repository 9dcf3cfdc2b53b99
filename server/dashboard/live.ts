import { after, type Clock, type Timer } from '../../protocol/clock.ts';
import { messageOf } from '../../protocol/failures.ts';
import { DisplayShown } from '../../protocol/messages/inspection.messages.ts';
import { PrinterShown } from '../../protocol/messages/receipt-printer.messages.ts';
import { Simulated } from '../../protocol/messages/sandbox.messages.ts';
import { createCountedLog } from '../../protocol/log.ts';
import { VERSION } from '../../protocol/version.ts';
import type { TextSocket } from '../platform/http/sockets/text-socket.ts';
import { constantTimeEqual } from '../platform/constant-time-equal.ts';
import type { Activity } from '../platform/activities.ts';
import type { Services } from '../platform/services.ts';
import type { FleetBoard } from './fleet-board.ts';
import { findLatestAction } from './history/action-timeline.records.ts';
import type { ActionTimelines } from './history/action-timelines.ts';
import { LiveClient } from './live-client.ts';
import type { TimelineLog } from './timeline-log.ts';
import type { ClockView, LiveMessage, MachineShape, WatchTarget, TimelineEntry } from './view.ts';

interface LiveParts {
  services: Services;
  board: FleetBoard;
  timelineLog: TimelineLog;
  timelines: Pick<ActionTimelines, 'storedEntriesOf'>;
  /** The machine of the target that a page watches. */
  machineOf(target: WatchTarget): Promise<MachineShape | null>;
}

/** Sends changes to the open pages as they happen. Without open pages, a change costs one check of an empty set. */
export interface Live {
  accept(socket: TextSocket): void;
  /** Whether a page is open. */
  isWatched(): boolean;
  /** Sends nothing from now on. */
  stop(): void;
}

/** Changes are collected for this long: a page gets at most ten updates a second. */
export const FLUSH_MS = 100;
/**
 * Activities after which pages get a message, besides those of terminals: a page reads the object that it shows again then. A call
 * that only reads has no activity, and what is done later, by a job or on a page of onboarding, is recorded as an event.
 */
const CHANGING = new Set<Activity['kind']>([
  'call.answered',
  'certificate.broken-off',
  'clock.advanced',
  'event.recorded',
  'fault.struck',
  'sandbox.reset',
]);
/** Close code for a fault of the server (RFC 6455 §7.4.1). */
const INTERNAL_ERROR = 1011;
// While the store cannot be read.
const RETRY_MS = 2_000;

export function createLive(parts: LiveParts): Live {
  const { services, board, timelineLog, machineOf } = parts;
  const { activities, observers, realClock: clock, log } = services;
  const counted = createCountedLog({ log, clock });
  const clients = new Set<LiveClient>();
  const changes = createChanges();
  const clockNow = (): ClockView => ({ nowMs: services.clock.nowMs(), offsetMs: services.clock.offsetMs });

  const flush = async () => {
    const { changed, gone } = changes.take();
    if (clients.size === 0) return;
    const terminals = changed.length === 0 ? [] : await board.some(changed);
    const messages: LiveMessage[] = [
      { type: 'clock', clock: clockNow() },
      ...gone.map((terminalId) => ({ type: 'terminal.gone', terminalId }) as const),
      ...terminals.map((terminal) => ({ type: 'terminal', terminal }) as const),
    ];
    const texts = messages.map((message) => JSON.stringify(message));
    const heldAfter = timelineLog.heldAfter();
    let waiting = false;
    for (const client of clients) waiting = (await client.flush(texts, heldAfter)) || waiting;
    if (waiting) flushing.soon();
  };
  const flushing = createFlusher(clock, flush, (error) => {
    counted.warn({ reason: messageOf(error) }, 'changes could not be sent to the dashboard');
    for (const client of clients) client.resync();
  });

  activities.listen('changes for pages', (activity) => {
    if (clients.size === 0) return;
    if (activity.kind === 'sandbox.reset') for (const client of clients) client.reset();
    if (changes.add(activity) || CHANGING.has(activity.kind)) flushing.soon();
  });
  timelineLog.listen('entries for pages', (event) => {
    if (clients.size === 0) return;
    for (const client of clients) {
      if ('entry' in event) client.addEntry(event.entry);
      else client.addAttempt(event.attempt);
    }
    flushing.soon();
  });

  const { mode } = services.settings;
  const hello = async () => {
    const terminals = await board.all();
    return { type: 'hello', clock: clockNow(), mode, terminals, version: VERSION } as const;
  };
  return {
    accept(socket) {
      const client = new LiveClient({
        socket,
        guarded: (receive) =>
          observers.guard('messages of pages', receive, () => socket.close(INTERNAL_ERROR, 'failed')),
        clock,
        timelineLog,
        admits: (token) => constantTimeEqual(token, services.settings.dashboardToken),
        requestFlush: flushing.soon,
        hello,
        machineOf,
        storedEntriesOf: (target) => storedEntriesOf(parts, target),
      });
      clients.add(client);
      socket.onClose(() => clients.delete(client));
    },
    isWatched: () => clients.size > 0,
    stop() {
      flushing.stop();
      clients.clear();
    },
  };
}

async function storedEntriesOf(
  { services, timelineLog, timelines }: LiveParts,
  { kind, id }: WatchTarget,
): Promise<TimelineEntry[]> {
  if (kind === 'object') return [];
  const actionId =
    kind === 'action' ? id : (timelineLog.latestActionOf(id) ?? (await findLatestAction(services.store, id)));
  return actionId === undefined ? [] : timelines.storedEntriesOf(actionId);
}

/** Collects the ids of terminals that have changed, and of those that were removed. */
function createChanges() {
  const changed = new Set<string>();
  const gone = new Set<string>();
  return {
    /** @returns whether the activity changes or removes a terminal */
    add(activity: Activity): boolean {
      if (activity.kind === 'terminal.removed') {
        changed.delete(activity.terminalId);
        gone.add(activity.terminalId);
        return true;
      }
      const terminalId = changedBy(activity);
      if (terminalId !== undefined) changed.add(terminalId);
      return terminalId !== undefined;
    },
    take() {
      const taken = { changed: [...changed], gone: [...gone] };
      changed.clear();
      gone.clear();
      return taken;
    },
  };
}

/** Reports after which the display, the paper or the receipt printer of a terminal may be shown otherwise. */
const SHOWING = new Set([DisplayShown.name, PrinterShown.name, Simulated.name]);

function changedBy(activity: Activity): string | undefined {
  switch (activity.kind) {
    case 'terminal.registered':
    case 'terminal.changed':
    case 'terminal.presence':
    case 'terminal.stepped':
    case 'action.updated':
      return activity.terminalId;
    case 'message.received':
      return SHOWING.has(activity.name) ? activity.terminalId : undefined;
    case 'machine.stepped':
      // Not each step of an action changes its status.
      return activity.action?.terminalId;
    default:
      return undefined;
  }
}

/** Runs one flush at a time, at most once in `FLUSH_MS`; retries a failed one after `RETRY_MS`. */
function createFlusher(clock: Clock, run: () => Promise<void>, onError: (error: unknown) => void) {
  let timer: Timer | undefined;
  let running = false;
  let again = false;
  let stopped = false;
  const soon = () => {
    if (stopped) return;
    if (running) again = true;
    else timer ??= after(clock, FLUSH_MS, () => void begin());
  };
  const begin = async () => {
    timer = undefined;
    running = true;
    try {
      await run();
    } catch (error) {
      onError(error);
      timer = after(clock, RETRY_MS, () => void begin());
    }
    running = false;
    if (again) soon();
    again = false;
  };
  return {
    soon,
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}
