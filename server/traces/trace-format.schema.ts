import type { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { checker, Type, type Static } from '../../protocol/schema.ts';
import type { MachineShape, TimelineEntry } from '../dashboard/view.ts';
import type { OutgoingAnswer } from '../platform/traffic.ts';
import type { SnapshotHeader } from '../sandboxes/snapshots/snapshot-format.schema.ts';

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
  idempotencyKeys: Type.Optional(Type.Enum(['on', 'off'])),
  strict: Type.Optional(Type.Enum(['on', 'off'])),
  retentionDays: Type.Optional(Type.Integer({ minimum: 1 })),
  publicUrl: Type.String(),
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
  createdMs: Type.Integer({ minimum: 0 }),
  /** Time of the sandbox at the beginning, epoch milliseconds. */
  clockMs: Type.Integer({ minimum: 0 }),
  /** Seed of the sandbox; null for none. */
  seed: Type.Union([Type.String(), Type.Null()]),
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

/** Content of a request: a text, JSON, or a form whose file is not in the trace. */
export type TraceBody =
  | { json: unknown }
  | { text: string }
  | {
      form: unknown;
      file: { name: string; contentType: string; bytes: number; sha256: string } | null;
    };

interface Placed {
  /** Counts up over all items of a trace. */
  seq: number;
  /** Time of the sandbox, epoch milliseconds. */
  atMs: number;
  /** Real time since the beginning, in milliseconds; of a test, in which the clock of the sandbox stands still. */
  realMs?: number;
}

/** What came from outside. */
interface TraceInput extends Placed {
  /** Set when nothing was under way at that moment. */
  settled?: true;
}

/** A request that arrived. */
export interface TraceCall extends TraceInput {
  kind: 'call';
  method: string;
  /** Path with its query. */
  url: string;
  headers: Record<string, string>;
  /** Null without one, or when it was not read. */
  body: TraceBody | null;
}

/** The answer to a request. */
export interface TraceReply extends Placed {
  kind: 'reply';
  /** `seq` of the call. */
  call: number;
  /** Null when the connection was closed before the answer. */
  status: number | null;
  headers: Record<string, string>;
  body: TraceBody | null;
}

/** What happened to a simulated terminal without a request. */
interface TraceAct extends TraceInput {
  kind: 'act';
  terminalId: string;
  act: SimulationAct;
}

/** A simulated terminal that joined. */
interface TraceTerminal extends Placed {
  kind: 'terminal';
  terminalId: string;
  deviceType?: string;
  /** Options of its cardholder. */
  cardholder?: unknown;
  /** Latency of its reader; that of the device unless given. */
  readLatencyMs?: number;
}

/** What another server answered, such as the endpoint of a webhook. */
export interface TraceAnswer extends Placed {
  kind: 'answer';
  /** `allowed` is no request: it says whether the host may be called. */
  request: 'POST' | 'GET' | 'allowed';
  url: string;
  /** The event that was delivered; null for none. */
  sent: unknown;
  answer: OutgoingAnswer['answer'];
}

/**
 * What the sandbox did, as the dashboard shows it: messages, serial bytes, steps of machines, entries of the ledger, events,
 * webhooks.
 */
export interface TraceOutput extends Placed {
  kind: 'output';
  entry: TimelineEntry;
}

export type TraceItem = TraceCall | TraceReply | TraceAct | TraceTerminal | TraceAnswer | TraceOutput;

/** The items of one kind. */
export type ItemOf<K extends TraceItem['kind']> = Extract<TraceItem, { kind: K }>;

/** A secret of the recorded sandbox, which a placeholder `{{secret:NUMBER}}` stands for. */
export interface TraceSecret {
  number: number;
  /** What it is; null for one that is recognised by its form or its name alone. */
  of: 'secretKey' | 'publicKey' | 'hostKey' | 'dashboardToken' | 'pairingSecret' | null;
  /** What it begins with; the same in a replay, except for ids in it. */
  prefix: string;
  /** Characters after the prefix. */
  length: number;
  isUuid: boolean;
}

/** After the items. */
interface TraceSummary {
  secrets: TraceSecret[];
  /** Time of the sandbox at the end, epoch milliseconds. */
  endMs: number;
  /** Set when nothing was under way at the end. */
  settled?: true;
  /** Whether the recording ended because it was as large as it may be. */
  isCut: boolean;
  /** Reasons why it cannot be replayed, in words. */
  notReplayable: string[];
}

/** A trace as it is read. */
export interface Trace {
  header: TraceHeader;
  machines: MachineShape[];
  snapshot: TraceSnapshot;
  items: TraceItem[];
  summary: TraceSummary;
}
