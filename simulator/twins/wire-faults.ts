import type { BytePort, OpenPort } from '../../agent/readers/byte-port.ts';
import { after, delay, type Clock, type Timer } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import { fraction, seededRandom, type Random } from '../../protocol/ids.ts';
import { MESSAGE_FAULTS, type StruckMessage } from '../../protocol/line-faults.ts';
import { within, type Range } from '../network-faults.ts';
import type { DevicePort } from './twin.ts';

/** Faults of a line. A rate is a probability for each write, 0 to 1. */
export interface WireFaults {
  /** Inserts one to four bytes of noise before a write. */
  noiseRate: number;
  /** Drops or changes one byte of a write. */
  lossRate: number;
  changeRate: number;
  /** Delivers a write in two pieces, the second one later. */
  splitRate: number;
  /** Delivers a write together with the next one, or after a timeout. */
  joinRate: number;
  joinMs: Range;
  /** Delay of every write. The order is kept. */
  delayMs: Range;
  /** How long the device stays plugged in; undefined for no unplugging. */
  upMs?: Range | undefined;
  /** How long it is then unplugged. */
  downMs: Range;
}

export const BAD_WIRE: WireFaults = {
  noiseRate: 0.02,
  lossRate: 0.02,
  changeRate: 0.02,
  splitRate: 0.2,
  joinRate: 0.05,
  joinMs: { min: 1, max: 20 },
  delayMs: { min: 0, max: 10 },
  upMs: { min: 5_000, max: 60_000 },
  downMs: { min: 200, max: 5_000 },
};

export interface WireFaultParts {
  clock: Clock;
  /** The same seed and traffic give the same faults. */
  seed: string;
  faults?: WireFaults;
}

/** Wraps a port with faults in both directions, by seed. Unplugging closes it. */
export function withWireFaults(port: BytePort, { clock, seed, faults = BAD_WIRE }: WireFaultParts): BytePort {
  // Separate random streams, so that traffic in one direction does not change the faults of the other.
  const away = createPacedLane(clock, seededRandom(`${seed} out`), faults);
  const back = createPacedLane(clock, seededRandom(`${seed} in`), faults);
  const outage = seededRandom(`${seed} outage`);
  const unplugging: Timer | undefined =
    faults.upMs && after(clock, within(outage, faults.upMs), () => void port.close());
  let open = true;
  port.onClose(() => {
    open = false;
    unplugging?.cancel();
    away.stop();
    back.stop();
  });
  return {
    ...port,
    async write(bytes) {
      if (!open) throw new Fault('reader', `${port.path} is closed`);
      away.carry(bytes, (piece) => void port.write(piece).catch(() => {}));
    },
    onData: (listener) => port.onData((bytes) => back.carry(bytes, listener)),
  };
}

/** Opens ports with faults. After an unplugging, opening fails for a time. */
export function openWithWireFaults(open: OpenPort, parts: WireFaultParts): OpenPort {
  const { clock, seed, faults = BAD_WIRE } = parts;
  const outages = seededRandom(`${seed} outages`);
  let opened = 0;
  let backAtMs = 0;
  return async (settings) => {
    if (clock.nowMs() < backAtMs) throw new Fault('reader', 'the device is unplugged');
    const port = await open(settings);
    const faulty = withWireFaults(port, { clock, seed: `${seed} ${opened++}`, faults });
    port.onClose(() => {
      if (faults.upMs) backAtMs = clock.nowMs() + within(outages, faults.downMs);
    });
    return faulty;
  };
}

/** How many messages of a device in a network suffer a fault. */
const MESSAGE_FAULT_RATE = 0.1;

/** Returns what is to happen to each message in turn, by seed: the same seed gives the same faults. */
export function messageFaultsOf(seed: string): () => StruckMessage | undefined {
  const random = seededRandom(`${seed} messages`);
  return () => {
    const strikes = fraction(random) < MESSAGE_FAULT_RATE;
    const fault = MESSAGE_FAULTS[Math.floor(fraction(random) * MESSAGE_FAULTS.length)];
    return strikes && fault ? { fault } : undefined;
  };
}

const LATE_MS = 10_000;
const SPLIT_MS = 100;
// Acknowledgements are shorter, and are no messages.
const MESSAGE_BYTES_MIN = 4;

interface MessageFaultParts {
  clock: Clock;
  /** Returns what is to happen to this message, once. Not asked on a closed line. */
  take(): StruckMessage | undefined;
}

/** Wraps the port of a device so that a message which it sends can be lost, late, doubled, damaged, or cut off. */
export function withMessageFaults(port: DevicePort, { clock, take }: MessageFaultParts): DevicePort {
  const damaged = (bytes: Uint8Array) =>
    bytes.map((byte, index) => (index === Math.floor(bytes.length / 2) ? byte ^ 1 : byte));
  let isOpen = true;
  port.onClose(() => (isOpen = false));
  return {
    ...port,
    async write(bytes) {
      const { fault, arrives } = (isOpen && bytes.length >= MESSAGE_BYTES_MIN ? take() : undefined) ?? {};
      if (fault === 'lost') return;
      if (fault === 'cut') return port.close();
      if (fault === 'late') await (arrives ?? delay(clock, LATE_MS));
      if (fault === 'twice') await port.write(bytes);
      if (fault === 'split') {
        const half = Math.ceil(bytes.length / 2);
        await port.write(bytes.slice(0, half));
        await delay(clock, SPLIT_MS);
        return port.write(bytes.slice(half));
      }
      await port.write(fault === 'corrupt' ? damaged(bytes) : bytes);
    },
  };
}

/** One direction of a line, with faults and delay. The order is kept. */
function createPacedLane(clock: Clock, random: Random, faults: WireFaults) {
  let queue: { atMs: number; bytes: Uint8Array; pass: (bytes: Uint8Array) => void }[] = [];
  let timer: Timer | undefined;
  let joining: { timer: Timer; bytes: Uint8Array } | undefined;
  const happens = (rate: number) => fraction(random) < rate;

  // One timer, for the piece in front: two due at one instant could otherwise swap.
  const arm = () => {
    timer = queue[0] && clock.at(queue[0].atMs, moveOn);
  };
  const moveOn = () => {
    const first = queue.shift();
    arm();
    first?.pass(first.bytes);
  };
  const send = (bytes: Uint8Array, laterMs: number, pass: (bytes: Uint8Array) => void) => {
    if (bytes.length === 0) return;
    const soonest = clock.nowMs() + within(random, faults.delayMs) + laterMs;
    queue.push({ atMs: Math.max(queue.at(-1)?.atMs ?? 0, soonest), bytes, pass });
    if (queue.length === 1) arm();
  };
  const suffer = (bytes: Uint8Array): Uint8Array => {
    const heard = [...bytes];
    const place = () => Math.floor(fraction(random) * heard.length);
    if (happens(faults.changeRate)) heard[place()]! ^= 1 << Math.floor(fraction(random) * 8);
    if (happens(faults.lossRate)) heard.splice(place(), 1);
    if (happens(faults.noiseRate)) heard.unshift(...random.bytes(1 + Math.floor(fraction(random) * 4)));
    return Uint8Array.from(heard);
  };
  const deliver = (bytes: Uint8Array, pass: (bytes: Uint8Array) => void) => {
    if (!happens(faults.splitRate)) return send(bytes, 0, pass);
    const at = Math.floor(fraction(random) * bytes.length);
    send(bytes.slice(0, at), 0, pass);
    send(bytes.slice(at), 1 + within(random, faults.delayMs), pass);
  };
  return {
    carry(bytes: Uint8Array, pass: (bytes: Uint8Array) => void) {
      joining?.timer.cancel();
      const whole = joining ? Uint8Array.of(...joining.bytes, ...suffer(bytes)) : suffer(bytes);
      joining = undefined;
      if (!happens(faults.joinRate)) return deliver(whole, pass);
      const later = after(clock, within(random, faults.joinMs), () => {
        joining = undefined;
        deliver(whole, pass);
      });
      joining = { timer: later, bytes: whole };
    },
    stop() {
      timer?.cancel();
      joining?.timer.cancel();
      queue = [];
    },
  };
}
