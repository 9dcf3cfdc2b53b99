import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, Fault } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/folder.ts';

interface AtomicJsonFileOptions<T> {
  /** Also flushes to disk, which a real terminal needs and a simulated one does not. */
  sync: boolean;
  /** Checks the parsed JSON and returns it as a value. @throws Error when it is invalid. */
  read(found: unknown): T;
}

/** A value stored as JSON in a file. */
interface AtomicJsonFile<T> {
  /** Returns undefined when the file does not exist. @throws Fault `journal` when it cannot be read. */
  load(): T | undefined;
  /** Returns once the value is stored. @throws Fault `journal` when it cannot be written. */
  save(value: T): void;
}

/**
 * Creates a file whose value is replaced atomically, so that a crash leaves the old or the new one.
 * @param what description of the value, for error messages.
 * @throws Fault `journal` when its folder cannot be created.
 */
export function atomicJsonFile<T>(
  path: string,
  what: string,
  { sync, read }: AtomicJsonFileOptions<T>,
): AtomicJsonFile<T> {
  const attempt = <R>(verb: string, run: () => R): R => {
    try {
      return run();
    } catch (error) {
      throw new Fault('journal', `cannot ${verb} ${what} ${path}`, { cause: error });
    }
  };
  attempt('create', () => makeFolder(dirname(path)));
  return {
    load: () =>
      attempt('read', () => {
        const text = textOf(path);
        return text === undefined ? undefined : read(JSON.parse(text));
      }),
    save: (value) => attempt('write', () => replace(path, `${JSON.stringify(value)}\n`, sync)),
  };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function replace(path: string, text: string, sync: boolean): void {
  const file = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(file, text);
    if (sync) fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
  if (sync) syncFolder(dirname(path));
}

/** Flushes the folder, to make a rename durable. Windows cannot open folders and does not need it. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
