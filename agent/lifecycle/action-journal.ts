import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
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

/** Room for one entry in the file, bytes: many times what an action needs. */
const SLOT_BYTES = 64 * 1024;

/**
 * A journal in one file of two slots, written in turn: whatever happens while one is written, the other still has
 * the entry before. (Replacing a file by a rename is as safe and, on common file systems, ten times as slow.)
 * `sync` also waits for the disk, which a real terminal needs and a simulated one in a process does not.
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
  let written: number | undefined;

  function lastWritten(): number {
    try {
      return newestSlot(path)?.number ?? 0;
    } catch {
      return 0; // nothing in it can be read, so nothing in it can be taken for newer
    }
  }

  function write(entry: JournalEntry | null): void {
    written = (written ?? lastWritten()) + 1;
    const slot = encodeSlot({ number: written, entry });
    const place = (written % 2) * SLOT_BYTES;
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      writeSync(file, slot, 0, slot.length, place);
      if (entry === null && place === 0) ftruncateSync(file, slot.length);
      if (options.sync) fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /**
   * What was sealed for the issuer must not outlive its action, neither in the other slot nor behind the end of a
   * shorter entry: the file is cut off behind an empty first slot. The second slot is emptied first when it is its
   * turn, so that a power cut in between leaves one of the two whole.
   */
  function clear(): void {
    write(null);
    if (written! % 2 !== 0) write(null);
  }

  return {
    load: () => attempt('read', () => newestSlot(path)?.entry ?? undefined),
    save: (entry) => attempt('write', () => write(entry)),
    clear: () => attempt('clear', clear),
  };
}

interface Slot {
  /** Counts the writes of the file; the larger of the two slots is the newer. */
  number: number;
  /** Null when the journal was cleared. */
  entry: JournalEntry | null;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A line: the digest of what follows it, so that a slot that was torn while it was written is known as torn. */
function encodeSlot(slot: Slot): Buffer {
  const text = JSON.stringify(slot);
  const line = Buffer.from(`${digestOf(text)} ${text}\n`);
  if (line.length > SLOT_BYTES) throw new Error('the entry is too long');
  return line;
}

function decodeSlot(bytes: Buffer): Slot | undefined {
  const [line = ''] = bytes.toString('utf8').split('\n', 1);
  const [digest, text] = [line.slice(0, 64), line.slice(65)];
  return digest === digestOf(text) ? (JSON.parse(text) as Slot) : undefined;
}

/** Undefined when there is no file yet. @throws when there is one that holds no whole entry. */
function newestSlot(path: string): Slot | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const slots = [bytes.subarray(0, SLOT_BYTES), bytes.subarray(SLOT_BYTES)].flatMap(
    (slot) => decodeSlot(slot) ?? [],
  );
  const newest = slots.sort((a, b) => b.number - a.number)[0];
  if (!newest && bytes.length > 0) throw new Error('no whole entry');
  return newest;
}
