import { defineMessage } from '../message.ts';
import { Nullable, Type, withDescription, type Static } from '../schema.ts';
import { ENTRY_MODES } from '../value-lists.ts';
import { EntryMode } from './card-data.schema.ts';
import { ReceiptPrinterCondition } from './receipt-printer.messages.ts';
import { CardAtReader, CardholderScript, LINE_LETTERS_MAX, LINES_MAX } from './inspection.messages.ts';

const request = {
  requestId: Type.String({ maxLength: 64, description: 'Id that the server chose for the request' }),
};

const ACT = { description: 'Kind of act' };

/** How a simulated cardholder pays; the script has a value for each. */
export const CardholderMembers = {
  card: Type.Optional(Type.String({ description: 'Name of the card profile' })),
  entryMode: Type.Optional(
    Type.Enum([...ENTRY_MODES], {
      description: 'How the card is presented. By default as the script does.',
    }),
  ),
  pin: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4,12}$',
      description: 'PIN that is typed in place of the right one of the card',
      examples: ['4321'],
    }),
  ),
  delayMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 600_000,
      description: 'Time that the cardholder takes, in milliseconds',
    }),
  ),
};

/** Longest answer of a control; of a longer one the last lines are kept. */
export const ANSWER_LETTERS_MAX = 4_000;

/** What happens to a simulated terminal from outside: card, keys, power, network, reader, paper, controls, cardholder. */
export const SimulationAct = Type.Union([
  Type.Object({
    act: Type.Literal('present-card', ACT),
    card: Type.String({ description: 'Name of the card profile' }),
    entryMode: Type.Optional(
      Type.Enum([...ENTRY_MODES], {
        description: 'How the card is presented. By default the way that is usual for the card.',
      }),
    ),
  }),
  Type.Object({ act: Type.Literal('remove-card', ACT) }),
  Type.Object({
    act: Type.Literal('press-keys', ACT),
    keys: Type.Array(
      Type.Enum(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'enter', 'clear', 'cancel']),
      { minItems: 1, maxItems: 32, description: 'Keys to press, in order' },
    ),
  }),
  Type.Object({
    act: Type.Literal('power', ACT),
    state: Type.Enum(['off', 'on'], { description: 'Whether to switch the terminal on or off' }),
  }),
  Type.Object({
    act: Type.Literal('network', ACT),
    state: Type.Enum(['off', 'on'], { description: 'Whether the terminal has a network connection' }),
  }),
  Type.Object({
    act: Type.Literal('reader', ACT),
    state: Type.Enum(['unplugged', 'plugged-in'], {
      description: 'Whether the terminal has its card reader',
    }),
  }),
  Type.Object({
    act: Type.Literal('paper', ACT),
    sheets: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'Number of sheets of paper in the printer',
    }),
  }),
  Type.Object({
    act: Type.Literal('control', ACT),
    control: Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        'Name of a control of the payment terminal or receipt printer beside the terminal, as `tapbench twin` has it',
      examples: ['fault-after-approval'],
    }),
    argument: Type.Optional(
      Type.String({ maxLength: 40, description: 'What is typed after its name', examples: ['lost'] }),
    ),
  }),
  Type.Object({
    act: Type.Literal('cardholder', ACT),
    script: CardholderScript,
    ...CardholderMembers,
    actionId: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Action that it holds for, and no other; from now on for all others when absent',
      }),
    ),
  }),
]);
export type SimulationAct = Static<typeof SimulationAct>;

export const Simulate = defineMessage({
  name: 'simulate',
  audience: 'simulators',
  channel: 'commands',
  qos: 1,
  retain: false,
  summary:
    'Simulates an action at a terminal, such as presenting a card. The reply is `simulated` with the same request id.',
  body: Type.Object({ ...request, act: withDescription(SimulationAct, 'What the simulator has to do') }),
});

export const Simulated = defineMessage({
  name: 'simulated',
  audience: 'simulators',
  channel: 'reports',
  qos: 1,
  retain: false,
  summary: 'Result of `simulate`.',
  body: Type.Object({
    ...request,
    ok: Type.Boolean({ description: 'Whether the simulator did what was requested' }),
    problem: Type.Optional(
      Type.String({ maxLength: 500, description: 'Reason why it did not; absent when it did' }),
    ),
    terminal: Type.Optional(
      Type.Object(
        {
          power: Type.Enum(['off', 'on'], { description: 'Whether the terminal is switched on' }),
          network: Type.Enum(['off', 'on'], { description: 'Whether the terminal has a network connection' }),
          paperSheets: Type.Integer({ description: 'Number of sheets of paper left in the printer' }),
          screen: Type.Array(Type.String({ maxLength: LINE_LETTERS_MAX }), {
            maxItems: LINES_MAX,
            description: 'Lines that the screen shows',
          }),
          card: Type.Optional(Nullable(CardAtReader, 'The card at the reader; null for none')),
          cardholder: Type.Optional(
            withDescription(CardholderScript, 'What the cardholder does in the action at the reader'),
          ),
          printer: Type.Optional(
            withDescription(
              ReceiptPrinterCondition,
              'The receipt printer beside the terminal; absent where there is none',
            ),
          ),
          answer: Type.Optional(
            Type.String({
              maxLength: ANSWER_LETTERS_MAX,
              description:
                'What the control has to say, such as the receipts that were printed; of a long answer the last lines, after the line `… earlier left out`',
            }),
          ),
          typedDigits: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 12,
              description: 'Number of PIN digits typed so far, one star each on the screen',
            }),
          ),
        },
        { description: 'State of the simulated terminal after the request' },
      ),
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
    'The cards of a simulator, for a list to choose from. The topic contains the id of the simulator in place of a terminal id.',
  body: Type.Object({
    cards: Type.Array(
      Type.Object({
        name: Type.String({
          maxLength: 60,
          description: 'Name of the card profile, as `present-card` expects it',
        }),
        title: Type.String({ maxLength: 200, description: 'Name of the card, for display' }),
        entryModes: Type.Array(EntryMode, {
          maxItems: 8,
          description: 'How the card can be presented; the first is the default',
        }),
        hasPin: Type.Boolean({ description: 'Whether the card has a PIN' }),
      }),
      { maxItems: 200, description: 'Cards that the simulator can present' },
    ),
  }),
});
