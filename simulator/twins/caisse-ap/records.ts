/** The records of a message by their tags, in their order. */
export type Records = ReadonlyMap<string, string>;

/** What was read: the records of a whole message, or those before its end is missing or a rule is broken. */
export interface ReadMessage {
  records: Records;
  /** Why more has to come, such as `request, byte 12 (CA): 2 characters are announced, 1 came`. */
  incomplete?: string;
  problem?: string;
}

const TAG = /^[A-Z]{2}$/;
const LENGTH = /^[0-9]{3}$/;
const HEAD_LETTERS = 5;
const LONGEST = 999;
const LINE_ENDS = /[\r\n]+$/;

/** Reads records: two capital letters, three digits of length, and so many characters of ASCII (Caisse-AP V3). */
export function readRecords(text: string): ReadMessage {
  const records = new Map<string, string>();
  // Some terminals want a line end behind the last record.
  const message = text.replace(LINE_ENDS, '');
  for (let at = 0; at < message.length;) {
    const place = `request, byte ${at}`;
    const [tag, length] = [message.slice(at, at + 2), message.slice(at + 2, at + HEAD_LETTERS)];
    if (!/^[A-Z]{0,2}$/.test(tag)) return { records, problem: `${place}: a tag is two capital letters` };
    if (!/^[0-9]*$/.test(length)) return { records, problem: `${place} (${tag}): a length is three digits` };
    if (!TAG.test(tag) || !LENGTH.test(length))
      return { records, incomplete: `${place}: the record is cut off` };
    const size = Number(length);
    if (size === 0) return { records, problem: `${place} (${tag}): a length is at least 001` };
    const value = message.slice(at + HEAD_LETTERS, at + HEAD_LETTERS + size);
    if (!/^[\x20-\x7e]*$/.test(value))
      return { records, problem: `${place} (${tag}): a value is printable ASCII` };
    if (value.length < size)
      return {
        records,
        incomplete: `${place} (${tag}): ${size} characters are announced, ${value.length} came`,
      };
    if (records.has(tag)) return { records, problem: `${place} (${tag}): a tag appears once` };
    if (at === 0 && tag !== 'CZ') return { records, problem: `${place} (${tag}): CZ comes first` };
    records.set(tag, value);
    at += HEAD_LETTERS + size;
  }
  return records.size === 0 ? { records, incomplete: 'request, byte 0: nothing came' } : { records };
}

/** Encodes records in their order. Leaves out those without a value, and those that no length fits. */
export function recordsText(records: Iterable<readonly [tag: string, value: string | undefined]>): string {
  return [...records]
    .map(([tag, value]) =>
      value && value.length <= LONGEST ? `${tag}${String(value.length).padStart(3, '0')}${value}` : '',
    )
    .join('');
}
