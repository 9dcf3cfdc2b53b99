import { keptFile } from './atomic-json-file.ts';

/** How far a set of keys is used. What has been saved is still there after a power cut. */
export interface CounterStore {
  /** The last counter saved for this key set; 0 for one that is new here. @throws Fault `journal`. */
  load(initialKeyId: string): number;
  /** Returns once the counter is kept. @throws Fault `journal`: the counter may not be used then. */
  save(initialKeyId: string, counter: number): void;
}

export function memoryCounter(): CounterStore {
  const counters = new Map<string, number>();
  return {
    load: (initialKeyId) => counters.get(initialKeyId) ?? 0,
    save: (initialKeyId, counter) => void counters.set(initialKeyId, counter),
  };
}

interface Kept {
  initialKeyId: string;
  counter: number;
}

/**
 * A counter in a small file beside the terminal's journal, replaced whole so that a crash leaves the old one or the
 * new one. It keeps one key set: those of an earlier pairing are of no use any more. `sync` also waits for the disk,
 * which a real terminal needs and a simulated one in a process does not.
 * @throws Fault `journal` when the file cannot be written, or holds something else.
 */
export function fileCounter(path: string, options: { sync: boolean }): CounterStore {
  const file = keptFile(path, 'the key counter', { ...options, read: readKept });
  return {
    load(initialKeyId) {
      const kept = file.load();
      return kept?.initialKeyId === initialKeyId ? kept.counter : 0;
    },
    save: (initialKeyId, counter) => file.save({ initialKeyId, counter }),
  };
}

/** Taken for 0, a counter that is there and cannot be read would use its keys a second time. */
function readKept(found: unknown): Kept {
  const kept = found as Kept | null;
  if (typeof kept?.initialKeyId !== 'string' || !Number.isSafeInteger(kept.counter)) {
    throw new Error('it holds no counter');
  }
  return kept;
}
