import { after, delay, type Clock, type Timer } from '../../../protocol/clock.ts';
import type { DevicePort } from '../twin.ts';
import { CONTROL, createFrameCollector, frameBytes, type Received } from './frames.ts';

interface DialogueParts {
  port: DevicePort;
  clock: Clock;
  /** Whether a till that asks for the line may have it. */
  isFree(): boolean;
  /** Whether the next message is to be refused, although nothing is wrong with it. */
  refusesNext(): boolean;
  /** Returns what is wrong with a message; undefined when it is well formed. */
  check(text: string): string | undefined;
  /** Called with each message once the till has given the line back. */
  onMessage(text: string): void;
  /** Called with what is wrong with bytes of the till. */
  onProblem(problem: string): void;
}

/** The line to the till. Whoever has something to say asks for it (ENQ), and gives it back (EOT). */
interface Dialogue {
  /** Sends a message. Returns whether the till has acknowledged it. */
  send(text: string): Promise<boolean>;
  close(): void;
}

const ATTEMPTS = 3;
const REACTION_MS = 1_000;
// Some tills lose a reaction that comes at once.
const REACT_AFTER_MS = 20;
// A till that asks for the line and then says nothing has it no longer.
const TILL_LIMIT_MS = 5_000;

type Reaction = 'ack' | 'nak' | 'none';

/** Sends bytes until the till reacts to them. */
function createSender({ port, clock }: Pick<DialogueParts, 'port' | 'clock'>) {
  let isOpen = true;
  let settle: (reaction: Reaction) => void = () => {};
  const write = (bytes: Uint8Array) => port.write(bytes).catch(() => {});
  return {
    write,
    sign: (byte: number) => after(clock, REACT_AFTER_MS, () => void write(Uint8Array.of(byte))),
    react: (reaction: Reaction) => settle(reaction),
    /** Returns whether the till has acknowledged the bytes. */
    async insist(bytes: Uint8Array): Promise<boolean> {
      for (let attempt = 1; attempt <= ATTEMPTS && isOpen; attempt += 1) {
        const came = new Promise<Reaction>((resolve) => (settle = resolve));
        await write(bytes);
        const timer = after(clock, REACTION_MS, () => settle('none'));
        const reaction = await came;
        timer.cancel();
        if (reaction === 'ack') return true;
      }
      return false;
    },
    close() {
      isOpen = false;
      settle('none');
    },
  };
}

export function createDialogue(parts: DialogueParts): Dialogue {
  const { port, clock, isFree, refusesNext, check, onMessage, onProblem } = parts;
  const collector = createFrameCollector();
  let master: 'till' | 'terminal' | undefined;
  let message: string | undefined;
  let silence: Timer | undefined;
  let freed = () => {};

  const sender = createSender({ port, clock });
  const { sign } = sender;
  const release = () => {
    silence?.cancel();
    master = undefined;
    message = undefined;
    freed();
  };
  const listenToTill = () => {
    silence?.cancel();
    silence = after(clock, TILL_LIMIT_MS, release);
  };
  const takeFrame = (text: string) => {
    if (master !== 'till') return onProblem('frame: the till sends it without asking for the line (ENQ)');
    listenToTill();
    const problem = check(text);
    if (problem !== undefined) onProblem(problem);
    if (problem !== undefined || refusesNext()) return void sign(CONTROL.nak);
    // A till whose acknowledgement was lost sends it again: it counts once.
    message = text;
    sign(CONTROL.ack);
  };
  const takeEnd = () => {
    const taken = message;
    if (master === 'till') release();
    if (taken !== undefined) onMessage(taken);
  };
  const takeRequest = () => {
    // Both ask at once: the till gives way.
    if (master === 'terminal') return;
    if (!isFree()) return void sign(CONTROL.nak);
    master = 'till';
    listenToTill();
    sign(CONTROL.ack);
  };
  const take = (received: Received) => {
    if (received.type === 'enq') takeRequest();
    else if (received.type === 'eot') takeEnd();
    else if (received.type === 'message') takeFrame(received.text);
    else if (received.type !== 'damaged') sender.react(received.type);
    else {
      onProblem(received.problem);
      if (master === 'till') sign(CONTROL.nak);
    }
  };
  port.onData((bytes) => {
    for (const received of collector.push(bytes)) take(received);
  });

  return {
    async send(text) {
      if (master === 'till') await new Promise<void>((resolve) => (freed = resolve));
      master = 'terminal';
      await delay(clock, REACT_AFTER_MS);
      const isTaken =
        (await sender.insist(Uint8Array.of(CONTROL.enq))) && (await sender.insist(frameBytes(text)));
      await sender.write(Uint8Array.of(CONTROL.eot));
      release();
      return isTaken;
    },
    close() {
      sender.close();
      release();
    },
  };
}
