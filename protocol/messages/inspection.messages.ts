import { defineMessage } from '../message.ts';
import { Id, Nullable, Type, withDescription, type Static } from '../schema.ts';
import { ActionStatus } from './action.messages.ts';
import { EntryMode } from './card-data.schema.ts';

/** Names of the scripts of a simulated cardholder. */
export const CardholderScript = Type.Enum(
  ['tap', 'contact-pin', 'wrong-pin-twice', 'remove-early', 'walk-away', 'press-cancel', 'none'],
  { description: 'What the simulated cardholder does from now on' },
);
export type CardholderScript = Static<typeof CardholderScript>;

export const MachineDescribed = defineMessage({
  name: 'machine.described',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: true,
  summary: 'Description of the action machine of the terminal, for the server to draw.',
  body: Type.Object({
    machineId: Type.String({ minLength: 1, maxLength: 60, description: 'Id of the state machine' }),
    definition: Type.Unknown({ description: 'The JSON definition of the XState machine' }),
  }),
});

/** More lines, and characters of a line, than any display has. */
export const LINES_MAX = 16;
export const LINE_LETTERS_MAX = 200;

/** The card at the reader of a simulated terminal. */
export const CardAtReader = Type.Object(
  {
    name: Type.String({ maxLength: 60, description: 'Name of the card profile' }),
    entryMode: EntryMode,
  },
  { description: 'Card in the slot of the reader, or in its field' },
);

/** What a device shows and holds in a state of its machine. */
export const DeviceState = Type.Object(
  {
    display: Type.Array(Type.String({ maxLength: LINE_LETTERS_MAX }), {
      maxItems: LINES_MAX,
      description: 'Lines that the display shows, without the PIN',
    }),
    card: Type.Optional(
      Nullable(CardAtReader, 'The card at the reader; null for none, absent when the terminal cannot know'),
    ),
    paperSheets: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Sheets of paper left, when the printer can count them' }),
    ),
    cardholder: Type.Optional(
      withDescription(CardholderScript, 'What the simulated cardholder does in this action'),
    ),
  },
  { description: 'What the device shows and holds in this state' },
);
export type DeviceState = Static<typeof DeviceState>;

export const MachineStepped = defineMessage({
  name: 'machine.stepped',
  audience: 'terminals',
  channel: 'reports',
  qos: 0,
  retain: false,
  summary: 'The action machine changed its state.',
  body: Type.Object({
    actionId: Id('action'),
    event: Type.String({ maxLength: 200, description: 'Type of the event that caused the step' }),
    state: Type.String({ maxLength: 1_000, description: 'Dotted path of the active state' }),
    status: ActionStatus,
    deadlineMs: Nullable(
      Type.Integer(),
      'Time at which the state times out: a Unix timestamp, in milliseconds. Null when it does not.',
    ),
    atMs: Type.Integer({ description: 'Time of the step: a Unix timestamp, in milliseconds' }),
    device: Type.Optional(DeviceState),
  }),
});

export const DisplayShown = defineMessage({
  name: 'display.shown',
  audience: 'terminals',
  channel: 'reports',
  qos: 0,
  retain: false,
  summary: 'The display changed. Contains the text for the cardholder, without the PIN.',
  body: Type.Object({
    actionId: Type.Optional(withDescription(Id('action'), 'The current or last action')),
    lines: Type.Array(Type.String({ maxLength: LINE_LETTERS_MAX }), {
      maxItems: LINES_MAX,
      description: 'Lines that the display shows',
    }),
  }),
});

/** Maximum length of a frame that is reported in full. */
export const TRACED_BYTES_MAX = 1_024;

export const ReaderTraced = defineMessage({
  name: 'reader.traced',
  audience: 'terminals',
  channel: 'reports',
  qos: 0,
  retain: false,
  summary:
    'A frame between the terminal and its reader, or its receipt printer. Card numbers, names and PINs are masked.',
  body: Type.Object({
    actionId: Type.Optional(withDescription(Id('action'), 'The current action')),
    direction: Type.Enum(['out', 'in'], { description: 'From the side of the terminal' }),
    bytes: Type.String({
      pattern: '^([0-9A-F]{2}|··)*$',
      maxLength: 2 * TRACED_BYTES_MAX,
      description: 'Upper-case hexadecimal; `··` for a byte that is masked',
    }),
    note: Type.Optional(Type.String({ maxLength: 200, description: 'What the frame is' })),
  }),
});

/** Most reports of a batch: as many of the longest as fit into a packet of 64 KiB. */
export const BATCHED_MAX = 10;

export const ReportsBatched = defineMessage({
  name: 'reports.batched',
  audience: 'terminals',
  channel: 'reports',
  qos: 0,
  retain: false,
  summary:
    'Several reports of QoS 0 in one message. The server handles each as if it came by itself, in order.',
  body: Type.Object({
    reports: Type.Array(
      Type.Object({
        name: Type.Enum([MachineStepped.name, DisplayShown.name, ReaderTraced.name], {
          description: 'Name of the report',
        }),
        body: Type.Unknown({ description: 'Payload of the report' }),
      }),
      { minItems: 1, maxItems: BATCHED_MAX, description: 'The reports, oldest first' },
    ),
  }),
});
