import { defineMessage } from '../message.ts';
import { Type, type Static } from '../schema.ts';
import { EntryMode } from './action.messages.ts';
import { LINE_LETTERS_MAX, LINES_MAX } from './inspection.messages.ts';

const request = { requestId: Type.String({ maxLength: 64 }) };

/** What the world around a simulated terminal can be told to do. */
export const SimulationAct = Type.Union([
  Type.Object({
    act: Type.Literal('present-card'),
    card: Type.String({ description: 'Name of a card profile' }),
    entryMode: Type.Optional(Type.Enum(['Contactless', 'Contact', 'Swipe', 'Wallet'])),
  }),
  Type.Object({ act: Type.Literal('remove-card') }),
  Type.Object({
    act: Type.Literal('press-keys'),
    keys: Type.Array(
      Type.Enum(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'enter', 'clear', 'cancel']),
      { minItems: 1, maxItems: 32 },
    ),
  }),
  Type.Object({ act: Type.Literal('power'), state: Type.Enum(['off', 'on']) }),
  Type.Object({ act: Type.Literal('network'), state: Type.Enum(['off', 'on']) }),
  Type.Object({ act: Type.Literal('paper'), sheets: Type.Integer({ minimum: 0, maximum: 10_000 }) }),
  Type.Object({
    act: Type.Literal('cardholder'),
    script: Type.Enum([
      'tap',
      'contact-pin',
      'wrong-pin-twice',
      'remove-early',
      'walk-away',
      'press-cancel',
      'none',
    ]),
    card: Type.Optional(Type.String()),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  }),
]);
export type SimulationAct = Static<typeof SimulationAct>;

export const Simulate = defineMessage({
  name: 'simulate',
  audience: 'simulators',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary: 'Act on the world around a simulated terminal. Answered by `simulated` with the same request id.',
  body: Type.Object({ ...request, act: SimulationAct }),
});

export const Simulated = defineMessage({
  name: 'simulated',
  audience: 'simulators',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary: 'Done, or why not.',
  body: Type.Object({
    ...request,
    ok: Type.Boolean(),
    problem: Type.Optional(Type.String({ maxLength: 500 })),
    terminal: Type.Optional(
      Type.Object({
        power: Type.Enum(['off', 'on']),
        network: Type.Enum(['off', 'on']),
        paperSheets: Type.Integer(),
        screen: Type.Array(Type.String({ maxLength: LINE_LETTERS_MAX }), { maxItems: LINES_MAX }),
      }),
    ),
  }),
});

export const CardsOffered = defineMessage({
  name: 'cards.offered',
  audience: 'simulators',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary:
    'The cards that a simulator has, for who asks a person to choose one. Its own id stands in the topic in place of a terminal.',
  body: Type.Object({
    cards: Type.Array(
      Type.Object({
        name: Type.String({ maxLength: 60, description: 'As `present-card` knows it' }),
        title: Type.String({ maxLength: 200 }),
        entryModes: Type.Array(EntryMode, { maxItems: 8, description: 'The first one is usual' }),
        hasPin: Type.Boolean(),
      }),
      { maxItems: 200 },
    ),
  }),
});
