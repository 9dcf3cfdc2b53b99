import type { Apdu } from './apdu.ts';
import { abort } from './commands.ts';
import { ABORT_LIMIT_MS, ANSWER_LIMIT_MS, CONTROL, REFUSAL_CLASS, WORK_LIMIT_MS } from './constants.ts';
import { ABORTED_BY_HAND, FUNCTION_NOT_POSSIBLE } from './results.ts';
import { readStatus, type TransactionStatus } from './status-information.ts';
import { isAnswer, POSITIVE, refusal, type Talk } from './transport-layer.ts';

/** How a command ended. `silent`: the terminal said nothing for too long, and nobody knows what it did. */
export type Ending =
  | { type: 'completed'; data: Uint8Array }
  | { type: 'aborted'; code: number }
  | { type: 'refused'; code: number }
  | { type: 'silent' };

/** What the terminal tells on the way. Each is answered before it is told. */
export interface Listener {
  status?(status: TransactionStatus): void;
  print?(apdu: Apdu): void;
}

/** Somebody's wish that a running command be aborted. */
export interface Stop {
  readonly asked: boolean;
  readonly promise: Promise<void>;
  ask(): void;
}

export function createStop(): Stop {
  let asked = false;
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return {
    get asked() {
      return asked;
    },
    promise,
    ask() {
      asked = true;
      resolve();
    },
  };
}

/**
 * Sends a command and stays with it until the terminal completes or aborts it (PA00P016 §4): the terminal
 * leads, and each thing it says is answered by 80 00 00.
 * @param stop has the command aborted (06 B0); how it ends is the terminal's word all the same.
 * @throws Fault `reader` when the line goes.
 */
export async function converse(
  talk: Talk,
  command: Apdu,
  listener: Listener = {},
  stop?: Stop,
): Promise<Ending> {
  await talk.send(command);
  for (;;) {
    const answer = await talk.next(ANSWER_LIMIT_MS);
    if (!answer) return { type: 'silent' };
    if (isAnswer(answer)) {
      const refused = answer.control >> 8 === REFUSAL_CLASS && (answer.control & 0xff) !== 0;
      return refused ? { type: 'refused', code: answer.control & 0xff } : follow(talk, listener, stop);
    }
    // What belongs to the command before may still be under way.
    const ending = await hear(talk, answer, listener);
    if (ending) return ending;
  }
}

/** Listens to what the terminal says until it is done, `quietMs` at the longest between two things. */
export async function follow(
  talk: Talk,
  listener: Listener,
  stop?: Stop,
  quietMs: number = WORK_LIMIT_MS,
): Promise<Ending> {
  let aborting = false;
  for (;;) {
    if (stop?.asked && !aborting) {
      aborting = true;
      await talk.send(abort);
    }
    const limitMs = aborting ? Math.min(quietMs, ABORT_LIMIT_MS) : quietMs;
    const apdu = await talk.next(limitMs, aborting ? undefined : stop?.promise);
    if (!apdu && stop?.asked && !aborting) continue;
    if (!apdu) return { type: 'silent' };
    // An answer can only be the one to our abort: whether it is granted, the ending shows.
    if (isAnswer(apdu)) continue;
    const ending = await hear(talk, apdu, listener);
    if (ending) return ending;
  }
}

async function hear(talk: Talk, apdu: Apdu, listener: Listener): Promise<Ending | undefined> {
  const { control, data } = apdu;
  const known = [
    CONTROL.statusInformation,
    CONTROL.intermediateStatus,
    CONTROL.printLine,
    CONTROL.printTextBlock,
    CONTROL.completion,
    CONTROL.aborted,
  ] as number[];
  const ending = endingOf(apdu);
  try {
    await talk.send(known.includes(control) ? POSITIVE : refusal(FUNCTION_NOT_POSSIBLE));
  } catch (error) {
    // The terminal's last word stands, whether or not it hears that we heard it.
    if (!ending) throw error;
  }
  if (control === CONTROL.statusInformation) listener.status?.(readStatus(data, talk.characterSet));
  if (control === CONTROL.printLine || control === CONTROL.printTextBlock) listener.print?.(apdu);
  return ending;
}

function endingOf({ control, data }: Apdu): Ending | undefined {
  if (control === CONTROL.completion) return { type: 'completed', data };
  if (control === CONTROL.aborted) return { type: 'aborted', code: data[0] ?? ABORTED_BY_HAND };
  return undefined;
}
