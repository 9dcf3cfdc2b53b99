import { checker, EpochMs, Nullable, Type, type Static } from '../../protocol/schema.ts';
import type { MachineShape } from '../dashboard/view.ts';
import { UPLOAD_BYTES_MAX } from '../platform/http/bodies/body-limits.ts';
import { OwnSettings } from '../platform/own-settings.schema.ts';
import { RETENTION_DAYS_MAX } from '../platform/settings.ts';
import type { SnapshotHeader } from '../sandboxes/snapshots/snapshot-format.schema.ts';
import type { TraceItem } from './trace-item.schema.ts';

/** Version of the format that this program writes, and the newest that it reads. */
export const TRACE_VERSION = 2;

/** Name of the format, in the first line of each file. */
export const TRACE_FORMAT = 'tapbench-trace';

/** Content type of a trace. */
export const TRACE_TYPE = 'application/gzip';

/** Settings of a server that change what it does. A replay gets the same. */
export const ReplayedSettings = Type.Object({
  rateLimit: Type.Enum(['on', 'off']),
  magicAmounts: Type.Optional(Type.Enum(['on', 'off'])),
  walletDomainCheck: Type.Optional(Type.Enum(['on', 'off'])),
  ...OwnSettings.properties,
  faults: Type.Optional(Type.Enum(['on', 'off'])),
  retentionDays: Type.Optional(Type.Integer({ minimum: 1, maximum: RETENTION_DAYS_MAX })),
  publicUrl: Type.String({ pattern: '^https?://' }),
});
export type ReplayedSettings = Static<typeof ReplayedSettings>;

/**
 * First line of a trace. A trace is lines of JSON, compressed with gzip: the header; the machines; the snapshot with which
 * it begins; what happened, in order; the summary; and the end.
 */
export const TraceHeader = Type.Object({
  format: Type.Literal(TRACE_FORMAT),
  version: Type.Integer({ minimum: 1 }),
  /** Version of the program that wrote it. */
  writtenBy: Type.String(),
  title: Type.String(),
  /** Name of the sandbox. */
  sandbox: Type.String(),
  /** Real time of the beginning, epoch milliseconds. */
  createdMs: EpochMs,
  /** Time of the sandbox at the beginning, epoch milliseconds. */
  clockMs: EpochMs,
  /** Seed of the sandbox; null for none. */
  seed: Nullable(Type.String()),
  /** Set when it was recorded on virtual time, as in a test world. */
  virtualTime: Type.Optional(Type.Literal(true)),
  settings: ReplayedSettings,
});
export type TraceHeader = Static<typeof TraceHeader>;

/** Returns the settings with which a trace was recorded. Of an earlier version, idempotency keys always worked. */
export function settingsOfTrace({ settings }: TraceHeader): ReplayedSettings {
  return { idempotencyKeys: 'on', ...settings };
}
export const checkTraceHeader = checker(TraceHeader);

/** The snapshot with which a trace begins, masked: its lines but for header and end. */
export interface TraceSnapshot {
  header: SnapshotHeader;
  lines: unknown[];
}

/** A machine, which `readTree` checks when it is drawn. */
const TraceMachines = Type.Object({
  machines: Type.Array(Type.Object({ machineId: Type.String(), definition: Type.Unknown() })),
});
export const checkTraceMachines = checker(TraceMachines);

/** A secret of the recorded sandbox, which a placeholder `{{secret:NUMBER}}` stands for. */
const TraceSecret = Type.Object({
  number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  /** What it is; null for one that is recognised by its form or its name alone. */
  of: Nullable(Type.Enum(['secretKey', 'publicKey', 'hostKey', 'dashboardToken', 'pairingSecret'])),
  /** What it begins with; the same in a replay, except for ids in it. */
  prefix: Type.String(),
  /** Characters after the prefix. */
  length: Type.Integer({ minimum: 0, maximum: UPLOAD_BYTES_MAX }),
  isUuid: Type.Boolean(),
});
export type TraceSecret = Static<typeof TraceSecret>;

/** After the items. */
const TraceSummary = Type.Object({
  secrets: Type.Array(TraceSecret),
  /** Time of the sandbox at the end, epoch milliseconds. */
  endMs: EpochMs,
  /** Set when nothing was under way at the end. */
  settled: Type.Optional(Type.Literal(true)),
  /** Whether the recording ended because it was as large as it may be. */
  isCut: Type.Boolean(),
  /** Reasons why it cannot be replayed, in words. */
  notReplayable: Type.Array(Type.String()),
  /** What a hunt found: that it goes wrong. */
  found: Type.Optional(
    Type.Object({
      verdict: Type.String(),
      /** What happened, and the money of each order beside the books, a line each. */
      story: Type.Array(Type.String()),
    }),
  ),
});
type TraceSummary = Static<typeof TraceSummary>;
export const checkTraceSummary = checker(TraceSummary);

/** A trace as it is read. */
export interface Trace {
  header: TraceHeader;
  machines: MachineShape[];
  snapshot: TraceSnapshot;
  items: TraceItem[];
  summary: TraceSummary;
}
