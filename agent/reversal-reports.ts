import { after, type Clock, type Timer } from '../protocol/clock.ts';
import { messageOf } from '../protocol/failures.ts';
import type { Log } from '../protocol/log.ts';
import { encode, type BodyOf, type Envelope } from '../protocol/message.ts';
import {
  ReversalReported,
  type ReportedReversal,
  type ReversalRecorded,
} from '../protocol/messages/reversal.messages.ts';
import { reasonText } from '../protocol/reason.ts';
import { atomicJsonFile } from './readers/atomic-json-file.ts';
import type { DeviceReversal } from './readers/reader.ts';

/** Stores the reports of reversals that the server has not recorded, across restarts. */
export interface ReversalReportStore {
  /** @throws Fault `journal`. */
  load(): ReportedReversal[];
  /** Returns once they are stored. @throws Fault `journal`. */
  save(reports: readonly ReportedReversal[]): void;
}

/** Creates a store in memory. */
export function memoryReversalReports(first: readonly ReportedReversal[] = []): ReversalReportStore {
  let kept = [...first];
  return { load: () => [...kept], save: (reports) => void (kept = [...reports]) };
}

/** Creates a store in a JSON file. @throws Fault `journal` when its folder cannot be created. */
export function fileReversalReports(path: string, options: { sync: boolean }): ReversalReportStore {
  const file = atomicJsonFile(path, 'the reports of reversals', { ...options, read: readReports });
  return { load: () => file.load() ?? [], save: (reports) => file.save([...reports]) };
}

function readReports(found: unknown): ReportedReversal[] {
  const isReport = (report: unknown) => ReversalReported.check(report).length === 0;
  if (!Array.isArray(found) || !found.every(isReport)) throw new Error('it holds no reports of reversals');
  return found as ReportedReversal[];
}

interface ReversalReportsParts {
  terminalId: string;
  clock: Clock;
  log: Log;
  store: ReversalReportStore;
  isOnline(): boolean;
  publish(envelope: Envelope): void;
}

/**
 * Reports of reversals at a payment terminal. Most follow the end of their action, also in another process, so they are
 * stored and repeated until the server has recorded them.
 */
export interface ReversalReports {
  /** Stores a report and sends it. One that says the same as the last about its transaction is dropped. */
  add(reversal: DeviceReversal): void;
  /**
   * Stores a report that only the next process sends: what is to be said where this one ends without another word, as by a
   * power cut. Returns a function that drops it.
   */
  hold(reversal: DeviceReversal): () => void;
  /** The server has recorded a report. */
  recorded(reversal: BodyOf<typeof ReversalRecorded>): void;
  /** Called when the terminal connects: sends the reports that are not recorded. */
  online(): void;
  /** Stops sending. What is not recorded stays stored. */
  stop(): void;
}

const RETRY_MS = { first: 15_000, longest: 600_000 };
/** More than a terminal reverses while the server is away; the oldest are dropped. */
const REPORTS_MAX = 100;

export function createReversalReports(parts: ReversalReportsParts): ReversalReports {
  const { terminalId, clock, log, store, isOnline, publish } = parts;
  const waiting = loadOrDiscard(store, log);
  const held = new Set<ReportedReversal>();
  /** What was last reported of each transaction. */
  const last = new Map(waiting.map((report) => [transactionOf(report), outcomeOf(report)]));
  let retryMs = RETRY_MS.first;
  let timer: Timer | undefined;

  const save = () => {
    try {
      store.save([...waiting, ...held]);
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the reports of reversals could not be saved');
    }
  };
  const send = (reports: readonly ReportedReversal[]) => {
    if (!isOnline()) return;
    for (const report of reports) publish(encode(ReversalReported, terminalId, report));
  };
  const scheduleRetry = () => {
    timer?.cancel();
    timer = undefined;
    if (waiting.length === 0 || !isOnline()) return;
    timer = after(clock, retryMs, () => {
      retryMs = Math.min(2 * retryMs, RETRY_MS.longest);
      send(waiting);
      scheduleRetry();
    });
  };
  const drop = (isDropped: (report: ReportedReversal) => boolean) => {
    const left = waiting.filter((report) => !isDropped(report));
    if (left.length < waiting.length) waiting.splice(0, waiting.length, ...left);
  };

  return {
    add(reversal) {
      const report = reportOf(reversal, clock.nowMs());
      const transaction = transactionOf(report);
      if (last.get(transaction) === outcomeOf(report)) return;
      last.delete(transaction);
      last.set(transaction, outcomeOf(report));
      if (last.size > REPORTS_MAX) last.delete(last.keys().next().value!);
      drop((earlier) => transactionOf(earlier) === transaction);
      waiting.push(report);
      const dropped = waiting.splice(0, waiting.length - REPORTS_MAX);
      if (dropped.length > 0) log.error({ dropped }, 'too many reports of reversals wait for the server');
      save();
      send([report]);
      retryMs = RETRY_MS.first;
      scheduleRetry();
    },
    hold(reversal) {
      const report = reportOf(reversal, clock.nowMs());
      held.add(report);
      save();
      return () => {
        if (held.delete(report)) save();
      };
    },
    recorded(recorded) {
      // An answer to an earlier report of a transaction leaves a later one, whose reason is another.
      drop((report) => identityOf(report) === identityOf(recorded));
      save();
      scheduleRetry();
    },
    online() {
      send(waiting);
      retryMs = RETRY_MS.first;
      scheduleRetry();
    },
    stop: () => timer?.cancel(),
  };
}

// As the message allows it.
const REFERENCE = /^[ -~]{1,40}$/;

function reportOf({ reason, reference, ...reversal }: DeviceReversal, atMs: number): ReportedReversal {
  const words = reason === undefined ? undefined : reasonText(reason);
  return {
    ...reversal,
    ...(reference !== undefined && REFERENCE.test(reference) && { reference }),
    ...(words !== undefined && { reason: words }),
    atMs,
  };
}

function transactionOf({ actionId, reference }: ReportedReversal): string {
  return JSON.stringify([actionId, reference ?? null]);
}

function identityOf({ actionId, reference, outcome, atMs }: BodyOf<typeof ReversalRecorded>): string {
  return JSON.stringify([actionId, reference ?? null, outcome, atMs]);
}

function outcomeOf({ outcome, reason }: ReportedReversal): string {
  return JSON.stringify([outcome, reason ?? null]);
}

/** The money is not lost with its reports, so an unreadable file does not keep the terminal from working. */
function loadOrDiscard(store: ReversalReportStore, log: Log): ReportedReversal[] {
  try {
    return store.load().slice(-REPORTS_MAX);
  } catch (error) {
    log.error({ reason: messageOf(error) }, 'the reports of reversals cannot be read and are discarded');
    return [];
  }
}
