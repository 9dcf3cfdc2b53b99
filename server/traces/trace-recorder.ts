import { VERSION } from '../../protocol/version.ts';
import type { Dashboard } from '../dashboard/serve-dashboard.ts';
import { recordedView } from '../dashboard/recorder.ts';
import type { RecordedEntry } from '../dashboard/recording.ts';
import type { TimelineEntry } from '../dashboard/view.ts';
import type { Services } from '../platform/services.ts';
import { sandboxSettingsOf } from '../platform/settings.ts';
import { copySandbox } from './copy-sandbox.ts';
import { maskedLines } from './mask-snapshot.ts';
import { packedSnapshot, unpackedSnapshot, type PackedSnapshot } from './packed-snapshot.ts';
import { packedTraceFile, type PackedTrace } from './trace-file.ts';
import type { TraceItem } from './trace-item.schema.ts';
import { createItems, type TraceLimits } from './trace-items.ts';
import { createSecretBook } from './secret-book.ts';
import { createSettledWatch } from './settled-watch.ts';
import { watchTerminals } from './watch-terminals.ts';
import { watchTraffic, type RecordedTo } from './watch-traffic.ts';
import {
  TRACE_FORMAT,
  TRACE_VERSION,
  type ReplayedSettings,
  type Trace,
  type TraceHeader,
} from './trace-format.schema.ts';

/** A recording of a sandbox that is under way, or has ended. */
export interface TraceRecorder {
  readonly header: TraceHeader;
  /** Items recorded so far. */
  readonly size: number;
  /** Time of the sandbox at which it ended; undefined while it is under way. */
  readonly endMs: number | undefined;
  /** Ends the recording, unless it has ended. */
  end(): void;
  /** Ends the recording, unless it has ended, and returns it. */
  stop(): Promise<Trace>;
  /** Ends the recording, unless it has ended, and returns the bytes of its file. */
  file(): Promise<Buffer>;
  /** Goes on with the server that was started after this one ended. Such a recording cannot be replayed. */
  continueWith(server: RecordedServer, ended: ServerEnd): void;
}

/** How a server ended before another was started on its store. */
export type ServerEnd = 'killed' | 'stopped';

/** The server of a sandbox that is recorded. */
export interface RecordedServer {
  services: Services;
  dashboard: Pick<Dashboard, 'recorder' | 'parts'>;
  /** Returns whether the sandbox has nothing to do. */
  idle(): boolean;
}

interface RecorderParts extends RecordedServer {
  title: string;
  limits: TraceLimits;
  /** Returns the real time since any moment, in milliseconds; where the clock of the sandbox stands still by itself. */
  realMs?: () => number;
  /** Whether items are made, and masked, when the trace is: for recordings of which few become a trace. */
  isLazy?: boolean;
}

/** A recording whose snapshot is made later. */
export interface SpanRecorder extends Pick<TraceRecorder, 'header' | 'size' | 'endMs' | 'continueWith'> {
  /** @param reason why the trace cannot be replayed then, in words */
  end(reason?: string): void;
  /** Takes note of the simulated terminals with which the recording begins, as exported. */
  knowsTerminals(terminals: unknown): void;
  /** Takes the lines of the snapshot with which the recording began, its header first. */
  beginsWith(lines: AsyncIterable<readonly unknown[]>): Promise<void>;
  /** Returns what was recorded so far. */
  trace(): Promise<PackedTrace>;
}

/** Starts a recording: copies the sandbox, and records everything from that moment on. */
export async function startRecorder(parts: RecorderParts): Promise<TraceRecorder> {
  let span: SpanRecorder | undefined;
  try {
    await copySandbox(parts.services, {
      atCopy(terminals) {
        // Of a copy that is made again.
        span?.end();
        span = recordSpan(parts);
        span.knowsTerminals(terminals);
      },
      take: (lines) => span!.beginsWith(lines),
    });
  } catch (thrown) {
    span?.end();
    throw thrown;
  }
  return recorderOf(span!);
}

function recorderOf(span: SpanRecorder): TraceRecorder {
  const { header, end, trace, continueWith } = span;
  return {
    header,
    get size() {
      return span.size;
    },
    get endMs() {
      return span.endMs;
    },
    end: () => end(),
    async stop() {
      end();
      return unpackedTrace(await trace());
    },
    async file() {
      end();
      return packedTraceFile(await trace());
    },
    continueWith,
  };
}

/** Returns a trace with all lines of its snapshot. */
async function unpackedTrace(trace: PackedTrace): Promise<Trace> {
  return { ...trace, snapshot: await unpackedSnapshot(trace.snapshot) };
}

/** Records everything from now on, without a copy of the sandbox. */
export function recordSpan(parts: RecorderParts): SpanRecorder {
  const { services, limits, realMs, isLazy = false } = parts;
  const { clock } = services;
  const book = createSecretBook(services.settings);
  let server: RecordedServer = parts;
  const settledWatch = createSettledWatch(() => server.idle());
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
  let watched = watchServer(parts, to);

  function end(reason?: string): void {
    if (endMs !== undefined) return;
    if (reason !== undefined) reasons.push(reason);
    endMs = clock.nowMs();
    isSettled = settledWatch.isSettled();
    watched.end();
    terminals.end();
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
      watched.cut();
      server = next;
      terminals.continueWith(next.services);
      watched = watchServer(next, to);
      addOnce(reasons, `the server was ${ended} and started again, which a replay does not do`);
    },
    async trace() {
      await terminals.settled();
      const recorded = items.inOrder();
      return {
        header,
        machines: await machinesOf(server, recorded),
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
    },
  };
}

/** Returns in words what is under way in a sandbox because of a fault, and in no copy of it. */
function heldBack({ faults, gateway }: Services): string[] {
  return [...(faults?.heldBack() ?? []), ...(gateway.isKeptAway ? ['the broker'] : [])];
}

function addOnce(reasons: string[], reason: string): void {
  if (!reasons.includes(reason)) reasons.push(reason);
}

function watchServer({ services, dashboard }: RecordedServer, to: RecordedTo) {
  const traffic = watchTraffic(services, to);
  const unlisten = listenForOutputs(
    dashboard,
    (entry) => void to.items.add(() => ({ kind: 'output', entry: recordedView(entry) })),
    to.onFailure,
  );
  return {
    end() {
      traffic.end();
      unlisten();
    },
    cut() {
      traffic.cut();
      unlisten();
    },
  };
}

/** Calls `record` with each entry of the dashboard that belongs into a trace. Returns the function that ends it. */
export function watchOutputs(
  dashboard: Pick<Dashboard, 'recorder'>,
  record: (entry: TimelineEntry) => void,
): () => void {
  return listenForOutputs(dashboard, (entry) => record(recordedView(entry)));
}

function listenForOutputs(
  { recorder }: Pick<Dashboard, 'recorder'>,
  record: (entry: RecordedEntry) => void,
  onFailure?: () => void,
): () => void {
  return recorder.listen(
    'recording of outputs',
    (recorded) => {
      if ('entry' in recorded && isRecorded(recorded.entry)) record(recorded.entry);
    },
    onFailure,
  );
}

/** Requests are recorded as they arrive. What a simulator says of itself is no part of what a sandbox does. */
function isRecorded({ kind, terminalId }: RecordedEntry): boolean {
  return kind !== 'request' && !(terminalId?.startsWith('sim_') ?? false);
}

function headerOf({ services, title }: RecorderParts): TraceHeader {
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

function replayedSettings({ settings }: Services): ReplayedSettings {
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
