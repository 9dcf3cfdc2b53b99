import { atomicJsonFile } from './atomic-json-file.ts';

/** Stores the DUKPT transaction counter of a key set. A saved counter survives a power cut. */
export interface KeyCounterStore {
  /** Returns the last counter saved for this key set; 0 for a new one. @throws Fault `journal`. */
  load(initialKeyId: string): number;
  /** Returns once the counter is stored. @throws Fault `journal`; the counter must not be used then. */
  save(initialKeyId: string, counter: number): void;
}

/** Creates a store in memory. */
export function memoryKeyCounter(): KeyCounterStore {
  const counters = new Map<string, number>();
  return {
    load: (initialKeyId) => counters.get(initialKeyId) ?? 0,
    save: (initialKeyId, counter) => void counters.set(initialKeyId, counter),
  };
}

interface StoredCounter {
  initialKeyId: string;
  counter: number;
}

/**
 * Creates a store in a JSON file beside the terminal's journal, for one key set: a new pairing replaces it. `sync`
 * also flushes to disk, which a real terminal needs and a simulated one does not.
 * @throws Fault `journal` when the file cannot be written, or its content is invalid.
 */
export function fileKeyCounter(path: string, options: { sync: boolean }): KeyCounterStore {
  const file = atomicJsonFile(path, 'the key counter', { ...options, read: readStoredCounter });
  return {
    load(initialKeyId) {
      const kept = file.load();
      return kept?.initialKeyId === initialKeyId ? kept.counter : 0;
    },
    save: (initialKeyId, counter) => file.save({ initialKeyId, counter }),
  };
}

/** An unreadable counter is an error: to start at 0 would use keys twice. */
function readStoredCounter(found: unknown): StoredCounter {
  const kept = found as StoredCounter | null;
  if (typeof kept?.initialKeyId !== 'string' || !Number.isSafeInteger(kept.counter)) {
    throw new Error('it holds no counter');
  }
  return kept;
}
