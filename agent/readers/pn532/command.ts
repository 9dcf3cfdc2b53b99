import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { TFI } from './constants.ts';
import { ACK, informationFrame, NACK, type Frame } from './frame.ts';

// The chip acknowledges within 15 ms (UM0701-02 §6.2.1.5); a USB bridge may hold bytes back for 16 more.
const ACK_LIMIT_MS = 150;
const TRIES = 3;
// How often a corrupt response is requested again.
const NACKS = 3;

interface CommandParts {
  clock: Clock;
  channel: FrameChannel<Frame>;
}

interface CommandLimits {
  /** From the acknowledgement to the answer. */
  limitMs: number;
  /**
   * Whether the command may be sent again without a response. Never for a command that reaches a card, which may have
   * run it already.
   */
  repeatable: boolean;
}

/** The chip did not respond to a command: it is missing, or busy with a card. */
export class NoResponseError extends Fault {
  constructor(message: string) {
    super('reader', message);
  }
}

/**
 * Sends a command and returns the response data without its code (UM0701-02 §6.2.2). A response implies a lost
 * acknowledgement; a corrupt response is requested again.
 * @throws NoResponseError; Fault `reader` when the chip refuses the command or the line is gone.
 */
export async function command(
  { clock, channel }: CommandParts,
  code: number,
  parameters: Uint8Array,
  { limitMs, repeatable }: CommandLimits,
): Promise<Uint8Array> {
  const frame = informationFrame(TFI.hostToChip, Uint8Array.of(code, ...parameters));
  for (let left = repeatable ? TRIES : 1; left > 0; left--) {
    channel.clear();
    await channel.send(frame);
    const answer = await answerTo({ clock, channel }, code, limitMs);
    if (answer) return answer;
  }
  throw new NoResponseError(`the PN532 does not answer command ${hexByte(code)}`);
}

/** Aborts the running command of the chip (§6.2.1.3). */
export async function abort(channel: FrameChannel<Frame>): Promise<void> {
  await channel.send(ACK);
  channel.clear();
}

async function answerTo(parts: CommandParts, code: number, limitMs: number): Promise<Uint8Array | undefined> {
  const { clock, channel } = parts;
  let untilMs = clock.nowMs() + ACK_LIMIT_MS;
  let acknowledged = false;
  let nacksLeft = NACKS;
  for (;;) {
    const frame = await channel.receive(untilMs - clock.nowMs());
    if (!frame) return undefined;
    // Only the first acknowledgement starts the wait: later ones are noise.
    if (frame.kind === 'ack' && !acknowledged) {
      acknowledged = true;
      untilMs = clock.nowMs() + limitMs;
    }
    if (frame.kind === 'error') throw new Fault('reader', `the PN532 refuses command ${hexByte(code)}`);
    // Before the acknowledgement, a NACK could bring the response of the previous command, which looks the same.
    if (frame.kind === 'broken' && acknowledged && nacksLeft-- > 0) {
      untilMs = Math.max(untilMs, clock.nowMs() + ACK_LIMIT_MS);
      await channel.send(NACK);
    }
    // Other responses are late, or an echo of our command.
    if (frame.kind === 'information' && frame.tfi === TFI.chipToHost && frame.data[0] === code + 1) {
      return frame.data.subarray(1);
    }
  }
}

function hexByte(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
