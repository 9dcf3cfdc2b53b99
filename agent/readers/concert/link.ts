import { delay, type Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { CONTROLS, encodeMessage, type ConcertFrame, type Control } from './frame.ts';

/** For the answer to ENQ or to a message, and how often each is sent. */
const ANSWER_LIMIT_MS = 1_500;
const TRIES = 3;

/** From the ACK of an ENQ to the message. */
const MESSAGE_LIMIT_MS = 5_000;

/** For all that a terminal sends in its turn, on a line that may never fall silent. */
const TURN_LIMIT_MS = 20_000;

/** Some terminals lose what comes at once. */
const PAUSE_MS = 15;

/** What became of a request. `unclear`: the terminal may have taken it. */
export type Sent = 'taken' | 'notFree' | 'noTerminal' | 'refused' | 'unclear';

/** Speaks with a terminal: the one that begins with ENQ speaks until its EOT. */
export interface ConcertLink {
  /** Asks whether the terminal is free, and says no more. @throws Fault `reader` when the line is lost. */
  poll(): Promise<Sent>;
  /** Sends a request, once its bytes are taken. @throws Fault `reader` when the line is lost. */
  send(text: string): Promise<Sent>;
  /**
   * Returns the next message of the terminal; undefined after `limitMs` without one.
   * @throws Fault `reader` when the line is lost, or the message cannot be read after three attempts.
   */
  receive(limitMs: number): Promise<string | undefined>;
}

export function createConcertLink(channel: FrameChannel<ConcertFrame>, clock: Clock): ConcertLink {
  const speak = async (control: Control) => {
    await delay(clock, PAUSE_MS);
    await channel.send(Uint8Array.of(CONTROLS[control]));
  };
  /** Begins to speak. A terminal that begins at the same time goes first, with what it still had to say. */
  const begin = async (): Promise<Sent> => {
    for (let tries = 0; tries < TRIES; tries += 1) {
      // What was on the line before is no answer, and on a line with another protocol nothing is.
      channel.clear();
      await channel.send(Uint8Array.of(CONTROLS.enq));
      const frame = await channel.receive(ANSWER_LIMIT_MS);
      if (frame?.type === 'ack') return 'taken';
      if (frame?.type === 'nak' || frame?.type === 'eot') return 'notFree';
      if (frame?.type === 'enq') await readMessage(speak, channel, clock);
    }
    await speak('eot');
    return 'noTerminal';
  };
  return {
    async poll() {
      const begun = await begin();
      if (begun === 'taken') await speak('eot');
      return begun;
    },
    async send(text) {
      const begun = await begin();
      if (begun !== 'taken') return begun;
      let refused = 0;
      for (let tries = 0; tries < TRIES; tries += 1) {
        await channel.send(encodeMessage(text));
        const frame = await answerOn(channel, clock);
        if (frame?.type === 'ack') {
          await speak('eot');
          return 'taken';
        }
        if (frame?.type === 'nak') refused += 1;
      }
      await speak('eot');
      return refused === TRIES ? 'refused' : 'unclear';
    },
    async receive(limitMs) {
      const endMs = clock.nowMs() + limitMs;
      for (;;) {
        const frame = await channel.receive(endMs - clock.nowMs());
        if (!frame) return undefined;
        if (frame.type === 'enq') return readMessage(speak, channel, clock);
      }
    },
  };
}

/** Returns the answer to a message; undefined when there is none in time. */
async function answerOn(
  channel: FrameChannel<ConcertFrame>,
  clock: Clock,
): Promise<ConcertFrame | undefined> {
  const endMs = clock.nowMs() + ANSWER_LIMIT_MS;
  for (;;) {
    const frame = await channel.receive(endMs - clock.nowMs());
    if (frame?.type !== 'noise') return frame;
  }
}

/** Reads the message of a terminal that has begun to speak, up to its EOT. It may send the same again. */
async function readMessage(
  speak: (control: Control) => Promise<void>,
  channel: FrameChannel<ConcertFrame>,
  clock: Clock,
): Promise<string> {
  const lastMs = clock.nowMs() + TURN_LIMIT_MS;
  let text: string | undefined;
  let reason = 'the terminal begins to speak and sends no message';
  await speak('ack');
  for (let bad = 0; bad < TRIES;) {
    const frame = await channel.receive(Math.min(MESSAGE_LIMIT_MS, lastMs - clock.nowMs()));
    if (!frame || frame.type === 'eot') break;
    if (frame.type === 'message') {
      text = frame.text;
      await speak('ack');
    } else if (frame.type === 'enq') await speak('ack');
    else if (frame.type === 'broken') {
      reason = frame.reason;
      bad += 1;
      await speak('nak');
    } else if (frame.type !== 'noise') bad += 1;
  }
  if (text === undefined) throw new Fault('reader', reason);
  return text;
}
