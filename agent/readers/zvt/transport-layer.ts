import { after, type Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import type { FrameChannel } from '../frame-channel.ts';
import type { CharacterSet } from './charset.ts';
import { ACK_BYTES, CONTROL, encodeApdu, encodeFrame, NAK_BYTES, type Apdu, type ZvtFrame } from './frame.ts';

/** The high byte of a refusal; the low byte is an error code (PA00P015, error messages). */
export const REFUSAL_CLASS = 0x84;

const POSITIVE_CLASS = 0x80;

/** Attempts to send a block that is not acknowledged, the first included (PA00P016 §3.2.5). */
const SEND_TRIES = 3;

/** Time for an acknowledgement, from the last byte of the block. The block is sent again after it. */
const ACK_LIMIT_MS = 2_000;

/** Transmission time of a byte at 9600 baud, 8N2. */
const BYTE_MS = 1.15;

/** `serial` sends blocks that are acknowledged and retransmitted; `tcp` sends plain APDUs (PA00P016 §3, §5). */
type TransportType = 'serial' | 'tcp';

/** Sends and receives APDUs. Supports one caller at a time. */
export interface TransportLayer {
  /** Character set from the registration; code page 437 if undefined. */
  characterSet?: CharacterSet;
  /**
   * Sends an APDU. On a serial line it resolves once the block is acknowledged.
   * @throws Fault `timed_out` without an acknowledgement, `reader` when the connection is lost.
   */
  send(apdu: Apdu): Promise<void>;
  /**
   * Returns the next APDU, or undefined after `limitMs` or once `until` resolves.
   * @throws Fault `reader` when the connection is lost.
   */
  next(limitMs: number, until?: Promise<unknown>): Promise<Apdu | undefined>;
  /** Adds a frame that arrived outside an exchange. */
  accept(frame: ZvtFrame): Promise<void>;
}

/** Returns whether an APDU acknowledges or refuses a command (80 xx, 84 xx). */
export function isAnswer({ control }: Apdu): boolean {
  return control >> 8 === POSITIVE_CLASS || control >> 8 === REFUSAL_CLASS;
}

/** 80 00 00: positive acknowledgement of a command. */
export const POSITIVE: Apdu = { control: CONTROL.positive, data: new Uint8Array(0) };

/** Builds 84 xx 00: a negative acknowledgement with an error code. */
export function refusal(code: number): Apdu {
  return { control: REFUSAL_CLASS * 256 + code, data: new Uint8Array(0) };
}

// Longer than any wait. A wait that times out leaves its receive pending, and the next wait reuses it.
const PENDING_RECEIVE_MS = 24 * 3_600_000;

/** Creates the transport layer of one open connection. */
export function createTransportLayer(
  channel: FrameChannel<ZvtFrame>,
  clock: Clock,
  type: TransportType,
): TransportLayer {
  const inbox: Apdu[] = [];
  // A block whose acknowledgement was lost arrives twice, the second time before our response to the first arrived.
  let lastUnanswered: string | undefined;

  const receive = createReceiver(channel, clock);

  /** Acknowledges a frame and adds its APDU to the inbox, unless it is a retransmission. */
  const accept = async (frame: ZvtFrame): Promise<Apdu | undefined> => {
    if (frame.type === 'broken') await channel.send(NAK_BYTES);
    if (frame.type !== 'apdu') return undefined;
    const { apdu } = frame;
    if (type === 'serial') {
      await channel.send(ACK_BYTES);
      const text = isAnswer(apdu) ? undefined : toHex(encodeApdu(apdu));
      if (text !== undefined && text === lastUnanswered) return undefined;
      if (text !== undefined) lastUnanswered = text;
    }
    inbox.push(apdu);
    return apdu;
  };

  /** Waits for the acknowledgement of a block. A response implies it, in case the acknowledgement was lost. */
  const acknowledged = async (sent: Apdu, blockBytes: number): Promise<boolean> => {
    const endMs = clock.nowMs() + blockBytes * BYTE_MS + ACK_LIMIT_MS;
    while (clock.nowMs() <= endMs) {
      const frame = await receive(endMs - clock.nowMs());
      if (!frame || frame.type === 'nak') return false;
      if (frame.type === 'ack') return true;
      const apdu = await accept(frame);
      if (apdu && isAnswer(apdu) && !isAnswer(sent)) return true;
    }
    return false;
  };

  return {
    async send(apdu) {
      if (type === 'tcp') return channel.send(encodeApdu(apdu));
      const block = encodeFrame(encodeApdu(apdu));
      for (let tries = 0; tries < SEND_TRIES; tries += 1) {
        await channel.send(block);
        if (!(await acknowledged(apdu, block.length))) continue;
        if (isAnswer(apdu)) lastUnanswered = undefined;
        return;
      }
      throw new Fault('timed_out', 'the terminal does not acknowledge');
    },
    async next(limitMs, until) {
      const endMs = clock.nowMs() + limitMs;
      for (;;) {
        const waiting = inbox.shift();
        if (waiting) return waiting;
        // Frames that are none of its commands do not move the end of the wait.
        if (clock.nowMs() > endMs) return undefined;
        const frame = await receive(endMs - clock.nowMs(), until);
        if (!frame) return undefined;
        await accept(frame);
      }
    },
    async accept(frame) {
      await accept(frame);
    },
  };
}

/** Returns a function that resolves with the next frame, or undefined after `limitMs` or once `until` resolves. */
function createReceiver(channel: FrameChannel<ZvtFrame>, clock: Clock) {
  let pendingReceive: Promise<ZvtFrame | undefined> | undefined;
  return async (limitMs: number, until?: Promise<unknown>): Promise<ZvtFrame | undefined> => {
    const waiting = (pendingReceive ??= channel.receive(PENDING_RECEIVE_MS));
    waiting.catch(() => {});
    let expire!: () => void;
    const expired = new Promise<undefined>((resolve) => (expire = () => resolve(undefined)));
    const timer = after(clock, limitMs, expire);
    try {
      const came = waiting.then((frame) => ({ frame }));
      const first = await Promise.race([came, expired, ...(until ? [until.then(() => undefined)] : [])]);
      if (first) pendingReceive = undefined;
      return first?.frame;
    } finally {
      timer.cancel();
    }
  };
}
