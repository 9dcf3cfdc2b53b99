import type { Clock } from '../../protocol/clock.ts';
import type { TraceItem } from './trace-format.schema.ts';

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** How much one recording holds. */
export interface TraceLimits {
  items: number;
  /** Characters of JSON, the snapshot not included. */
  characters: number;
}

/** An item that is not placed yet. */
type NewItem = DistributiveOmit<TraceItem, 'seq' | 'atMs'>;

/** The items of a recording, in the order in which they began. */
export interface Items {
  /** Adds an item now. Returns its number, and undefined when there is no room for it. */
  add(item: NewItem): number | undefined;
  /** Reserves a place for an item that is added later. */
  reserve(): { seq: number; put(item: NewItem): void };
  inOrder(): TraceItem[];
  readonly size: { items: number; characters: number };
  /** Whether an item was left out because there was no room for it. */
  readonly isFull: boolean;
}

/** @param onFull called when an item is left out */
export function createItems(clock: Clock, limits: TraceLimits, onFull: () => void): Items {
  const items: TraceItem[] = [];
  let seq = 0;
  let characters = 0;
  let isFull = false;

  function put(place: { seq: number; atMs: number }, item: NewItem): number | undefined {
    const placed: TraceItem = { ...place, ...item };
    const length = JSON.stringify(placed).length;
    if (items.length >= limits.items || characters + length > limits.characters) isFull = true;
    if (isFull) {
      onFull();
      return undefined;
    }
    characters += length;
    items.push(placed);
    return place.seq;
  }

  const next = () => ({ seq: ++seq, atMs: clock.nowMs() });
  return {
    add: (item) => (isFull ? undefined : put(next(), item)),
    reserve() {
      const place = next();
      return { seq: place.seq, put: (item) => void (isFull || put(place, item)) };
    },
    inOrder: () => items.toSorted((one, other) => one.seq - other.seq),
    get size() {
      return { items: items.length, characters };
    },
    get isFull() {
      return isFull;
    },
  };
}
