import type { Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { encodeAnswer, encodeMessage, LRC_SPANS, lrcOf, type EcrFrame, type LrcSpan } from './frame.ts';

/** Time for an acknowledgement. */
const ACK_LIMIT_MS = 5_000;

/** Attempts to send a message that is refused, the first included. */
const SEND_TRIES = 4;

/** How often a question is sent that is not acknowledged, the first time included. */
const ASK_TRIES = 3;

/** Messages with a wrong check byte before the line is given up. */
const BAD_MESSAGES_MAX = 4;

/** From a command to its result, whatever the terminal reports meanwhile. */
const RESULT_LIMIT_MS = 600_000;

/** What became of a message. `silent`: not acknowledged, so whether the terminal took it is not known. */
type Sent = 'taken' | 'refused' | 'silent';

/** The check byte of a terminal, once it is known. It is kept from one connection to the next. */
export interface KnownSpan {
  span?: LrcSpan;
}

/** Sends and receives messages on one connection. */
export interface EcrLink {
  /** Sends a message until it is taken, if it is refused up to four times. @throws Fault `reader` when the line is lost. */
  send(payload: string): Promise<Sent>;
  /** The same for a message that the terminal may take twice: it is also sent again when it is not acknowledged. */
  ask(payload: string): Promise<Sent>;
  /**
   * Returns the next message for which `isWanted` holds, and acknowledges each; undefined after `silenceMs` in which the
   * terminal sends nothing, not even its progress.
   * @throws Fault `reader` when the line is lost, or carries messages with wrong check bytes alone.
   */
  receive(silenceMs: number, isWanted: (payload: string) => boolean): Promise<string | undefined>;
}

/** Creates a link. @param known keeps how the terminal computes its check byte; each way is tried in turn until it is known. */
export function createEcrLink(channel: FrameChannel<EcrFrame>, clock: Clock, known: KnownSpan): EcrLink {
  /** Messages that came before they were asked for. */
  const inbox: string[] = [];
  let bad = 0;

  const take = async (frame: EcrFrame): Promise<void> => {
    if (frame.type === 'broken') return refuse(frame.reason);
    if (frame.type !== 'message') return;
    const span = spanOf(frame, known);
    if (!span) return refuse('message: its check byte (LRC) is wrong');
    await channel.send(encodeAnswer('ack', span));
    inbox.push(frame.payload);
  };
  const refuse = async (reason: string) => {
    bad += 1;
    if (bad > BAD_MESSAGES_MAX) throw new Fault('reader', reason);
    await channel.send(encodeAnswer('nak', known.span ?? LRC_SPANS[0]));
  };
  const sendOnce = async (payload: string, span: LrcSpan): Promise<Sent> => {
    await channel.send(encodeMessage(payload, span));
    const endMs = clock.nowMs() + ACK_LIMIT_MS;
    for (;;) {
      const frame = await channel.receive(endMs - clock.nowMs());
      if (!frame) return 'silent';
      if (frame.type === 'nak') return 'refused';
      await take(frame);
      // A result implies the acknowledgement, which may come later or be lost.
      if (frame.type === 'ack' || inbox.length > 0) return 'taken';
    }
  };
  const send = async (payload: string): Promise<Sent> => {
    inbox.length = 0;
    // A terminal may also refuse the right check byte, after noise on the line: each is tried as often.
    const spans = Array.from({ length: SEND_TRIES }, () => known.span ?? LRC_SPANS).flat();
    for (const span of spans) {
      const sent = await sendOnce(payload, span);
      if (sent === 'taken') known.span = span;
      if (sent !== 'refused') return sent;
    }
    return 'refused';
  };
  return {
    send,
    async ask(payload) {
      for (let tries = 1; tries < ASK_TRIES; tries += 1) {
        const sent = await send(payload);
        if (sent !== 'silent') return sent;
      }
      return send(payload);
    },
    async receive(silenceMs, isWanted) {
      const lastMs = clock.nowMs() + RESULT_LIMIT_MS;
      for (;;) {
        for (let payload = inbox.shift(); payload !== undefined; payload = inbox.shift())
          if (isWanted(payload)) return payload;
        if (clock.nowMs() > lastMs) return undefined;
        const frame = await channel.receive(silenceMs);
        if (!frame) return undefined;
        await take(frame);
      }
    },
  };
}

/** Returns the way in which the check byte of a message is right; the known one alone, if there is one. */
function spanOf(
  { payload, lrc }: Extract<EcrFrame, { type: 'message' }>,
  { span: known }: KnownSpan,
): LrcSpan | undefined {
  const bytes = Buffer.from(payload, 'latin1');
  const spans = known ? [known] : LRC_SPANS;
  return spans.find((span) => lrcOf(bytes, span) === lrc);
}
