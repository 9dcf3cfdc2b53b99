/** The properties of an entry that the store uses. */
interface StoredEntry {
  seq: number;
  kind: string;
}

export interface EntryLimits {
  /** Actions, objects and terminals with entries; the least recently changed is dropped first. */
  timelines: number;
  /** Entries of one timeline; the oldest reader frame is dropped first, then the oldest entry. */
  entriesOfTimeline: number;
  /** Entries of all timelines. */
  entries: number;
}

/** Stores timeline entries by key in memory, within limits. */
export interface EntryStore<E extends StoredEntry> {
  add(keys: readonly string[], entry: E): void;
  /** Entries of a key by sequence number. */
  of(key: string): readonly E[];
  /** Removes the entries of a key and returns them. */
  take(key: string): readonly E[];
  /** The keys with entries. */
  keys(): string[];
  clear(): void;
}

export function createEntryStore<E extends StoredEntry>(limits: EntryLimits): EntryStore<E> {
  const lists = new Map<string, E[]>();
  let count = 0;
  let latest: string | undefined;

  const dropOldest = () => {
    const key = lists.keys().next().value!;
    count -= lists.get(key)!.length;
    lists.delete(key);
  };
  const listOf = (key: string): E[] => {
    const known = lists.get(key);
    if (known && key === latest) return known;
    const list = known ?? [];
    // The map is ordered by last change.
    lists.delete(key);
    lists.set(key, list);
    latest = key;
    return list;
  };
  return {
    add(keys, entry) {
      for (const key of keys) {
        const list = listOf(key);
        insert(list, entry);
        count += 1;
        if (list.length > limits.entriesOfTimeline) {
          const frame = list.findIndex(({ kind }) => kind.startsWith('serial.'));
          list.splice(Math.max(frame, 0), 1);
          count -= 1;
        }
      }
      while (lists.size > limits.timelines || (count > limits.entries && lists.size > 1)) dropOldest();
    },
    of: (key) => lists.get(key) ?? [],
    take(key) {
      const taken = lists.get(key) ?? [];
      lists.delete(key);
      count -= taken.length;
      if (key === latest) latest = undefined;
      return taken;
    },
    keys: () => [...lists.keys()],
    clear() {
      lists.clear();
      count = 0;
      latest = undefined;
    },
  };
}

/** Inserts an entry by sequence number, nearly always at the end. */
function insert<E extends StoredEntry>(list: E[], entry: E): void {
  let place = list.length;
  while (place > 0 && list[place - 1]!.seq > entry.seq) place -= 1;
  list.splice(place, 0, entry);
}
