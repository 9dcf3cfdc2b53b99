import { VERSION } from '../../protocol/version.ts';
import type { Dashboard } from '../dashboard/serve-dashboard.ts';
import { toTimelineEntry } from '../dashboard/timeline-log.ts';
import type { LoggedEntry } from '../dashboard/entry-listener.ts';
import type { TimelineEntry } from '../dashboard/view.ts';
import type { Services } from '../platform/services.ts';
import { sandboxSettingsOf } from '../platform/own-settings.schema.ts';
import { copySandbox } from './copy-sandbox.ts';
import { maskedLines } from './mask-snapshot.ts';
import { packedSnapshot, unpackedSnapshot, type PackedSnapshot } from './packed-snapshot.ts';
import { packedTraceFile, type PackedTrace } from './trace-file.ts';
import type { TraceItem } from './trace-item.schema.ts';
import { createItems, type TraceLimits } from './trace-items.ts';
import { createSecretBook } from './secret-book.ts';
import { createSettledWatch, watchInputs, type RecordedTo } from './watch-inputs.ts';
import { watchTerminals } from './watch-terminals.ts';
import {
  TRACE_FORMAT,
  TRACE_VERSION,
  type ReplayedSettings,
  type Trace,
  type TraceHeader,
} from './trace-format.schema.ts';

/** A recording of a sandbox that is under way, or has ended. */
export interface Recording {
  readonly header: TraceHeader;
  /** Items recorded so far. */
  readonly size: number;
  /** Time of the sandbox at which it ended; undefined while it is under way. */
  readonly endMs: number | undefined;
  /** Takes note of the simulated terminals with which the recording begins, as exported. */
  knowsTerminals(terminals: unknown): void;
  /** Takes the lines of the snapshot with which the recording began, its header first. */
  beginsWith(lines: AsyncIterable<readonly unknown[]>): Promise<void>;
  /** Goes on with the server that was started after this one ended. Such a recording cannot be replayed. */
  continueWith(server: RecordedServer, ended: ServerEnd): void;
  /**
   * Ends the recording, unless it has ended.
   * @param reason why the trace cannot be replayed then, in words
   */
  end(reason?: string): void;
  /** Returns what was recorded so far. */
  trace(): Promise<PackedTrace>;
  /** Ends the recording, unless it has ended, and returns it. */
  stop(): Promise<Trace>;
  /** Ends the recording, unless it has ended, and returns the bytes of its file. */
  file(): Promise<Buffer>;
}

/** How a server ended before another was started on its store. */
export type ServerEnd = 'killed' | 'stopped';

/** The server of a sandbox that is recorded. */
export interface RecordedServer {
  services: Services;
  dashboard: Pick<Dashboard, 'timelineLog' | 'parts'>;
  /** Returns whether the sandbox has nothing to do. */
  idle(): boolean;
}

interface RecordingParts extends RecordedServer {
  title: string;
  limits: TraceLimits;
  /** Returns the real time since any moment, in milliseconds; where the clock of the sandbox stands still by itself. */
  realMs?: () => number;
  /** Whether items are made, and masked, when the trace is: for recordings of which few become a trace. */
  isLazy?: boolean;
}

/** Starts a recording: copies the sandbox, and records everything from that moment on. */
export async function startRecording(parts: RecordingParts): Promise<Recording> {
  let recording: Recording | undefined;
  try {
    await copySandbox(parts.services, {
      atCopy(terminals) {
        // Of a copy that is made again.
        recording?.end();
        recording = recordFromNow(parts);
        recording.knowsTerminals(terminals);
      },
      take: (lines) => recording!.beginsWith(lines),
    });
  } catch (thrown) {
    recording?.end();
    throw thrown;
  }
  return recording!;
}

/** Returns a trace with all lines of its snapshot. */
async function unpackedTrace(trace: PackedTrace): Promise<Trace> {
  return { ...trace, snapshot: await unpackedSnapshot(trace.snapshot) };
}

/** Starts a recording without a copy of the sandbox: `beginsWith` takes its snapshot, at once or later. */
export function recordFromNow(parts: RecordingParts): Recording {
  const { services, limits, realMs, isLazy = false } = parts;
  const { clock } = services;
  const book = createSecretBook(services.settings);
  const settledWatch = createSettledWatch(() => watched.server.idle());
  const { happened: onItem } = settledWatch;
  const items = createItems({ clock, limits, realMs, isLazy, onItem, onFull: () => end() });
  const reasons = heldBack(services).map((what) => `a fault held back ${what} when the recording began`);
  let snapshot: PackedSnapshot | undefined;
  let endMs: number | undefined;
  let isSettled = false;
  const header = headerOf(parts);
  const terminals = watchTerminals(services, items);
  const onFailure = () => addOnce(reasons, 'something that happened could not be recorded');
  const to = { items, book, settledWatch, onFailure };
  const watched = watchServers(parts, to);

  function end(reason?: string): void {
    if (endMs !== undefined) return;
    if (reason !== undefined) reasons.push(reason);
    endMs = clock.nowMs();
    isSettled = settledWatch.isSettled();
    watched.end();
    terminals.end();
  }

  function endedTrace(): Promise<PackedTrace> {
    end();
    return trace();
  }

  async function trace(): Promise<PackedTrace> {
    await terminals.settled();
    const recorded = items.inOrder();
    return {
      header,
      machines: await machinesOf(watched.server, recorded),
      snapshot: snapshot!,
      items: recorded,
      summary: {
        secrets: book.secrets(),
        endMs: endMs ?? clock.nowMs(),
        ...(isSettled && { settled: true }),
        isCut: items.isFull,
        notReplayable: [...terminals.obstacles(), ...reasons],
      },
    };
  }

  return {
    header,
    get size() {
      return items.size;
    },
    get endMs() {
      return endMs;
    },
    end,
    knowsTerminals: (exported) => terminals.knows(exported),
    async beginsWith(lines) {
      snapshot = await packedSnapshot(maskedLines(book, lines));
    },
    continueWith(next, ended) {
      if (endMs !== undefined) return;
      watched.continueWith(next);
      terminals.continueWith(next.services);
      addOnce(reasons, `the server was ${ended} and started again, which a replay does not do`);
    },
    trace,
    stop: async () => unpackedTrace(await endedTrace()),
    file: async () => packedTraceFile(await endedTrace()),
  };
}

/** Returns in words what is under way in a sandbox because of a fault, and in no copy of it. */
function heldBack({ faults, gateway }: Pick<Services, 'faults' | 'gateway'>): string[] {
  return [...(faults?.heldBack() ?? []), ...(gateway.isKeptAway ? ['the broker'] : [])];
}

function addOnce(reasons: string[], reason: string): void {
  if (!reasons.includes(reason)) reasons.push(reason);
}

/** Watches the server of a sandbox, and after its end the one that was started next. */
function watchServers(first: RecordedServer, to: RecordedTo) {
  let server = first;
  let watched = watchServer(first, to);
  return {
    get server() {
      return server;
    },
    end: () => watched.end(),
    continueWith(next: RecordedServer) {
      watched.cut();
      server = next;
      watched = watchServer(next, to);
    },
  };
}

function watchServer({ services, dashboard }: RecordedServer, to: RecordedTo) {
  const inputs = watchInputs(services, to);
  const unlisten = listenForOutputs(
    dashboard,
    (entry) => void to.items.add(() => ({ kind: 'output', entry: toTimelineEntry(entry) })),
    to.onFailure,
  );
  return {
    end() {
      inputs.end();
      unlisten();
    },
    cut() {
      inputs.cut();
      unlisten();
    },
  };
}

/** Calls `record` with each entry of the dashboard that belongs into a trace. Returns the function that ends it. */
export function watchOutputs(
  dashboard: Pick<Dashboard, 'timelineLog'>,
  record: (entry: TimelineEntry) => void,
): () => void {
  return listenForOutputs(dashboard, (entry) => record(toTimelineEntry(entry)));
}

function listenForOutputs(
  { timelineLog }: Pick<Dashboard, 'timelineLog'>,
  record: (entry: LoggedEntry) => void,
  onFailure?: () => void,
): () => void {
  return timelineLog.listen(
    'recording of outputs',
    (recorded) => {
      if ('entry' in recorded && isRecorded(recorded.entry)) record(recorded.entry);
    },
    onFailure,
  );
}

/** Requests are recorded as they arrive. What a simulator says of itself is no part of what a sandbox does. */
function isRecorded({ kind, terminalId }: LoggedEntry): boolean {
  return kind !== 'request' && !(terminalId?.startsWith('sim_') ?? false);
}

function headerOf({ services, title }: RecordingParts): TraceHeader {
  const { clock, realClock, settings } = services;
  return {
    format: TRACE_FORMAT,
    version: TRACE_VERSION,
    writtenBy: VERSION,
    title,
    sandbox: settings.sandbox ?? 'default',
    createdMs: Math.floor(realClock.nowMs()),
    clockMs: Math.floor(clock.nowMs()),
    seed: settings.seed ?? null,
    ...(clock.isVirtual && { virtualTime: true }),
    settings: replayedSettings(services),
  };
}

function replayedSettings({ settings }: Pick<Services, 'settings'>): ReplayedSettings {
  const { rateLimit, magicAmounts, walletDomainCheck, faults, retentionDays, publicUrl } = settings;
  return {
    ...sandboxSettingsOf(settings),
    rateLimit,
    publicUrl,
    ...(magicAmounts && { magicAmounts }),
    ...(walletDomainCheck && { walletDomainCheck }),
    ...(faults && { faults }),
    ...(retentionDays !== undefined && { retentionDays }),
  };
}

async function machinesOf(
  { dashboard }: RecordedServer,
  items: readonly TraceItem[],
): Promise<Trace['machines']> {
  const { ports, charts } = dashboard.parts;
  const machines = new Map(ports.machines.map((machine) => [machine.machineId, machine]));
  const terminals = new Set(
    items.flatMap((item) => (item.kind === 'output' ? (item.entry.terminalId ?? []) : [])),
  );
  for (const id of terminals) {
    const machine = await charts.of({ kind: 'terminal', id });
    if (machine) machines.set(machine.machineId, machine);
  }
  return [...machines.values()];
}
