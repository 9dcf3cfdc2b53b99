import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/folder.ts';

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
  attempt('create', path, () => makeFolder(dirname(path)));
  return {
    load(initialKeyId) {
      const kept = attempt('read', path, () => read(path));
      return kept?.initialKeyId === initialKeyId ? kept.counter : 0;
    },
    save: (initialKeyId, counter) =>
      attempt('write', path, () => replace(path, { initialKeyId, counter }, options.sync)),
  };
}

function read(path: string): Kept | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const kept = JSON.parse(text) as Kept | null;
  // Taken for 0, a counter that is there and cannot be read would use its keys a second time.
  if (typeof kept?.initialKeyId !== 'string' || !Number.isSafeInteger(kept.counter)) {
    throw new Error('it holds no counter');
  }
  return kept;
}

function replace(path: string, kept: Kept, sync: boolean): void {
  const file = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(kept)}\n`);
    if (sync) fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
  if (sync) syncFolder(dirname(path));
}

/** A rename is on the disk once its folder is. Windows opens no folders, and needs none of it. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function attempt<T>(what: string, path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new Fault('journal', `cannot ${what} the key counter ${path}`, { cause: error });
  }
}
