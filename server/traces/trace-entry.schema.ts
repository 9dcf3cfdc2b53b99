import { DeviceState } from '../../protocol/messages/inspection.messages.ts';
import { EpochMs, Nullable, Type } from '../../protocol/schema.ts';

const Text = Type.String();
const Texts = Type.Unsafe<readonly string[]>(Type.Array(Text));

/** What the dashboard shows of one thing that a sandbox did, as a trace has it: a `TimelineEntry`. */
export const TraceEntry = Type.Object({
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
