import { closeSync, fdatasyncSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/folder.ts';

export interface KeptFileOptions<T> {
  /** Also waits for the disk, which a real terminal needs and a simulated one in a process does not. */
  sync: boolean;
  /** What the JSON of the file is. @throws Error when it is something else. */
  read(found: unknown): T;
}

/** A small value in a file beside the terminal's journal. */
export interface KeptFile<T> {
  /** Undefined when there is no file yet. @throws Fault `journal` when it cannot be read. */
  load(): T | undefined;
  /** Returns once the value is kept. @throws Fault `journal` when it is not. */
  save(value: T): void;
}

/**
 * Keeps a value in a file that is replaced whole, so that a crash leaves the old one or the new one.
 * @param what what is kept, for messages.
 * @throws Fault `journal` when its folder cannot be made.
 */
export function keptFile<T>(path: string, what: string, { sync, read }: KeptFileOptions<T>): KeptFile<T> {
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
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
