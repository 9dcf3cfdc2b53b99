import { after, type Clock } from '../../../protocol/clock.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { DevicePort } from '../twin.ts';
import { apduBytes, isAnswer, type Apdu } from './apdu.ts';
import {
  ACKNOWLEDGE,
  blockBytes,
  createBareCollector,
  createBlockCollector,
  REJECT,
  type Received,
} from './blocks.ts';

/** The line from the terminal to its cash register. One flow of control at a time sends or waits. */
export interface RegisterLine {
  /** Why the line ended; undefined while it is open. */
  readonly ended: string | undefined;
  /**
   * Resolves when the cash register has the message.
   * @throws Fault `timed_out` when it does not acknowledge, `reader` at the end of the line.
   */
  send(apdu: Apdu): Promise<void>;
  /**
   * The next message; undefined after `limitMs`, or when `until` settles first.
   * @throws Fault `reader` at the end of the line.
   */
  next(limitMs: number, until?: Promise<unknown>): Promise<Apdu | undefined>;
}

/** How messages travel: in acknowledged blocks over a serial line, bare over TCP. */
export type Transport = 'serial' | 'tcp';

interface RegisterLineParts {
  port: DevicePort;
  clock: Clock;
  transport: Transport;
}

/** A block that is not acknowledged is sent three times (PA00P016 §3.2.5). */
const ATTEMPTS = 3;
const ACK_LIMIT_MS = 2_000;
// 9,600 baud with a start bit, eight data bits and two stop bits.
const BYTE_MS = (11 / 9_600) * 1_000;

export function createRegisterLine({ port, clock, transport }: RegisterLineParts): RegisterLine {
  const isSerial = transport === 'serial';
  const collector = isSerial ? createBlockCollector() : createBareCollector();
  let inbox: Apdu[] = [];
  let ended: string | undefined;
  // The block that was just sent, and the reaction to it.
  let sent: { isCommand: boolean; reaction?: 'ack' | 'nak' } = { isCommand: false };
  // A cash register whose ACK was lost sends its command again until it has the answer.
  let unanswered: string | undefined;
  const wait = createWait(clock, () => ended !== undefined);

  const write = async (bytes: Uint8Array) => {
    if (ended !== undefined) throw new Fault('reader', `${port.path}: ${ended}`);
    await port.write(bytes);
  };
  const react = (bytes: Uint8Array) => void write(bytes).catch(() => {});

  const takeBlock = (apdu: Apdu) => {
    react(ACKNOWLEDGE);
    if (isAnswer(apdu)) {
      // It proves that our command arrived, even if its ACK was lost.
      if (sent.isCommand) sent.reaction = 'ack';
    } else {
      const command = toHex(apduBytes(apdu));
      if (command === unanswered) return;
      unanswered = command;
    }
    inbox.push(apdu);
  };
  const take = (received: Received) => {
    if (received.type === 'damaged') react(REJECT);
    else if (received.type !== 'apdu') sent.reaction = received.type;
    else if (isSerial) takeBlock(received.apdu);
    else inbox.push(received.apdu);
  };
  port.onData((bytes) => {
    for (const received of collector.push(bytes)) take(received);
    wait.check();
  });
  port.onClose((reason) => {
    ended = reason;
    wait.check();
  });

  const sendBlock = async (apdu: Apdu) => {
    const block = blockBytes(apdu);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      sent = { isCommand: !isAnswer(apdu) };
      await write(block);
      await wait.until(() => sent.reaction !== undefined, block.length * BYTE_MS + ACK_LIMIT_MS);
      if (sent.reaction === 'ack') return;
    }
    throw new Fault('timed_out', 'the cash register does not acknowledge');
  };
  return {
    get ended() {
      return ended;
    },
    async send(apdu) {
      // An answer that is still here repeats an earlier one.
      if (!isAnswer(apdu)) inbox = inbox.filter((waiting) => !isAnswer(waiting));
      if (!isSerial) return write(apduBytes(apdu));
      await sendBlock(apdu);
      if (isAnswer(apdu)) unanswered = undefined;
    },
    async next(limitMs, until) {
      await wait.until(() => inbox.length > 0, limitMs, until);
      const first = inbox.shift();
      if (!first && ended !== undefined) throw new Fault('reader', `${port.path}: ${ended}`);
      return first;
    },
  };
}

/** Waits for something that bytes of the line, or its end, bring about; one wait at a time. */
function createWait(clock: Clock, isOver: () => boolean) {
  let check = () => {};
  return {
    /** To be called after each change. */
    check: () => check(),
    /** Resolves when it is done or over, after `limitMs`, or when `alternative` settles. */
    until: (isDone: () => boolean, limitMs: number, alternative?: Promise<unknown>) =>
      new Promise<void>((resolve) => {
        const finish = () => {
          timer.cancel();
          if (check === mine) check = () => {};
          resolve();
        };
        const mine = () => {
          if (isDone() || isOver()) finish();
        };
        const timer = after(clock, limitMs, finish);
        check = mine;
        alternative?.then(finish, finish);
        mine();
      }),
  };
}
