import type { Clock } from '../../protocol/clock.ts';
import type { TraceItem } from './trace-item.schema.ts';

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** How much one recording holds. */
export interface TraceLimits {
  items: number;
  /** Characters of JSON, the snapshot not included. */
  characters: number;
}

/** Returns an item that is not placed yet. */
type MakeItem = () => DistributiveOmit<TraceItem, 'seq' | 'atMs' | 'realMs'>;

/** The items of a recording, in the order in which they began. */
export interface Items {
  /** Adds an item now. Returns its number, and undefined when there is no room for it. */
  add(make: MakeItem): number | undefined;
  /** Reserves a place for an item that is added later. */
  reserve(): { seq: number; put(make: MakeItem): void };
  inOrder(): TraceItem[];
  readonly size: number;
  /** Whether an item was left out because there was no room for it. */
  readonly isFull: boolean;
}

interface ItemsParts {
  clock: Clock;
  limits: TraceLimits;
  realMs: (() => number) | undefined;
  /** Whether items are made when they are asked for, which few are. Their characters are not limited then. */
  isLazy: boolean;
  /** Called with each item. */
  onItem(): void;
  /** Called when an item is left out. */
  onFull(): void;
}

export function createItems({ clock, limits, realMs, isLazy, onItem, onFull }: ItemsParts): Items {
  const beganMs = realMs?.() ?? 0;
  const items: (() => TraceItem)[] = [];
  let seq = 0;
  let characters = 0;
  let isFull = false;

  function put(place: Pick<TraceItem, 'seq' | 'atMs' | 'realMs'>, make: MakeItem): number | undefined {
    let made: TraceItem | undefined;
    const item = () => (made ??= { ...place, ...make() });
    const length = isLazy ? 0 : JSON.stringify(item()).length;
    if (items.length >= limits.items || characters + length > limits.characters) isFull = true;
    if (isFull) {
      onFull();
      return undefined;
    }
    characters += length;
    items.push(item);
    return place.seq;
  }

  const next = () => {
    onItem();
    const elapsed = realMs && { realMs: Math.round((realMs() - beganMs) * 1_000) / 1_000 };
    return { seq: ++seq, atMs: clock.nowMs(), ...elapsed };
  };
  return {
    add: (make) => (isFull ? undefined : put(next(), make)),
    reserve() {
      const place = next();
      return { seq: place.seq, put: (make) => void (isFull || put(place, make)) };
    },
    // Made in the order in which they were added, in which secrets get their numbers.
    inOrder: () => items.map((item) => item()).toSorted((one, other) => one.seq - other.seq),
    get size() {
      return items.length;
    },
    get isFull() {
      return isFull;
    },
  };
}
