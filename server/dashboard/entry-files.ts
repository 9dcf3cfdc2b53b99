/** The members of an entry that are used here. */
interface FiledEntry {
  seq: number;
  kind: string;
}

export interface FileLimits {
  /** Actions, objects and terminals with entries; the least recently changed is dropped first. */
  subjects: number;
  /** Entries of one subject; the oldest reader frame is dropped first, then the oldest entry. */
  entriesOfSubject: number;
  /** Entries of all subjects. */
  entries: number;
}

/** Stores entries by key, within limits. */
export interface EntryFiles<E extends FiledEntry> {
  add(keys: readonly string[], entry: E): void;
  /** Entries of a key by sequence number. */
  of(key: string): readonly E[];
  clear(): void;
}

export function createEntryFiles<E extends FiledEntry>(limits: FileLimits): EntryFiles<E> {
  const files = new Map<string, E[]>();
  let count = 0;
  let latest: string | undefined;

  const dropOldest = () => {
    const key = files.keys().next().value!;
    count -= files.get(key)!.length;
    files.delete(key);
  };
  const fileOf = (key: string): E[] => {
    const known = files.get(key);
    if (known && key === latest) return known;
    const file = known ?? [];
    // The map is ordered by last change.
    files.delete(key);
    files.set(key, file);
    latest = key;
    return file;
  };
  return {
    add(keys, entry) {
      for (const key of keys) {
        const file = fileOf(key);
        insert(file, entry);
        count += 1;
        if (file.length > limits.entriesOfSubject) {
          const frame = file.findIndex(({ kind }) => kind.startsWith('serial.'));
          file.splice(Math.max(frame, 0), 1);
          count -= 1;
        }
      }
      while (files.size > limits.subjects || (count > limits.entries && files.size > 1)) dropOldest();
    },
    of: (key) => files.get(key) ?? [],
    clear() {
      files.clear();
      count = 0;
      latest = undefined;
    },
  };
}

/** Inserts an entry by sequence number, nearly always at the end. */
function insert<E extends FiledEntry>(file: E[], entry: E): void {
  let place = file.length;
  while (place > 0 && file[place - 1]!.seq > entry.seq) place -= 1;
  file.splice(place, 0, entry);
}
