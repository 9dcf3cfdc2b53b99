import { after, type Clock } from '../../../protocol/clock.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { DevicePort } from '../twin.ts';
import { apduBytes, COMMAND, isAnswer, POSITIVE, refusal, RESULT, type Apdu } from './apdu.ts';
import {
  ACKNOWLEDGE,
  blockBytes,
  createBareCollector,
  createBlockCollector,
  REJECT,
  type Received,
} from './blocks.ts';

/** Sends APDUs to the ECR and receives them. Supports one caller at a time. */
export interface EcrTransport {
  /** Why the connection ended; undefined while it is open. */
  readonly ended: string | undefined;
  /**
   * Sends an APDU and waits for its acknowledgement on a serial line.
   * @throws Fault `timed_out` without an acknowledgement, `reader` when the connection ends.
   */
  send(apdu: Apdu): Promise<void>;
  /**
   * Returns the next APDU, or undefined after `limitMs` or once `until` settles.
   * @throws Fault `reader` when the connection ends.
   */
  next(limitMs: number, until?: Promise<unknown>): Promise<Apdu | undefined>;
}

/** `serial` uses acknowledged blocks, `tcp` plain APDUs. */
export type TransportType = 'serial' | 'tcp';

interface EcrTransportParts {
  port: DevicePort;
  clock: Clock;
  transport: TransportType;
}

/** Attempts to send a block that is not acknowledged (PA00P016 §3.2.5). */
const ATTEMPTS = 3;
const ACK_LIMIT_MS = 2_000;
// 9,600 baud with a start bit, eight data bits and two stop bits.
const BYTE_MS = (11 / 9_600) * 1_000;

export function createEcrTransport({ port, clock, transport }: EcrTransportParts): EcrTransport {
  const isSerial = transport === 'serial';
  const collector = isSerial ? createBlockCollector() : createBareCollector();
  let inbox: Apdu[] = [];
  let ended: string | undefined;
  // The block that was just sent, and the reaction to it.
  let sent: { isCommand: boolean; reaction?: 'ack' | 'nak' } = { isCommand: false };
  // An ECR that did not receive our ACK repeats its command until it receives the response.
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
      // A response implies that our command arrived, even if its ACK was lost.
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
    throw new Fault('timed_out', 'the ECR does not acknowledge');
  };
  return {
    get ended() {
      return ended;
    },
    async send(apdu) {
      // A response that is still in the inbox is a repetition.
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

/** Creates a wait for a condition that incoming bytes or the end of the connection can change; one at a time. */
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

/** T3: from a message to its acknowledgement (PA00P016 §3.2.6). */
const ANSWER_LIMIT_MS = 5_000;

/** The ECR during a command: receives messages of the terminal, and may abort the command. */
export interface EcrLink {
  /** Whether the ECR has requested an abort. */
  readonly cancelRequested: boolean;
  /** Sends a message and waits for 80 00 00. @throws Fault `reader` without it. */
  send(apdu: Apdu): Promise<void>;
  /** Waits for a promise at the terminal, while handling an abort of the ECR. */
  waitFor(happens: Promise<unknown>, limitMs: number): Promise<'happened' | 'cancelRequested' | 'timeout'>;
}

/** @param canAbort returns whether an abort is allowed at present; otherwise it is refused (84). */
export function createEcrLink(line: EcrTransport, canAbort: () => boolean): EcrLink {
  let abortRequested = false;
  const handleCommand = async (apdu: Apdu) => {
    const isAbort = apdu.control === COMMAND.abort;
    if (isAbort && canAbort()) abortRequested = true;
    await line.send(isAbort && canAbort() ? POSITIVE : refusal(RESULT.pleaseWait));
  };
  return {
    get cancelRequested() {
      return abortRequested;
    },
    async send(apdu) {
      await line.send(apdu);
      for (;;) {
        const message = await line.next(ANSWER_LIMIT_MS);
        if (!message) throw new Fault('reader', 'the ECR does not acknowledge');
        if (isAnswer(message)) return;
        await handleCommand(message);
      }
    },
    async waitFor(happens, limitMs) {
      let happened = false;
      const mark = happens.then(() => (happened = true));
      for (;;) {
        const message = await line.next(limitMs, mark);
        if (happened) {
          if (message && !isAnswer(message)) await handleCommand(message);
          return abortRequested ? 'cancelRequested' : 'happened';
        }
        if (!message) return 'timeout';
        if (!isAnswer(message)) await handleCommand(message);
        if (abortRequested) return 'cancelRequested';
      }
    },
  };
}
