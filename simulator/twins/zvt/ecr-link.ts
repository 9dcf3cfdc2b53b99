import { Fault } from '../../../protocol/failures.ts';
import { isAnswer, POSITIVE, refusal, type Apdu } from './apdu.ts';
import { COMMAND, RESULT } from './codes.ts';
import type { EcrTransport } from './ecr-transport.ts';

/** T3: from a message to its acknowledgement (PA00P016 §3.2.6). */
const ANSWER_LIMIT_MS = 5_000;

/** The ECR during a command: receives messages of the terminal, and may abort the command. */
export interface EcrLink {
  /** Whether the ECR has requested an abort. */
  readonly abortRequested: boolean;
  /** Sends a message and waits for 80 00 00. @throws Fault `reader` without it. */
  send(apdu: Apdu): Promise<void>;
  /** Waits for a promise at the terminal, while handling an abort of the ECR. */
  waitFor(happens: Promise<unknown>, limitMs: number): Promise<'happened' | 'abortRequested' | 'timeout'>;
}

/** @param canAbort returns whether an abort is allowed at present; otherwise it is refused (84). */
export function createEcrLink(line: EcrTransport, canAbort: () => boolean): EcrLink {
  let abortRequested = false;
  const handleCommand = async (apdu: Apdu) => {
    const isAbort = apdu.control === COMMAND.abort;
    if (isAbort && canAbort()) abortRequested = true;
    await line.send(isAbort && canAbort() ? POSITIVE : refusal(RESULT.pleaseWait));
  };
  return {
    get abortRequested() {
      return abortRequested;
    },
    async send(apdu) {
      await line.send(apdu);
      for (;;) {
        const message = await line.next(ANSWER_LIMIT_MS);
        if (!message) throw new Fault('reader', 'the ECR does not acknowledge');
        if (isAnswer(message)) return;
        await handleCommand(message);
      }
    },
    async waitFor(happens, limitMs) {
      let happened = false;
      const mark = happens.then(() => (happened = true));
      for (;;) {
        const message = await line.next(limitMs, mark);
        if (happened) {
          if (message && !isAnswer(message)) await handleCommand(message);
          return abortRequested ? 'abortRequested' : 'happened';
        }
        if (!message) return 'timeout';
        if (!isAnswer(message)) await handleCommand(message);
        if (abortRequested) return 'abortRequested';
      }
    },
  };
}
