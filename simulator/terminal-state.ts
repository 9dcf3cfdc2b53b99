import { Fault } from '../protocol/failures.ts';
import { EntryMode, MaskedCard } from '../protocol/messages/card-data.schema.ts';
import { CardholderScript } from '../protocol/messages/inspection.messages.ts';
import { ReportedReversal } from '../protocol/messages/reversal.messages.ts';
import { FAULT_POINTS, PRINTER_STATES } from '../protocol/receipt-printer.ts';
import { checker, EpochMs, Nullable, Type, type Static } from '../protocol/schema.ts';
import { cardNamed } from './cards/card-registry.ts';

const whole = { additionalProperties: false };
const CardName = Type.String({ description: 'Name of a card profile' });
const OnOrOff = Type.Enum(['off', 'on']);

const JournalEntry = Type.Object(
  {
    actionId: Type.String(),
    snapshot: Type.Unknown(),
    nextSeq: Type.Integer(),
    lastSeqSeen: Type.Integer(),
  },
  whole,
);

const AgentState = Type.Object(
  {
    action: Nullable(JournalEntry),
    isDormant: Type.Boolean(),
    lastSnapshot: Type.Unknown(),
    endedActionIds: Type.Array(Type.String()),
  },
  whole,
);

const ReaderState = Type.Object(
  {
    phase: Type.Enum(['idle', 'awaitingCard', 'reading', 'busy', 'awaitingPin']),
    present: Nullable(
      Type.Object({ card: CardName, entryMode: EntryMode, used: Type.Boolean() }, whole),
      'The card in the slot or field',
    ),
    readCard: Nullable(CardName, 'The card that was read in this action'),
    readAtMs: Nullable(EpochMs, 'When the card in the slot or field is read'),
    typedDigits: Type.String({ pattern: '^[0-9]{0,12}$' }),
    pinTriesLeft: Type.Record(CardName, Type.Integer({ minimum: 0 })),
    unplugged: Type.Optional(Type.Boolean()),
  },
  whole,
);
export type ReaderState = Static<typeof ReaderState>;

const cardholderOptions = {
  script: CardholderScript,
  card: Type.Optional(CardName),
  entryMode: Type.Optional(EntryMode),
  pin: Type.Optional(Type.String({ pattern: '^[0-9]{4,12}$' })),
  delayMs: Type.Optional(Type.Number({ minimum: 0 })),
};

const CardholderState = Type.Object(
  {
    options: Type.Object(cardholderOptions, whole),
    bound: Type.Optional(Type.Array(Type.Object({ ...cardholderOptions, actionId: Type.String() }, whole))),
    promptCount: Type.Object(
      { card: Type.Integer({ minimum: 0 }), pin: Type.Integer({ minimum: 0 }) },
      whole,
    ),
    next: Nullable(
      Type.Object(
        { step: Type.Enum(['present', 'pressCancel', 'typeRight', 'typeWrong']), atMs: EpochMs },
        whole,
      ),
      'The step that the cardholder is about to take',
    ),
  },
  whole,
);
export type CardholderState = Static<typeof CardholderState>;

const PrinterState = Type.Object(
  {
    sheets: Type.Integer({ minimum: 0 }),
    printed: Type.Array(
      Type.Object({ copy: Type.Enum(['merchantCopy', 'customerCopy']), text: Type.String() }, whole),
    ),
  },
  whole,
);
export type PrinterState = Static<typeof PrinterState>;

const Lines = Type.Array(Type.String());
const Transaction = Type.Object(
  {
    kind: Type.Enum(['payment', 'refund', 'reservation', 'reversal']),
    receiptNumber: Type.Integer(),
    traceNumber: Type.Integer(),
    amountMinor: Type.Integer(),
    currency: Type.String({ pattern: '^[0-9]{4}$' }),
    card: MaskedCard,
    authorisationCode: Type.String(),
    resultCode: Type.Integer(),
    atMs: EpochMs,
    reversed: Type.Boolean(),
  },
  whole,
);

/** What a stand-alone payment terminal remembers. */
const TwinState = Type.Object(
  {
    terminalId: Type.String({ pattern: '^[0-9]{8}$' }),
    journal: Type.Array(Transaction),
    last: Nullable(Transaction, 'The last transaction'),
    nextReceipt: Type.Integer({ minimum: 1 }),
    nextTrace: Type.Integer({ minimum: 1 }),
    numbered: Type.Optional(
      Type.Array(Type.Object({ actionId: Type.String(), number: Type.Integer({ minimum: 1 }) }, whole)),
    ),
    language: Type.Optional(Type.Enum(['de', 'en', 'fr', 'it'])),
    display: Lines,
    pinTries: Type.Record(CardName, Type.Integer({ minimum: 0 })),
    hasPaper: Type.Boolean(),
    printed: Type.Array(Lines),
    unprinted: Type.Array(Lines),
    responses: Type.Optional(
      Type.Array(
        Type.Object(
          { message: Type.String(), atMs: EpochMs, response: Type.Record(Type.String(), Type.Unknown()) },
          whole,
        ),
      ),
    ),
    lastResult: Type.Optional(Lines),
    timeline: Type.Array(Type.Object({ atMs: EpochMs, event: Type.String(), state: Type.String() }, whole)),
  },
  whole,
);
export type TwinState = Static<typeof TwinState>;

/** How the receipt printer beside a terminal stands. */
const ReceiptPrinterState = Type.Object(
  {
    settings: Type.Object(
      {
        dots: Type.Integer({ minimum: 12, maximum: 1_024 }),
        rollLines: Type.Integer({ minimum: 0 }),
        nearEndLines: Type.Integer({ minimum: 0 }),
        drawerOpenPin: Type.Enum(['high', 'low']),
      },
      whole,
    ),
    memory: Type.Object(
      {
        dotsLeft: Type.Integer({ minimum: 0 }),
        reportsNearEnd: Type.Boolean(),
        cover: Type.Enum(['open', 'closed']),
        error: Type.Enum(['none', 'cutter', 'mechanical', 'unrecoverable', 'head hot']),
        drawer: Type.Enum(['open', 'closed']),
        printed: Type.Integer({ minimum: 0 }),
      },
      whole,
    ),
    faults: Type.Array(
      Type.Object(
        {
          state: Type.Enum([...PRINTER_STATES]),
          point: Type.Enum([...FAULT_POINTS]),
          nth: Type.Integer({ minimum: 1 }),
        },
        whole,
      ),
    ),
  },
  whole,
);
export type ReceiptPrinterState = Static<typeof ReceiptPrinterState>;

/**
 * State of a simulated terminal and of its surroundings, as JSON. Version 1. Cards are named by their profiles, so it
 * holds no card number; it holds the digits of a test card's PIN that were typed so far.
 */
export const SimulatedTerminalState = Type.Object(
  {
    version: Type.Literal(1),
    power: OnOrOff,
    network: OnOrOff,
    agent: AgentState,
    reader: ReaderState,
    cardholder: CardholderState,
    printer: PrinterState,
    twin: Type.Optional(TwinState),
    reversalReports: Type.Optional(Type.Array(ReportedReversal)),
    receiptPrinter: Type.Optional(ReceiptPrinterState),
  },
  whole,
);
export type SimulatedTerminalState = Static<typeof SimulatedTerminalState>;

const check = checker(SimulatedTerminalState);

/**
 * Validates the state of a terminal. The agent validates its snapshots.
 * @throws Fault `terminal_state`, naming the field, when it is not valid or of a newer version.
 */
export function parseTerminalState(value: unknown): SimulatedTerminalState {
  const problem = problemOf(value);
  if (problem !== undefined) throw new Fault('terminal_state', `the state of the terminal ${problem}`);
  return value as SimulatedTerminalState;
}

function problemOf(value: unknown): string | undefined {
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version === 'number' && version > 1) {
    return `has version ${version}; this version of tapbench reads 1`;
  }
  const problem = check(value)[0];
  if (problem) return `is not valid: ${problem.path} ${problem.message}`;
  const { reader, cardholder } = value as SimulatedTerminalState;
  if ((reader.phase === 'reading') !== (reader.readAtMs !== null && reader.present?.used === true)) {
    return 'is not valid: /reader reads a card that it does not have';
  }
  const named = [reader.present?.card, reader.readCard, cardholder.options.card];
  const unknown = [...named, ...Object.keys(reader.pinTriesLeft)].find(
    (name) => name != null && !cardNamed(name),
  );
  return unknown == null ? undefined : `names the card ${unknown.slice(0, 40)}, which there is not`;
}
