import { createFrameMask } from '../../../agent/readers/frame-mask.ts';
import { Fault, messageOf } from '../../../protocol/failures.ts';
import { parseOutsideJson } from '../../../protocol/outside-json.ts';
import { checker, Type, type Static } from '../../../protocol/schema.ts';
import { readFileOf } from '../../command-line/command.ts';

const FORMAT = 'tapbench-doctor-1';

/** Hexadecimal with ·· for each byte that is hidden. */
const Bytes = Type.String({ pattern: '^([0-9A-F]{2}|··)*$' });

/** What a driver and its device did, with the instant in milliseconds since the start. */
const RecordedEvent = Type.Object(
  {
    atMs: Type.Number(),
    /** Index of the step in which it was. */
    step: Type.Number(),
    event: Type.Union([
      Type.Literal('opened'),
      Type.Literal('notOpened'),
      Type.Literal('sent'),
      Type.Literal('received'),
      Type.Literal('closed'),
      Type.Literal('called'),
    ]),
    /** What was sent or received, on a line, or in a call of the smart card service. */
    sent: Type.Optional(Bytes),
    received: Type.Optional(Bytes),
    /** Why a port was not opened or was closed; of a call the function with what it was given. */
    note: Type.Optional(Type.String()),
    isLocal: Type.Optional(Type.Boolean()),
    /** What a call returned. */
    code: Type.Optional(Type.Number()),
    handle: Type.Optional(Type.Number()),
    state: Type.Optional(Type.Number()),
    names: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
);
export type RecordedEvent = Static<typeof RecordedEvent>;

const SavedStep = Type.Object({
  step: Type.String(),
  ok: Type.Boolean(),
  detail: Type.String(),
  advice: Type.Optional(Type.String()),
  showsCards: Type.Optional(Type.Boolean()),
  tookMs: Type.Number(),
});
export type SavedStep = Static<typeof SavedStep>;

const SavedExamination = Type.Object({
  format: Type.Literal(FORMAT),
  tapbench: Type.String(),
  node: Type.String(),
  platform: Type.String(),
  arch: Type.String(),
  release: Type.String(),
  driver: Type.String(),
  port: Type.String(),
  startedAt: Type.String(),
  /** Source of the random numbers of the driver. */
  seed: Type.String(),
  steps: Type.Array(SavedStep),
  /** Absent where the bytes are sealed with secrets of the user. */
  events: Type.Optional(Type.Array(RecordedEvent)),
});
export type SavedExamination = Static<typeof SavedExamination>;

const problemsOf = checker(SavedExamination);

function isSaved(value: unknown): value is SavedExamination {
  return problemsOf(value).length === 0;
}

/** Reads a file of `tapbench doctor --save`. @throws Fault `bad_setting` when it is none. */
export function readExamination(file: string): SavedExamination {
  const text = readFileOf(file).toString('utf8');
  let value: unknown;
  try {
    value = parseOutsideJson(text);
  } catch (error) {
    throw new Fault('bad_setting', `${file} is no file of 'tapbench doctor --save': ${messageOf(error)}`);
  }
  if (isSaved(value)) return value;
  const [first] = problemsOf(value);
  throw new Fault(
    'bad_setting',
    `${file} is no file of 'tapbench doctor --save': ${first?.path} ${first?.message}`,
  );
}

/** Adds the format to an examination, and hides the data of cards and cardholders in its bytes. */
export function savedExamination(
  examination: Omit<SavedExamination, 'format' | 'events'>,
  events: readonly RecordedEvent[] | undefined,
): SavedExamination {
  return { format: FORMAT, ...examination, ...(events && { events: maskEvents(events, examination.steps) }) };
}

/**
 * Masks the bytes of each direction. Pieces that follow each other without one of the other direction are masked as a
 * whole, since a number may be split between them.
 */
function maskEvents(events: readonly RecordedEvent[], steps: readonly SavedStep[]): RecordedEvent[] {
  const masked = events.map((event) => ({ ...event }));
  for (const direction of ['sent', 'received'] as const) {
    const masks = { anywhere: createFrameMask(), wholeFields: createFrameMask({ numbers: 'wholeFields' }) };
    for (const pieces of groupsOf(masked, direction)) {
      const whole = pieces.map((event) => event[direction]).join('');
      // What a driver sends to examine a device has no data of a card.
      const showsCards =
        direction === 'received' &&
        pieces.some(({ step }) => steps[step] === undefined || steps[step].showsCards === true);
      let shown = masks[showsCards ? 'anywhere' : 'wholeFields'](Buffer.from(whole, 'hex'));
      for (const piece of pieces) {
        const { length } = piece[direction] ?? '';
        piece[direction] = shown.slice(0, length);
        shown = shown.slice(length);
      }
    }
  }
  return masked;
}

function groupsOf(events: RecordedEvent[], direction: 'sent' | 'received'): RecordedEvent[][] {
  const groups: RecordedEvent[][] = [[]];
  for (const event of events) {
    if (event[direction] !== undefined) groups.at(-1)!.push(event);
    if (event[direction] === undefined || event.event === 'called') groups.push([]);
  }
  return groups.filter((group) => group.length > 0);
}
