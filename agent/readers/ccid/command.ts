import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { ANSWER_TO, COMMAND_STATUS, ERROR_WORDS, ICC } from './constants.ts';
import { messageFrame, NAK_FRAME, type Frame, type Message } from './frame.ts';

const TRIES = 3;
// How often either side asks for a frame again that came broken.
const NAKS = 5;

/** Numbers of messages, so that a late answer is not taken for another's. */
export interface Session {
  clock: Clock;
  channel: FrameChannel<Frame>;
  sequence: { next: number };
}

export interface Order {
  type: number;
  own?: [number, number, number];
  data?: Uint8Array;
  limitMs: number;
  /** Whether it may be sent again when nothing comes back; never for what reaches a card. */
  repeatable: boolean;
}

export interface Reply {
  icc: number;
  /** Why it failed, in words; undefined when it did not. */
  failure: string | undefined;
  error: number;
  data: Uint8Array;
}

/** The reader did not answer. */
export class NoAnswer extends Fault {
  constructor(message: string) {
    super('reader', message);
  }
}

/** Sends a command and returns the reader's answer, a failure among them. @throws NoAnswer, Fault `reader`. */
export async function command(session: Session, order: Order): Promise<Reply> {
  for (let left = order.repeatable ? TRIES : 1; left > 0; left--) {
    const sequence = session.sequence.next++ & 0xff;
    session.channel.clear();
    const answer = await answerTo(session, order, sequence);
    if (answer) return replyOf(answer);
  }
  throw new NoAnswer(`the reader does not answer command ${order.type.toString(16)}`);
}

async function answerTo(
  { clock, channel }: Session,
  order: Order,
  sequence: number,
): Promise<Message | undefined> {
  const { type, own = [0, 0, 0], data = new Uint8Array(0), limitMs } = order;
  const frame = messageFrame({ type, slot: 0, sequence, own, data });
  let untilMs = clock.nowMs() + limitMs;
  let naksLeft = NAKS;
  await channel.send(frame);
  for (;;) {
    const heard = await channel.receive(Math.max(untilMs - clock.nowMs(), 0));
    if (!heard) return undefined;
    // The reader has not taken the command: it did nothing yet, so it can be sent again.
    if (heard.kind === 'nak' && naksLeft-- > 0) await channel.send(frame);
    if (heard.kind === 'broken' && naksLeft-- > 0) await channel.send(NAK_FRAME);
    if (heard.kind === 'moreTime') untilMs = clock.nowMs() + limitMs;
    if (heard.kind !== 'message') continue;
    const { message } = heard;
    if (message.sequence !== sequence || message.type !== ANSWER_TO[type]) continue;
    if ((message.own[0] & 0xc0) !== COMMAND_STATUS.moreTime) return message;
    untilMs = clock.nowMs() + limitMs;
  }
}

function replyOf({ own: [status, error], data }: Message): Reply {
  const icc = status & 0x03;
  const failed = (status & 0xc0) === COMMAND_STATUS.failed;
  const words =
    icc === ICC.absent ? 'the card was taken out' : (ERROR_WORDS[error] ?? `reader error ${error}`);
  return { icc, error, data, failure: failed ? words : undefined };
}
