import { readFileSync, renameSync, rmSync, openSync, writeSync, fsyncSync, closeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/folder.ts';

/** What a terminal must still know after its power was cut in the middle of an action. */
export interface JournalEntry {
  actionId: string;
  /** The persisted snapshot of the action machine (XState, JSON). */
  snapshot: unknown;
  /** The next sequence number to send, and the last one seen from the server. */
  nextSeq: number;
  lastSeqSeen: number;
}

/** One entry at most: a terminal has one action at a time. Survives whatever happens to the process. */
export interface ActionJournal {
  load(): JournalEntry | undefined;
  save(entry: JournalEntry): void;
  clear(): void;
}

export function memoryJournal(): ActionJournal {
  let kept: string | undefined;
  return {
    load: () => (kept === undefined ? undefined : (JSON.parse(kept) as JournalEntry)),
    save: (entry) => void (kept = JSON.stringify(entry)),
    clear: () => void (kept = undefined),
  };
}

/**
 * A journal in one file, replaced whole by a rename so that it is never half written. `sync` also forces it
 * to the disk, which a real terminal needs and a simulated one in a process does not.
 * @throws Fault `journal` when the file cannot be written or read back.
 */
export function fileJournal(path: string, options: { sync: boolean }): ActionJournal {
  const attempt = <T>(what: string, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw new Fault('journal', `cannot ${what} the journal ${path}`, { cause: error });
    }
  };
  attempt('create', () => makeFolder(dirname(path)));
  return {
    load: () =>
      attempt('read', () => {
        try {
          return JSON.parse(readFileSync(path, 'utf8')) as JournalEntry;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
          throw error;
        }
      }),
    save: (entry) =>
      attempt('write', () => {
        const file = openSync(`${path}.new`, 'w', 0o600);
        try {
          writeSync(file, JSON.stringify(entry));
          if (options.sync) fsyncSync(file);
        } finally {
          closeSync(file);
        }
        renameSync(`${path}.new`, path);
      }),
    clear: () => attempt('clear', () => rmSync(path, { force: true })),
  };
}
