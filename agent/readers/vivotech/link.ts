import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameChannel } from '../frame-channel.ts';
import {
  ANSWER_LIMIT_MS,
  COMMANDS,
  SEND_TRIES,
  STATUS,
  HOST_REQUEST,
  type CommandName,
} from './constants.ts';
import { encodeCommand, encodeResponse, type VivotechFrame } from './frame.ts';
import { statusText } from './transaction-result.ts';

/** Sends commands to the reader and receives responses, during an exchange. */
export interface VivotechLink {
  /** Sends a repeatable command and returns its data. @throws Fault `timed_out`, or `reader` for a status not `ok`. */
  exchange(name: CommandName, data?: Uint8Array): Promise<Uint8Array>;
  /**
   * Runs a command with a card. The response may take `limitMs` from the last frame of the reader, and `longestMs` in
   * all. Returns undefined after that, or once `signal` is aborted.
   */
  runCommand(name: CommandName, data: Uint8Array, options: RunOptions): Promise<VivotechFrame | undefined>;
}

interface RunOptions {
  limitMs: number;
  /** The default is enough for a cardholder who enters a PIN several times. */
  longestMs?: number;
  signal: AbortSignal;
  /** Handles a request of the reader to the host (61-xx). @returns the data of the response. */
  onHostRequest?(subCommand: number, data: Uint8Array): Promise<Uint8Array>;
}

// Interval at which a wait checks its signal.
const SLICE_MS = 250;
const LONGEST_MS = 300_000;

export function createLink(channel: FrameChannel<VivotechFrame>, clock: Clock): VivotechLink {
  const send = (name: CommandName, data: Uint8Array) => {
    const [command, code] = COMMANDS[name];
    return channel.send(encodeCommand({ command, code, data }));
  };
  /** Waits for the response to a command, and skips other frames, which are late. */
  const answer = async (name: CommandName, limitMs: number): Promise<VivotechFrame | undefined> => {
    const endMs = clock.nowMs() + limitMs;
    for (;;) {
      const frame = await channel.receive(endMs - clock.nowMs());
      if (!frame || frame.command === COMMANDS[name][0]) return frame;
    }
  };
  return {
    async exchange(name, data = new Uint8Array(0)) {
      for (let tries = 0; tries < SEND_TRIES; tries += 1) {
        channel.clear();
        await send(name, data);
        const frame = await answer(name, ANSWER_LIMIT_MS);
        if (frame?.code === STATUS.ok) return frame.data;
        // Send the command again without a response, or if it arrived corrupt.
        if (!frame || frame.code === STATUS.crcError) continue;
        throw new Fault('reader', `the reader says: ${statusText(frame.code)}`);
      }
      throw new Fault('timed_out', 'the reader does not answer');
    },
    async runCommand(name, data, { limitMs, longestMs = LONGEST_MS, signal, onHostRequest }) {
      channel.clear();
      await send(name, data);
      const lastMs = clock.nowMs() + longestMs;
      const limit = () => Math.min(clock.nowMs() + limitMs, lastMs);
      let endMs = limit();
      while (clock.nowMs() < endMs && !signal.aborted) {
        const frame = await channel.receive(Math.min(SLICE_MS, endMs - clock.nowMs()));
        if (frame?.command === HOST_REQUEST) {
          const reply = (await onHostRequest?.(frame.code, frame.data)) ?? new Uint8Array(0);
          await channel.send(encodeResponse({ command: HOST_REQUEST, code: STATUS.ok, data: reply }));
          endMs = limit();
        } else if (frame?.command === COMMANDS[name][0]) {
          const goesOn = frame.code === STATUS.working || frame.code === STATUS.userInterfaceEvent;
          if (!goesOn) return frame;
          endMs = limit();
        }
      }
      return undefined;
    },
  };
}
