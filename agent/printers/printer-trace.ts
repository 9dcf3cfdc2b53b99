import type { FrameTrace } from '../readers/frame-channel.ts';
import { isAtOnce } from './printer-answers.ts';
import {
  ASK_AT_ONCE,
  ASK_IN_TURN,
  CAUSE,
  CUT,
  ERROR,
  INITIALISE,
  OFFLINE,
  PAPER,
  RECOVER,
} from './printer-instructions.ts';

/** What is asked with `DLE EOT`, and what the bits of the answer say. */
interface Question {
  asks: string;
  /** The first that holds is said. */
  meanings: readonly (readonly [bits: number, words: string])[];
  otherwise: string;
}

const QUESTIONS: Readonly<Record<number, Question>> = {
  1: { asks: 'asks whether it is online', meanings: [[OFFLINE, 'it is offline']], otherwise: 'it is online' },
  2: {
    asks: 'asks what keeps it from printing',
    meanings: [
      [CAUSE.coverOpen, 'its cover is open'],
      [CAUSE.paperOut, 'it has no paper'],
      [CAUSE.fedByButton, 'its button feeds the paper'],
      [CAUSE.error, 'it has an error'],
    ],
    otherwise: 'nothing does',
  },
  3: {
    asks: 'asks for its error',
    meanings: [
      [ERROR.unrecoverable, 'it is broken'],
      [ERROR.cutter, 'its cutter is stuck'],
      [ERROR.mechanism, 'its mechanism is stuck'],
      [ERROR.hot, 'its head is too hot'],
    ],
    otherwise: 'it has none',
  },
  4: {
    asks: 'asks for its paper',
    meanings: [
      [PAPER.out, 'the paper is out'],
      [PAPER.low, 'the paper is near its end'],
    ],
    otherwise: 'there is paper enough',
  },
};

/** Stands for the answer to a question that has none. */
const NONE = -1;

/**
 * Adds to what is on the line of a receipt printer what it is in words. A question that is answered as before in the same
 * action is left out with its answer, and counted: a printer that waits for paper is asked four of them a second.
 */
export function withPrinterWords(trace: FrameTrace, actionId: () => string | undefined): FrameTrace {
  const answers = new Map<number, number>();
  let asked: { number: number; bytes: Uint8Array; isShown?: boolean } | undefined;
  let leftOut = 0;
  let shownAction: string | undefined;

  const show = (direction: 'out' | 'in', bytes: Uint8Array, words: string) => {
    trace(direction, bytes, words + missing(leftOut));
    leftOut = 0;
  };
  const showQuestion = () => {
    if (!asked || asked.isShown) return;
    show('out', asked.bytes, QUESTIONS[asked.number]?.asks ?? 'asks how it is');
    asked.isShown = true;
  };
  const answered = (answer: number, bytes?: Uint8Array) => {
    if (!asked) return;
    const { number, isShown = false } = asked;
    if (answers.get(number) === answer && !isShown) leftOut += 1;
    else {
      answers.set(number, answer);
      const row = QUESTIONS[number];
      showQuestion();
      if (bytes) show('in', bytes, row ? answerWords(row, answer) : 'says how it is');
    }
    asked = undefined;
  };

  return (direction, bytes, note) => {
    const action = actionId();
    if (action !== shownAction) {
      // What the action before asked and left out is not in the timeline of this one.
      answers.clear();
      asked = undefined;
      leftOut = 0;
    }
    shownAction = action;
    const [answer] = bytes;
    if (direction === 'in' && bytes.length === 1 && asked && answer !== undefined && isAtOnce(answer))
      return answered(answer, bytes);
    // What is asked next says that there is no answer; what else comes is before it.
    if (direction === 'out') answered(NONE);
    else showQuestion();
    const number = direction === 'out' ? questionIn(bytes) : undefined;
    if (number !== undefined) asked = { number, bytes: bytes.slice() };
    else show(direction, bytes, note ?? (direction === 'out' ? sentWords(bytes) : receivedWords(bytes)));
  };
}

function missing(questions: number): string {
  if (questions === 0) return '';
  if (questions === 1) return '; a question answered as before is left out';
  return `; ${questions} questions answered as before are left out`;
}

function answerWords({ meanings, otherwise }: Question, answer: number): string {
  return meanings.find(([bits]) => (answer & bits) !== 0)?.[1] ?? otherwise;
}

/** Returns the number of a question that is answered at once; undefined for what is none. */
function questionIn(bytes: Uint8Array): number | undefined {
  return begins(bytes, ASK_AT_ONCE) && bytes.length === 3 ? bytes[2] : undefined;
}

/** Names nothing of what is printed. */
function sentWords(bytes: Uint8Array): string {
  if (begins(bytes, RECOVER)) return 'tells it to go on';
  const sent = Buffer.from(bytes);
  const asks = sent.includes(Buffer.from(ASK_IN_TURN));
  if (asks && sent.length === ASK_IN_TURN.length) return 'asks whether all is printed';
  const parts = [
    begins(bytes, INITIALISE) ? 'a copy from its beginning' : 'the next of a copy',
    ...(sent.includes(Buffer.from(CUT)) ? ['its cut'] : []),
    ...(asks ? ['asks whether it is printed'] : []),
  ];
  return parts.join(', ');
}

const begins = (bytes: Uint8Array, instruction: readonly number[]) =>
  instruction.every((byte, index) => bytes[index] === byte);

function receivedWords(bytes: Uint8Array): string {
  const [answer = 0] = bytes;
  if (bytes.length === 1)
    return isAtOnce(answer) ? 'says how it is' : 'it has printed all before the question';
  return bytes.length === 4 ? 'it has changed' : `${bytes.length} bytes that nobody asked for`;
}
