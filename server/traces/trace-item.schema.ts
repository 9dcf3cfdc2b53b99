import { DeviceState } from '../../protocol/messages/inspection.messages.ts';
import { EpochMs, Nullable, Type, checker, type Static } from '../../protocol/schema.ts';
import { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { UPLOAD_BYTES_MAX } from '../platform/http/bodies/body-limits.ts';

const Text = Type.String();
const Texts = Type.Unsafe<readonly string[]>(Type.Array(Text));

/** What the dashboard shows of one thing that a sandbox did, as a trace has it: a `TimelineEntry`. */
const TraceEntry = Type.Object({
  seq: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  atMs: EpochMs,
  realMs: Type.Optional(Type.Number({ minimum: 0 })),
  lane: Type.Enum(['api', 'wire', 'machine', 'events']),
  kind: Type.Enum([
    'request',
    'act',
    'mqtt.command',
    'mqtt.report',
    'mqtt.refused',
    'fault.plan',
    'fault',
    'serial.out',
    'serial.in',
    'step',
    'posting',
    'event',
    'webhook',
  ]),
  terminalId: Nullable(Text),
  actionId: Nullable(Text),
  objectId: Nullable(Text),
  title: Text,
  tone: Type.Enum(['plain', 'good', 'bad', 'warn']),
  detail: Type.Unknown(),
  /** Of a message between server and terminal. Traces that were written before it was recorded have it as the first word of the title. */
  message: Type.Optional(Text),
  bytes: Type.Optional(Text),
  plan: Type.Optional(Type.Object({ planId: Text, title: Text, faults: Texts })),
  fault: Type.Optional(Type.Object({ planId: Text, what: Text, at: Text, subject: Text })),
  step: Type.Optional(
    Type.Object({
      machineId: Text,
      event: Text,
      from: Nullable(Text),
      state: Text,
      deadlineMs: Nullable(Type.Number()),
      device: Type.Optional(DeviceState),
    }),
  ),
});

const Count = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

// Not `Type.Record`: its key pattern does not match a key with a line break.
const Headers = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: Text });

const placed = {
  /** Counts up over all items of a trace. */
  seq: Count,
  /** Time of the sandbox, epoch milliseconds. */
  atMs: EpochMs,
  /** Real time since the beginning, in milliseconds; of a test, in which the clock of the sandbox stands still. */
  realMs: Type.Optional(Type.Number({ minimum: 0 })),
};

/** Of what came from outside: set when nothing was under way at that moment. */
const settled = { settled: Type.Optional(Type.Literal(true)) };

/** Content of a request: a text, JSON, or a form whose file is not in the trace. */
const TraceBody = Type.Union([
  Type.Object({ json: Type.Unknown() }),
  Type.Object({ text: Text }),
  Type.Object({
    form: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
    file: Nullable(
      Type.Object({
        name: Text,
        contentType: Text,
        bytes: Type.Integer({ minimum: 0, maximum: UPLOAD_BYTES_MAX }),
        sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      }),
    ),
  }),
]);
export type TraceBody = Static<typeof TraceBody>;

/** A request that arrived. */
const TraceCall = Type.Object({
  kind: Type.Literal('call'),
  ...placed,
  ...settled,
  method: Type.String({ pattern: '^[A-Z]+(-[A-Z]+)?$', maxLength: 20 }),
  /** Path with its query. */
  url: Text,
  headers: Headers,
  /** Null without one, or when it was not read. */
  body: Nullable(TraceBody),
});
export type TraceCall = Static<typeof TraceCall>;

/** The answer to a request. */
const TraceReply = Type.Object({
  kind: Type.Literal('reply'),
  ...placed,
  /** `seq` of the call. */
  call: Count,
  /** Null when the connection was closed before the answer. */
  status: Nullable(Type.Integer({ minimum: 100, maximum: 599 })),
  headers: Headers,
  body: Nullable(TraceBody),
});
export type TraceReply = Static<typeof TraceReply>;

/** Keys at a terminal, of which digits are placeholders. */
const MaskedKeys = Type.Object({
  act: Type.Literal('press-keys'),
  keys: Type.Unsafe<Extract<SimulationAct, { act: 'press-keys' }>['keys']>({
    type: 'array',
    items: Type.String({ pattern: '^(\\{\\{(pin|wrong):\\d{1,3}\\}\\}|[0-9]|enter|clear|cancel)$' }),
    maxItems: 32,
  }),
});

/** What happened to a simulated terminal without a request. */
const TraceAct = Type.Object({
  kind: Type.Literal('act'),
  ...placed,
  ...settled,
  terminalId: Text,
  act: Type.Union([SimulationAct, MaskedKeys]),
});

/** A simulated terminal that joined. */
const TraceTerminal = Type.Object({
  kind: Type.Literal('terminal'),
  ...placed,
  terminalId: Text,
  deviceType: Type.Optional(Text),
  /** What is beside it: a payment terminal by its language, or a receipt printer; nothing unless given. */
  twin: Type.Optional(Text),
  /** Options of its cardholder. */
  cardholder: Type.Optional(Type.Unknown()),
  /** Latency of its reader; that of the device unless given. */
  readLatencyMs: Type.Optional(Type.Number({ minimum: 0, maximum: 600_000 })),
});

const answered = { kind: Type.Literal('answer'), ...placed, url: Text };
const Problem = Type.Object({ problem: Text });
const Status = Type.Integer({ minimum: 100, maximum: 999 });

/** What another server answered, such as the endpoint of a webhook. `sent` is the event that was delivered; null for none. */
const TraceAnswer = Type.Union([
  Type.Object({
    ...answered,
    request: Type.Literal('POST'),
    sent: Type.Unknown(),
    answer: Type.Union([
      Type.Object({
        status: Status,
        headers: Type.Unsafe<Record<string, string | string[] | undefined>>({
          type: 'object',
          additionalProperties: Type.Union([Text, Type.Array(Text)]),
        }),
        body: Text,
        isCut: Type.Boolean(),
      }),
      Problem,
    ]),
  }),
  Type.Object({
    ...answered,
    request: Type.Literal('GET'),
    sent: Type.Null(),
    answer: Type.Union([Type.Object({ status: Status, contentType: Text, body: Text }), Problem]),
  }),
  // No request: it says whether the host may be called.
  Type.Object({
    ...answered,
    request: Type.Literal('allowed'),
    sent: Type.Null(),
    answer: Type.Boolean(),
  }),
]);
export type TraceAnswer = Static<typeof TraceAnswer>;

/**
 * What the sandbox did, as the dashboard shows it: messages, serial bytes, steps of machines, entries of the ledger, events,
 * webhooks.
 */
const TraceOutput = Type.Object({ kind: Type.Literal('output'), ...placed, entry: TraceEntry });
export type TraceOutput = Static<typeof TraceOutput>;

const ITEMS = {
  call: TraceCall,
  reply: TraceReply,
  act: TraceAct,
  terminal: TraceTerminal,
  answer: TraceAnswer,
  output: TraceOutput,
};

/** What happened in a sandbox, or was recorded of it. */
export type TraceItem = Static<(typeof ITEMS)[keyof typeof ITEMS]>;

/** The items of one kind. */
export type ItemOf<K extends TraceItem['kind']> = Extract<TraceItem, { kind: K }>;

const CHECKS = new Map(Object.entries(ITEMS).map(([kind, schema]) => [kind, checker(schema)]));

/** Returns the problems of an item of a trace, none when it is valid. */
export function checkTraceItem(value: unknown): ReturnType<ReturnType<typeof checker>> {
  const { kind } = (value ?? {}) as { kind?: unknown };
  const check = CHECKS.get(kind as string);
  return check
    ? check(value)
    : [{ path: 'kind', message: `must be one of ${[...CHECKS.keys()].join(', ')}` }];
}
