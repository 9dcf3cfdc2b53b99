import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { after, type Clock } from '../../../protocol/clock.ts';
import type { Random } from '../../../protocol/ids.ts';
import {
  isDamage,
  isForged,
  isReplay,
  isStrike,
  mutate,
  type Direction,
  type MessageForm,
  type Mutation,
} from './mutations.ts';

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
  /** Whether a message to the terminal was altered, in a language where nothing shows that. */
  readonly alteredUnchecked: boolean;
  /** From now on the line is right. */
  stop(): void;
}

/** The two ends of a connection, and what is on its way between them: what is late holds up what comes after it. */
interface Connection {
  freeAtMs: Partial<Record<Direction, number>>;
  /** Passes on a message that waits for the next one. */
  held: Partial<Record<Direction, () => void>>;
  to: Record<Direction, (bytes: Uint8Array) => void> & { cut(): void };
}

function connectionOver(port: BytePort): Connection {
  const to: Connection['to'] = {
    'to the terminal': (bytes) => void port.write(bytes).catch(() => {}),
    'to the till'() {},
    cut: () => void port.close(),
  };
  return { freeAtMs: {}, held: {}, to };
}

export function createMutatedLine({ clock, random, form, plan }: LineParts): MutatedLine {
  const earlier: Record<Direction, Uint8Array[]> = { 'to the till': [], 'to the terminal': [] };
  const counts = { 'to the till': 0, 'to the terminal': 0 };
  let forged = false;
  let alteredUnchecked = false;
  let struck = 0;
  let stopped = false;

  /** Passes a message on, mutated where that is planned. */
  const carry = (direction: Direction, message: Uint8Array, { freeAtMs, held, to }: Connection) => {
    const place = counts[direction];
    counts[direction] += 1;
    earlier[direction].push(message);
    const release = held[direction];
    delete held[direction];
    const pass = (bytes: Uint8Array, afterMs = 0) => {
      const atMs = Math.max(clock.nowMs() + afterMs, freeAtMs[direction] ?? 0);
      if (atMs <= clock.nowMs()) return to[direction](bytes);
      freeAtMs[direction] = atMs;
      clock.at(atMs, () => to[direction](bytes));
    };
    const isMutated = !stopped && plan?.direction === direction && plan.places.includes(place);
    if (!isMutated || message.length === 0) {
      pass(message);
      return release?.();
    }
    const { mutation } = plan;
    const pieces = mutate(mutation, message, { random, form, earlier: earlier[direction].slice(0, -1) });
    if (isStrike(mutation, message, pieces)) struck += 1;
    forged ||= isForged(mutation, message, pieces, form);
    alteredUnchecked ||= direction === 'to the terminal' && isDamage(mutation) && form.hasNoCheck === true;
    forged ||= isReplay(mutation, message, pieces, { form, direction, isOnce: plan.places.length === 1 });
    for (const piece of pieces) {
      if (piece === 'cut') to.cut();
      else if (mutation === 'out of order') {
        const late = () => to[direction](piece.bytes);
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
    wrap(port) {
      const connection = connectionOver(port);
      return {
        ...port,
        write: async (bytes) => carry('to the terminal', bytes.slice(), connection),
        onData(listener) {
          connection.to['to the till'] = listener;
          port.onData((bytes) => carry('to the till', bytes.slice(), connection));
        },
      };
    },
    counts,
    get struck() {
      return struck;
    },
    get forged() {
      return forged;
    },
    get alteredUnchecked() {
      return alteredUnchecked;
    },
    stop: () => void (stopped = true),
  };
}

/** A message that waits for the next one of its direction goes on alone after this time. */
const HELD_MS = 4_000;
