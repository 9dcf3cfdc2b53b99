import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { messageFrame, NAK_FRAME, type Frame, type Message } from './frame.ts';

/** Commands (CCID 1.1 §6.1). */
export const COMMAND = {
  setParameters: 0x61,
  iccPowerOn: 0x62,
  iccPowerOff: 0x63,
  getSlotStatus: 0x65,
  escape: 0x6b,
  xfrBlock: 0x6f,
} as const;

/** Answers (CCID 1.1 §6.2). */
const ANSWER = { dataBlock: 0x80, slotStatus: 0x81, parameters: 0x82, escape: 0x83 } as const;

/** Response type of each command (CCID 1.1 table 6.1-1). */
const RESPONSE_TYPE: Record<number, number> = {
  [COMMAND.setParameters]: ANSWER.parameters,
  [COMMAND.iccPowerOn]: ANSWER.dataBlock,
  [COMMAND.iccPowerOff]: ANSWER.slotStatus,
  [COMMAND.getSlotStatus]: ANSWER.slotStatus,
  [COMMAND.escape]: ANSWER.escape,
  [COMMAND.xfrBlock]: ANSWER.dataBlock,
};

/** bmICCStatus, the low two bits of bStatus (CCID 1.1 table 6.2-3). */
export const ICC = { active: 0, inactive: 1, absent: 2 } as const;

/** bmCommandStatus, its high two bits. */
const COMMAND_STATUS = { failed: 0x40, moreTime: 0x80 } as const;

/** Texts of bError of a failed command (CCID 1.1 table 6.2-2). */
const ERROR_TEXTS: Record<number, string> = {
  0xff: 'the command was stopped',
  0xfe: 'the card does not answer',
  0xfd: 'the card answers with wrong parity',
  0xfc: 'the card sends more than the reader takes',
  0xfb: 'the reader has a hardware fault',
  0xf8: 'the answer to reset is garbled',
  0xf7: 'the answer to reset has a wrong checksum',
  0xf6: 'the card offers a protocol that the reader does not know',
  0xf5: 'the card offers a class that the reader does not know',
  0xf4: 'the card breaks its protocol',
  0xf3: 'the reader switched the card off',
  0xe0: 'the slot is busy',
  0x05: 'the reader has no such slot',
  0x00: 'the reader does not know the command',
};

const TRIES = 3;
// How often either side may request a corrupt frame again.
const NAKS = 5;

/** A CCID session. Sequence numbers match responses to commands. */
export interface Session {
  clock: Clock;
  channel: FrameChannel<Frame>;
  sequence: { next: number };
}

export interface CommandRequest {
  type: number;
  own?: [number, number, number];
  data?: Uint8Array;
  /** From the command, or from a request for more time, to the answer. */
  limitMs: number;
  /** The longest time from the command to the answer, however often the reader asks for more; `limitMs` by default. */
  longestMs?: number;
  /** Whether it may be sent again without a response; never for a command that reaches a card. */
  repeatable: boolean;
}

export interface CommandReply {
  icc: number;
  /** Text of a failure; undefined on success. */
  failure: string | undefined;
  error: number;
  data: Uint8Array;
}

/** The reader did not answer. */
export class NoResponseError extends Fault {
  constructor(message: string) {
    super('reader', message);
  }
}

/** Sends a command and returns the response, also that of a failed command. @throws NoResponseError, Fault `reader`. */
export async function command(session: Session, request: CommandRequest): Promise<CommandReply> {
  for (let left = request.repeatable ? TRIES : 1; left > 0; left--) {
    const sequence = session.sequence.next++ & 0xff;
    session.channel.clear();
    const answer = await answerTo(session, request, sequence);
    if (answer) return replyOf(answer);
  }
  throw new NoResponseError(`the reader does not answer command ${request.type.toString(16)}`);
}

async function answerTo(
  { clock, channel }: Session,
  request: CommandRequest,
  sequence: number,
): Promise<Message | undefined> {
  const { type, own = [0, 0, 0], data = new Uint8Array(0), limitMs, longestMs = limitMs } = request;
  const frame = messageFrame({ type, slot: 0, sequence, own, data });
  // A byte of noise reads as a request for more time, so these end too.
  const endMs = clock.nowMs() + longestMs;
  const limit = () => Math.min(clock.nowMs() + limitMs, endMs);
  let untilMs = limit();
  let naksLeft = NAKS;
  await channel.send(frame);
  for (;;) {
    const heard = await channel.receive(untilMs - clock.nowMs());
    if (!heard) return undefined;
    // A NAK means that the reader has not run the command, so it can be sent again.
    if (heard.kind === 'nak' && naksLeft-- > 0) await channel.send(frame);
    if (heard.kind === 'broken' && naksLeft-- > 0) await channel.send(NAK_FRAME);
    if (heard.kind === 'moreTime') untilMs = limit();
    if (heard.kind !== 'message') continue;
    const { message } = heard;
    if (message.sequence !== sequence || message.type !== RESPONSE_TYPE[type]) continue;
    if ((message.own[0] & 0xc0) !== COMMAND_STATUS.moreTime) return message;
    untilMs = limit();
  }
}

function replyOf({ own: [status, error], data }: Message): CommandReply {
  const icc = status & 0x03;
  const failed = (status & 0xc0) === COMMAND_STATUS.failed;
  const inputs =
    icc === ICC.absent ? 'the card was taken out' : (ERROR_TEXTS[error] ?? `reader error ${error}`);
  return { icc, error, data, failure: failed ? inputs : undefined };
}
