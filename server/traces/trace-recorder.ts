import { VERSION } from '../../protocol/version.ts';
import type { Dashboard } from '../dashboard/serve-dashboard.ts';
import { recordedView } from '../dashboard/recorder.ts';
import type { RecordedEntry } from '../dashboard/recording.ts';
import type { Services } from '../platform/services.ts';
import { copySandbox } from './copy-sandbox.ts';
import { maskedSnapshot } from './mask-snapshot.ts';
import { createItems, type Items, type TraceLimits } from './trace-items.ts';
import { createSecretBook, type SecretBook } from './secret-book.ts';
import { watchTerminals } from './watch-terminals.ts';
import { watchTraffic } from './watch-traffic.ts';
import {
  TRACE_FORMAT,
  TRACE_VERSION,
  type ReplayedSettings,
  type Trace,
  type TraceHeader,
  type TraceSnapshot,
} from './trace-format.schema.ts';

/** A recording of a sandbox that is under way, or has ended. */
export interface TraceRecorder {
  readonly header: TraceHeader;
  /** Items recorded so far, and their size in characters of JSON. */
  readonly size: { items: number; characters: number };
  /** Time of the sandbox at which it ended; undefined while it is under way. */
  readonly endMs: number | undefined;
  /** Ends the recording, unless it has ended, and returns it. */
  stop(): Promise<Trace>;
}

interface RecorderParts {
  services: Services;
  dashboard: Pick<Dashboard, 'recorder' | 'parts'>;
  title: string;
  limits: TraceLimits;
}

/** Starts a recording: copies the sandbox, and records everything from that moment on. */
export async function startRecorder(parts: RecorderParts): Promise<TraceRecorder> {
  const { services, limits } = parts;
  const { clock } = services;
  const book = createSecretBook(services.settings);
  const items = createItems(clock, limits, () => end());
  let watched: { end(): void; terminals: ReturnType<typeof watchTerminals> } | undefined;
  let endMs: number | undefined;

  function end(): void {
    if (endMs !== undefined) return;
    endMs = clock.nowMs();
    watched?.end();
  }

  let header: TraceHeader | undefined;
  const lines = await copySandbox(services, () => {
    header = headerOf(parts);
    watched = watchAll(parts, { items, book });
  });
  const snapshot: TraceSnapshot = maskedSnapshot(book, lines);
  watched!.terminals.knows(snapshot);

  return {
    header: header!,
    get size() {
      return items.size;
    },
    get endMs() {
      return endMs;
    },
    async stop() {
      end();
      await watched!.terminals.settled();
      return {
        header: header!,
        machines: await machinesOf(parts, items),
        snapshot,
        items: items.inOrder(),
        summary: {
          secrets: book.secrets(),
          endMs: endMs!,
          isCut: items.isFull,
          notReplayable: watched!.terminals.obstacles(),
        },
      };
    },
  };
}

function watchAll(
  { services, dashboard }: RecorderParts,
  { items, book }: { items: Items; book: SecretBook },
) {
  const terminals = watchTerminals(services, items);
  const ends = [
    terminals.end,
    watchTraffic(services, { items, book }),
    dashboard.recorder.listen((recorded) => {
      if (!('entry' in recorded) || !isRecorded(recorded.entry)) return;
      items.add({ kind: 'output', entry: recordedView(recorded.entry) });
    }),
  ];
  return { terminals, end: () => ends.forEach((each) => each()) };
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
    settings: replayedSettings(services),
  };
}

function replayedSettings({ settings }: Services): ReplayedSettings {
  const { rateLimit, magicAmounts, walletDomainCheck, retentionDays, publicUrl } = settings;
  return {
    rateLimit,
    publicUrl,
    ...(magicAmounts && { magicAmounts }),
    ...(walletDomainCheck && { walletDomainCheck }),
    ...(retentionDays !== undefined && { retentionDays }),
  };
}

async function machinesOf({ dashboard }: RecorderParts, items: Items): Promise<Trace['machines']> {
  const { ports, charts } = dashboard.parts;
  const machines = new Map(ports.machines.map((machine) => [machine.machineId, machine]));
  const terminals = new Set(
    items.inOrder().flatMap((item) => (item.kind === 'output' ? (item.entry.terminalId ?? []) : [])),
  );
  for (const id of terminals) {
    const machine = await charts.of({ kind: 'terminal', id });
    if (machine) machines.set(machine.machineId, machine);
  }
  return [...machines.values()];
}
