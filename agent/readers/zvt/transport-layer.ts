import { after, type Clock } from '../../../protocol/clock.ts';
import { Fault } from '../../../protocol/failures.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import type { Wire } from '../wire.ts';
import { encodeApdu, type Apdu } from './apdu.ts';
import type { CharacterSet } from './charset.ts';
import { ACK_LIMIT_MS, BYTE_MS, CONTROL, POSITIVE_CLASS, REFUSAL_CLASS, SEND_TRIES } from './constants.ts';
import { ACK_BYTES, encodeFrame, NAK_BYTES } from './frame.ts';
import type { ZvtFrame } from './parser.ts';

/** `serial` has blocks that are acknowledged and sent again; over TCP commands travel bare (PA00P016 §3). */
export type Transport = 'serial' | 'bare';

/** Commands and answers over a line. Used by one flow of control at a time. */
export interface Talk {
  /** The character set that was agreed on with the terminal; without one it is code page 437. */
  characterSet?: CharacterSet;
  /** Resolves when the other end has the command. @throws Fault `timed_out` when it does not say so, `reader`. */
  send(apdu: Apdu): Promise<void>;
  /**
   * The next command or answer; undefined after `limitMs`, or when `until` resolves first.
   * @throws Fault `reader` when the line is gone.
   */
  next(limitMs: number, until?: Promise<unknown>): Promise<Apdu | undefined>;
  /** Takes in a block that came while nobody listened. */
  heard(frame: ZvtFrame): Promise<void>;
}

export function isAnswer({ control }: Apdu): boolean {
  return control >> 8 === POSITIVE_CLASS || control >> 8 === REFUSAL_CLASS;
}

/** 80 00 00: the command has come and is understood. */
export const POSITIVE: Apdu = { control: CONTROL.positive, data: new Uint8Array(0) };

/** 84 xx 00: the command is refused with an error code. */
export function refusal(code: number): Apdu {
  return { control: REFUSAL_CLASS * 256 + code, data: new Uint8Array(0) };
}

// Longer than anybody waits: a wait that ended by its own limit leaves this one standing for the next.
const STANDING_MS = 24 * 3_600_000;

export function createTalk(wire: Wire<ZvtFrame>, clock: Clock, transport: Transport): Talk {
  const inbox: Apdu[] = [];
  let standing: Promise<ZvtFrame | undefined> | undefined;
  // A block whose acknowledgement was lost comes twice, the second before our answer to the first has arrived.
  let unanswered: string | undefined;

  const receive = async (limitMs: number, until?: Promise<unknown>): Promise<ZvtFrame | undefined> => {
    const waiting = (standing ??= wire.receive(STANDING_MS));
    waiting.catch(() => {});
    let expire!: () => void;
    const expired = new Promise<undefined>((resolve) => (expire = () => resolve(undefined)));
    const timer = after(clock, limitMs, expire);
    try {
      const came = waiting.then((frame) => ({ frame }));
      const first = await Promise.race([came, expired, ...(until ? [until.then(() => undefined)] : [])]);
      if (first) standing = undefined;
      return first?.frame;
    } finally {
      timer.cancel();
    }
  };

  /** Acknowledges what came; a command goes to the inbox, unless it is a repeat. */
  const accept = async (frame: ZvtFrame): Promise<Apdu | undefined> => {
    if (frame.type === 'broken') await wire.send(NAK_BYTES);
    if (frame.type !== 'apdu') return undefined;
    const { apdu } = frame;
    if (transport === 'serial') {
      await wire.send(ACK_BYTES);
      const text = isAnswer(apdu) ? undefined : toHex(encodeApdu(apdu));
      if (text !== undefined && text === unanswered) return undefined;
      if (text !== undefined) unanswered = text;
    }
    inbox.push(apdu);
    return apdu;
  };

  /** Whether the block just sent arrived. An answer to it says so too, when its acknowledgement was lost. */
  const acknowledged = async (sent: Apdu, blockBytes: number): Promise<boolean> => {
    const endMs = clock.nowMs() + blockBytes * BYTE_MS + ACK_LIMIT_MS;
    for (;;) {
      const frame = await receive(endMs - clock.nowMs());
      if (!frame || frame.type === 'nak') return false;
      if (frame.type === 'ack') return true;
      const apdu = await accept(frame);
      if (apdu && isAnswer(apdu) && !isAnswer(sent)) return true;
    }
  };

  return {
    async send(apdu) {
      if (transport === 'bare') return wire.send(encodeApdu(apdu));
      const block = encodeFrame(encodeApdu(apdu));
      for (let tries = 0; tries < SEND_TRIES; tries += 1) {
        await wire.send(block);
        if (!(await acknowledged(apdu, block.length))) continue;
        if (isAnswer(apdu)) unanswered = undefined;
        return;
      }
      throw new Fault('timed_out', 'the other end does not acknowledge');
    },
    async next(limitMs, until) {
      const endMs = clock.nowMs() + limitMs;
      for (;;) {
        const waiting = inbox.shift();
        if (waiting) return waiting;
        const frame = await receive(endMs - clock.nowMs(), until);
        if (!frame) return undefined;
        await accept(frame);
      }
    },
    async heard(frame) {
      await accept(frame);
    },
  };
}
