import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Fault } from '../../protocol/failures.ts';
import { makeFolder } from '../../protocol/system/make-folder.ts';
import { PRIVATE_FILE } from '../../protocol/system/private-mode.ts';
import { syncFolderSync } from '../../protocol/system/sync-folder.ts';

/** What a terminal needs to resume an action after a power cut. */
export interface JournalEntry {
  actionId: string;
  /** The persisted snapshot of the action machine (XState, JSON). */
  snapshot: unknown;
  /** The next sequence number to send, and the last one seen from the server. */
  nextSeq: number;
  lastSeqSeen: number;
}

/** Stores the current action of a terminal across restarts. */
export interface ActionJournal {
  load(): JournalEntry | undefined;
  save(entry: JournalEntry): void;
  clear(): void;
}

/** Creates a journal in memory. */
export function memoryJournal(): ActionJournal {
  let kept: string | undefined;
  return {
    load: () => (kept === undefined ? undefined : (JSON.parse(kept) as JournalEntry)),
    save: (entry) => void (kept = JSON.stringify(entry)),
    clear: () => void (kept = undefined),
  };
}

/** Size of a slot in bytes, far more than an action needs. */
const SLOT_BYTES = 64 * 1024;

/**
 * Creates a journal in a file of two slots that are written alternately, so that an interrupted write leaves the
 * previous entry in the other slot. (To replace the file by a rename is as safe, but ten times slower on common file
 * systems.) `sync` also flushes to disk, which a real terminal needs and a simulated one does not.
 * @throws Fault `journal` when the file cannot be written or read.
 */
export function fileJournal(
  path: string,
  { sync, syncFolder = syncFolderSync }: { sync: boolean; syncFolder?: (path: string) => void },
): ActionJournal {
  const attempt = <T>(what: string, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw new Fault('journal', `cannot ${what} the journal ${path}`, { cause: error });
    }
  };
  attempt('create', () => makeFolder(dirname(path)));
  let written: number | undefined;
  let isNameSynced = !sync;

  function lastWritten(): number {
    try {
      return newestSlot(path)?.number ?? 0;
    } catch {
      return 0; // unreadable, so no slot can be taken for a newer one
    }
  }

  function write(entry: JournalEntry | null): void {
    written = (written ?? lastWritten()) + 1;
    const slot = encodeSlot({ number: written, entry });
    const place = (written % 2) * SLOT_BYTES;
    const file = openSync(path, constants.O_WRONLY | constants.O_CREAT, PRIVATE_FILE);
    try {
      writeSync(file, slot, 0, slot.length, place);
      if (entry === null && place === 0) ftruncateSync(file, slot.length);
      if (sync) fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
    // The file may be new, and a power failure would take its name with what it holds.
    if (!isNameSynced) syncFolder(dirname(path));
    isNameSynced = true;
  }

  /**
   * Clears both slots. Data encrypted for the issuer must not outlive its action, in the other slot or after a shorter
   * entry, so the file is truncated after an empty first slot. If it is the second slot's turn, that is cleared first,
   * so that a power cut between the two writes leaves one of them intact.
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
  /** Number of this write; the slot with the larger number is the newer one. */
  number: number;
  /** Null when the journal was cleared. */
  entry: JournalEntry | null;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Encodes a slot as a line with a digest, to detect an incomplete write. */
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

/** Returns the newer intact slot, or undefined without a file. @throws Error when no slot is intact. */
function newestSlot(path: string): Slot | undefined {
  // Mostly there is none yet, and an error takes much longer.
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const bytes = readFileSync(path);
  const slots = [bytes.subarray(0, SLOT_BYTES), bytes.subarray(SLOT_BYTES)].flatMap(
    (slot) => decodeSlot(slot) ?? [],
  );
  const newest = slots.sort((a, b) => b.number - a.number)[0];
  if (!newest && bytes.length > 0) throw new Error('no intact entry');
  return newest;
}
