import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { after, type Clock } from '../../../protocol/clock.ts';
import type { Random } from '../../../protocol/ids.ts';
import { isForged, isStrike, mutate, type MessageForm, type Mutation } from './mutations.ts';

export type Direction = 'to the till' | 'to the terminal';

/** Which messages of a direction are mutated, counted over all connections from 0, and how. */
export interface MutationPlan {
  direction: Direction;
  places: readonly number[];
  mutation: Mutation;
}

interface LineParts {
  clock: Clock;
  random: Random;
  form: MessageForm;
  plan: MutationPlan | undefined;
}

/** A line that mutates messages as planned, until `stop`. */
interface MutatedLine {
  /** Wraps the till's end of a connection. */
  wrap(port: BytePort): BytePort;
  /** Messages that were sent in each direction. */
  readonly counts: Record<Direction, number>;
  /** Messages that did not arrive as they were sent, or when. */
  readonly struck: number;
  /** Whether something was delivered that is right by its check and says another thing. */
  readonly forged: boolean;
  /** From now on the line is right. */
  stop(): void;
}

export function createMutatedLine({ clock, random, form, plan }: LineParts): MutatedLine {
  const earlier: Record<Direction, Uint8Array[]> = { 'to the till': [], 'to the terminal': [] };
  const counts = { 'to the till': 0, 'to the terminal': 0 };
  /** What is late holds up what comes after it. */
  const freeAtMs = { 'to the till': 0, 'to the terminal': 0 };
  const held: Partial<Record<Direction, () => void>> = {};
  let forged = false;
  let struck = 0;
  let stopped = false;

  /** Passes a message on, mutated where that is planned. */
  const carry = (
    direction: Direction,
    message: Uint8Array,
    to: { pass(bytes: Uint8Array): void; cut(): void },
  ) => {
    const place = counts[direction];
    counts[direction] += 1;
    const before = [...earlier[direction]];
    earlier[direction].push(message);
    const release = held[direction];
    delete held[direction];
    const pass = (bytes: Uint8Array, afterMs = 0) => {
      const atMs = Math.max(clock.nowMs() + afterMs, freeAtMs[direction]);
      if (atMs <= clock.nowMs()) return to.pass(bytes);
      freeAtMs[direction] = atMs;
      clock.at(atMs, () => to.pass(bytes));
    };
    const isMutated = !stopped && plan?.direction === direction && plan.places.includes(place);
    if (!isMutated || message.length === 0) {
      pass(message);
      return release?.();
    }
    const { mutation } = plan;
    const pieces = mutate(mutation, message, { random, form, earlier: before });
    if (isStrike(mutation, message, pieces)) struck += 1;
    forged ||= isForged(mutation, message, pieces, form);
    // No line says again later what was said: a request is then another right one, and old results hide new ones.
    const isReplay = mutation === 'an earlier one first';
    forged ||= isReplay && (direction === 'to the terminal' || plan.places.length > 1);
    for (const piece of pieces) {
      if (piece === 'cut') to.cut();
      else if (mutation === 'out of order') {
        const late = () => to.pass(piece.bytes);
        held[direction] = late;
        after(clock, HELD_MS, () => {
          if (held[direction] !== late) return;
          delete held[direction];
          late();
        });
      } else pass(piece.bytes, piece.afterMs);
    }
    release?.();
  };
  return {
    wrap: (port) => ({
      ...port,
      async write(bytes) {
        carry('to the terminal', bytes.slice(), {
          pass: (sent) => void port.write(sent).catch(() => {}),
          cut: () => void port.close(),
        });
      },
      onData: (listener) =>
        port.onData((bytes) =>
          carry('to the till', bytes.slice(), { pass: listener, cut: () => void port.close() }),
        ),
    }),
    counts,
    get struck() {
      return struck;
    },
    get forged() {
      return forged;
    },
    stop: () => void (stopped = true),
  };
}

/** A message that waits for the next one of its direction goes on alone after this time. */
const HELD_MS = 4_000;
