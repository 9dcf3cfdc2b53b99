import { defineMessage } from '../message.ts';
import { withDescription, Id, Type } from '../schema.ts';
import { ActionStatus } from './action.messages.ts';

export const MachineDescribed = defineMessage({
  name: 'machine.described',
  audience: 'terminals',
  channel: 'reports',
  qos: 1,
  retain: true,
  summary: 'The shape of the action machine, so that the server can draw it without knowing it.',
  body: Type.Object({
    machineId: Type.String({ minLength: 1, maxLength: 60 }),
    definition: Type.Unknown({ description: 'The JSON definition of the XState machine' }),
  }),
});

export const MachineStepped = defineMessage({
  name: 'machine.stepped',
  audience: 'terminals',
  channel: 'reports',
  qos: 0,
  retain: false,
  summary: 'The machine took a step.',
  body: Type.Object({
    actionId: Id('action'),
    event: Type.String({ maxLength: 200 }),
    state: Type.String({ maxLength: 1_000, description: 'Dotted path of the active state' }),
    status: ActionStatus,
    deadlineMs: Type.Union([Type.Integer(), Type.Null()]),
    atMs: Type.Integer(),
  }),
});

/** Lines of a display and letters of one, beyond any that there is. */
export const LINES_MAX = 16;
export const LINE_LETTERS_MAX = 200;

export const DisplayShown = defineMessage({
  name: 'display.shown',
  audience: 'terminals',
  channel: 'reports',
  qos: 0,
  retain: false,
  summary: 'The display shows something else: what the cardholder reads now, without the PIN.',
  body: Type.Object({
    actionId: Type.Optional(withDescription(Id('action'), 'The action under way, or the last one')),
    lines: Type.Array(Type.String({ maxLength: LINE_LETTERS_MAX }), { maxItems: LINES_MAX }),
  }),
});

/** Longest frame that is shown whole. */
export const TRACED_BYTES_MAX = 1_024;

export const ReaderTraced = defineMessage({
  name: 'reader.traced',
  audience: 'terminals',
  channel: 'reports',
  qos: 0,
  retain: false,
  summary:
    'A frame passed between the terminal and its reader. Card numbers, names and PINs in it are masked.',
  body: Type.Object({
    actionId: Type.Optional(withDescription(Id('action'), 'The action under way')),
    direction: Type.Enum(['out', 'in'], { description: 'Seen from the terminal' }),
    bytes: Type.String({
      pattern: '^([0-9A-F]{2}|··)*$',
      maxLength: 2 * TRACED_BYTES_MAX,
      description: 'Upper-case hexadecimal; `··` for a byte that is masked',
    }),
    note: Type.Optional(Type.String({ maxLength: 200 })),
  }),
});
