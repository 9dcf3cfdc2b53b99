// oxlint-disable-next-line no-explicit-any -- the code that is tested knows what it has written
type Json = any;

/**
 * A small store of a hunted process, of keys and JSON values. A write takes time. What was written is there when the process
 * is started again; what was under way is there whole or not at all.
 */
export interface Disk {
  /** Returns what was written; undefined for nothing. */
  get(key: string): Json;
  /** Returns the keys that begin with a text, in order; all by default. */
  list(prefix?: string): string[];
  /** Resolves when the value of a key is written. @throws TypeError for what is no JSON value */
  set(key: string, value: unknown): Promise<void>;
  /** Resolves when a value is written at the end of the list of a key. @throws TypeError for what is no JSON value */
  append(key: string, value: unknown): Promise<void>;
  /** Resolves when a key is gone. */
  delete(key: string): Promise<void>;
}

/** Writes a key as a process does that can be stopped: calls `apply` once it is written. */
type Write = (key: string, apply: () => void) => Promise<void>;

/** Creates an empty disk. Returns what opens it in a process. */
export function createDisk(): (write: Write) => Disk {
  const texts = new Map<string, string>();
  return (write) => ({
    get: (key) => parsed(texts.get(key)),
    list: (prefix = '') => [...texts.keys()].filter((key) => key.startsWith(prefix)).toSorted(),
    async set(key, value) {
      const text = textOf(key, value);
      await write(key, () => texts.set(key, text));
    },
    async append(key, value) {
      const text = textOf(key, value);
      await write(key, () => {
        const list = parsed(texts.get(key)) ?? [];
        if (!Array.isArray(list)) throw new TypeError(`disk: the value of ${key} is no list`);
        texts.set(key, JSON.stringify([...list, parsed(text)]));
      });
    },
    delete: (key) => write(key, () => texts.delete(key)),
  });
}

const parsed = (text: string | undefined): Json => (text === undefined ? undefined : JSON.parse(text));

/** A process that changes a value later has not changed what it wrote. */
function textOf(key: string, value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`disk: the value of ${key} is no JSON value`);
  return text;
}
