import { Fault } from '../../../protocol/failures.ts';
import { isAnswer, POSITIVE, refusal, type Apdu } from './apdu.ts';
import { COMMAND, RESULT } from './codes.ts';
import type { RegisterLine } from './register-line.ts';

/** T3 of the manual: from a message to its answer (PA00P016 §3.2.6). */
const ANSWER_LIMIT_MS = 5_000;

/** The cash register while the terminal works for it: hears what the terminal tells, and may abort. */
export interface Till {
  /** Whether the cash register asked to abort. */
  readonly abortAsked: boolean;
  /** Tells something and waits for its 80 00 00. @throws Fault `reader` when none comes. */
  tell(apdu: Apdu): Promise<void>;
  /** Waits for something at the terminal, while listening to the cash register. */
  waitFor(happens: Promise<unknown>, limitMs: number): Promise<'happened' | 'abortAsked' | 'timeout'>;
}

/** @param canAbort whether an abort is granted at present; one that comes too late is refused (84). */
export function createTill(line: RegisterLine, canAbort: () => boolean): Till {
  let abortAsked = false;
  const hear = async (apdu: Apdu) => {
    const isAbort = apdu.control === COMMAND.abort;
    if (isAbort && canAbort()) abortAsked = true;
    await line.send(isAbort && canAbort() ? POSITIVE : refusal(RESULT.pleaseWait));
  };
  return {
    get abortAsked() {
      return abortAsked;
    },
    async tell(apdu) {
      await line.send(apdu);
      for (;;) {
        const heard = await line.next(ANSWER_LIMIT_MS);
        if (!heard) throw new Fault('reader', 'the cash register does not answer');
        if (isAnswer(heard)) return;
        await hear(heard);
      }
    },
    async waitFor(happens, limitMs) {
      let happened = false;
      const mark = happens.then(() => (happened = true));
      for (;;) {
        const heard = await line.next(limitMs, mark);
        if (happened) {
          if (heard && !isAnswer(heard)) await hear(heard);
          return abortAsked ? 'abortAsked' : 'happened';
        }
        if (!heard) return 'timeout';
        if (!isAnswer(heard)) await hear(heard);
        if (abortAsked) return 'abortAsked';
      }
    },
  };
}
