import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode, Fault } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import { replaceFile } from '../../protocol/system/replace-file.ts';

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
    save: (value) => attempt('write', () => replaceFile(path, `${JSON.stringify(value)}\n`, { sync })),
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
