import type { Clock } from '../../protocol/clock.ts';
import type { FrameChannel } from '../readers/frame-channel.ts';
import type { PrinterAnswer } from './printer-answers.ts';
import { ASK_AT_ONCE, ASK_IN_TURN, CAUSE, ERROR, OFFLINE, PAPER, RECOVER } from './printer-instructions.ts';

/** How a printer is, as it says itself. */
export interface PrinterCondition {
  /** Why it prints nothing, in words; undefined while it prints. */
  problem: string | undefined;
  isPaperOut: boolean;
  isPaperLow: boolean;
  /** Whether the cutter or the mechanism stopped, from which it recovers when told to. */
  isRecoverable: boolean;
}

const ANSWER_LIMIT_MS = 1_000;
/** What is sent at once: on a line of 1,200 baud it takes two of the five seconds of a write. */
const PART_BYTES = 256;

/** What is asked of a printer on one open connection. */
export interface PrinterConnection {
  /** Returns how the printer is; undefined when it does not answer within a second. */
  readCondition(): Promise<PrinterCondition | undefined>;
  /** Tells the printer to go on after an error of the cutter or the mechanism. */
  recover(): Promise<void>;
  /** Sends pieces one behind another, with a question behind each that is answered in turn. */
  print(...pieces: (Uint8Array | number[])[]): Promise<void>;
  /** Waits for at most `limitMs` until the first pieces of the last print are printed. Returns whether they are. */
  isPrinted(pieces: number, limitMs: number): Promise<boolean>;
}

export function createPrinterConnection(
  channel: FrameChannel<PrinterAnswer>,
  clock: Clock,
): PrinterConnection {
  let printed = 0;
  const next = async (limitMs: number) => {
    const answer = await channel.receive(limitMs);
    if (answer?.kind === 'inTurn') printed += 1;
    return answer;
  };
  const ask = async (number: number): Promise<number | undefined> => {
    // What is here already answers an earlier question, which was given up.
    while (await next(-1));
    await channel.send(Uint8Array.of(...ASK_AT_ONCE, number));
    const endMs = clock.nowMs() + ANSWER_LIMIT_MS;
    for (;;) {
      const answer = await next(endMs - clock.nowMs());
      if (answer?.kind === 'atOnce') return answer.bits;
      if (!answer) return undefined;
    }
  };
  return {
    async readCondition() {
      const answers: number[] = [];
      for (const number of [1, 2, 3, 4]) {
        const answer = await ask(number);
        if (answer === undefined) return undefined;
        answers.push(answer);
      }
      return conditionOf(answers);
    },
    recover: () => channel.send(Uint8Array.from(RECOVER)),
    async print(...pieces) {
      // An answer to an earlier question says nothing of these pieces.
      channel.clear();
      printed = 0;
      const bytes = Uint8Array.from(pieces.flatMap((piece) => [...piece, ...ASK_IN_TURN]));
      for (let at = 0; at < bytes.length; at += PART_BYTES)
        await channel.send(bytes.subarray(at, at + PART_BYTES));
    },
    async isPrinted(pieces, limitMs) {
      const endMs = clock.nowMs() + limitMs;
      while (printed < pieces) if (!(await next(endMs - clock.nowMs()))) break;
      return printed >= pieces;
    },
  };
}

function conditionOf([printer = 0, cause = 0, error = 0, paper = 0]: number[]): PrinterCondition {
  const isPaperOut = (paper & PAPER.out) !== 0 || (cause & CAUSE.paperOut) !== 0;
  return {
    problem: problemOf({ printer, cause, error, isPaperOut }),
    isPaperOut,
    isPaperLow: !isPaperOut && (paper & PAPER.low) !== 0,
    isRecoverable: (error & (ERROR.mechanism | ERROR.cutter)) !== 0 && (error & ERROR.unrecoverable) === 0,
  };
}

interface Answers {
  printer: number;
  cause: number;
  error: number;
  isPaperOut: boolean;
}

function problemOf({ printer, cause, error, isPaperOut }: Answers): string | undefined {
  if (error & ERROR.unrecoverable) return 'the printer is broken: switch it off and on';
  if (cause & CAUSE.coverOpen) return 'the cover is open';
  if (isPaperOut) return 'there is no paper';
  if (error & ERROR.cutter) return 'the cutter is stuck';
  if (error & ERROR.mechanism) return 'the mechanism is stuck';
  if (error & ERROR.hot) return 'the head is too hot: it cools down by itself';
  if (cause & CAUSE.fedByButton) return 'its button feeds the paper';
  return printer & OFFLINE ? 'the printer is offline' : undefined;
}
