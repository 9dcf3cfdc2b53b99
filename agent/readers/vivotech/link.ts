import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { ANSWER_LIMIT_MS, COMMANDS, SEND_TRIES, STATUS, TO_HOST, type CommandName } from './constants.ts';
import { encodeCommand, encodeResponse, type VivotechFrame } from './frame.ts';
import { statusText } from './transaction-result.ts';

/** Commands to the reader and its answers, over a line that is ours. */
export interface VivotechLink {
  /** A command that may be sent again without harm. @throws Fault `timed_out`, or `reader` for a status not `ok`. */
  ask(name: CommandName, data?: Uint8Array): Promise<Uint8Array>;
  /**
   * A command with which the reader works with a card. Its answer may take `limitMs` from the last word of the
   * reader; undefined when it does not come by then, or `signal` is aborted first.
   */
  work(name: CommandName, data: Uint8Array, work: Work): Promise<VivotechFrame | undefined>;
}

interface Work {
  limitMs: number;
  signal: AbortSignal;
  /** The reader turns to the host (61-xx). @returns the data of the response. */
  turnsToHost?(subCommand: number, data: Uint8Array): Promise<Uint8Array>;
}

// How soon a wait notices that it is over.
const SLICE_MS = 250;

export function createLink(channel: FrameChannel<VivotechFrame>, clock: Clock): VivotechLink {
  const send = (name: CommandName, data: Uint8Array) => {
    const [command, code] = COMMANDS[name];
    return channel.send(encodeCommand({ command, code, data }));
  };
  /** The answer to a command; what else comes is from before. */
  const answer = async (name: CommandName, limitMs: number): Promise<VivotechFrame | undefined> => {
    const endMs = clock.nowMs() + limitMs;
    for (;;) {
      const frame = await channel.receive(Math.max(endMs - clock.nowMs(), 0));
      if (!frame || frame.command === COMMANDS[name][0]) return frame;
    }
  };
  return {
    async ask(name, data = new Uint8Array(0)) {
      for (let tries = 0; tries < SEND_TRIES; tries += 1) {
        channel.clear();
        await send(name, data);
        const frame = await answer(name, ANSWER_LIMIT_MS);
        if (frame?.code === STATUS.ok) return frame.data;
        // A command that was hurt on the way is sent again, as is one without an answer.
        if (!frame || frame.code === STATUS.crcError) continue;
        throw new Fault('reader', `the reader says: ${statusText(frame.code)}`);
      }
      throw new Fault('timed_out', 'the reader does not answer');
    },
    async work(name, data, { limitMs, signal, turnsToHost }) {
      channel.clear();
      await send(name, data);
      let endMs = clock.nowMs() + limitMs;
      while (clock.nowMs() < endMs && !signal.aborted) {
        const frame = await channel.receive(Math.min(SLICE_MS, endMs - clock.nowMs()));
        if (frame?.command === TO_HOST) {
          const reply = (await turnsToHost?.(frame.code, frame.data)) ?? new Uint8Array(0);
          await channel.send(encodeResponse({ command: TO_HOST, code: STATUS.ok, data: reply }));
          endMs = clock.nowMs() + limitMs;
        } else if (frame?.command === COMMANDS[name][0]) {
          const goesOn = frame.code === STATUS.working || frame.code === STATUS.userInterfaceEvent;
          if (!goesOn) return frame;
          endMs = clock.nowMs() + limitMs;
        }
      }
      return undefined;
    },
  };
}
