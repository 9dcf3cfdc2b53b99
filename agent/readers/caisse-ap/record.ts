import { Fault } from '../../../protocol/failures.ts';
import type { FrameParser } from '../frame-channel.ts';

/** A record of a Caisse-AP message: a tag of two capital letters and its value. */
interface CaisseRecord {
  tag: string;
  value: string;
}

/** A record of an answer, or why its bytes are none. */
export type RecordFrame = { type: 'record'; record: CaisseRecord } | { type: 'broken'; reason: string };

const HEAD_BYTES = 5;
const VALUE_BYTES_MAX = 999;

// More than an answer with a receipt has.
const MESSAGE_BYTES_MAX = 20_000;
const LINE_ENDS = [0x0d, 0x0a];

/** Encodes a record. @throws Fault `internal` for a value that does not fit. */
export function encodeRecord(tag: string, value: string): string {
  if (!/^[\x20-\x7e]{1,999}$/.test(value)) throw new Fault('internal', `Caisse-AP record ${tag}: its value`);
  return `${tag}${String(value.length).padStart(3, '0')}${value}`;
}

export interface RecordParser extends FrameParser<RecordFrame> {
  /** Whether the bytes so far end inside a record. */
  readonly isPartial: boolean;
}

/**
 * Creates a parser for the records of one answer. A message has no start and no check sum, so after bytes that are no record
 * nothing that follows can be trusted: the parser reports them once.
 */
export function createRecordParser(): RecordParser {
  let rest = '';
  let at = 0;
  let records = 0;
  let broken = false;
  const fail = (reason: string): RecordFrame => {
    broken = true;
    rest = '';
    return { type: 'broken', reason: `answer, record ${records + 1} at byte ${at + 1}: ${reason}` };
  };
  const next = (): RecordFrame | undefined => {
    while (LINE_ENDS.includes(rest.charCodeAt(0))) {
      rest = rest.slice(1);
      at += 1;
    }
    if (at + rest.length > MESSAGE_BYTES_MAX) return fail(`an answer has at most ${MESSAGE_BYTES_MAX} bytes`);
    const read = readRecord(rest);
    if (read === 'more') return undefined;
    if ('problem' in read) return fail(read.problem);
    rest = rest.slice(read.length);
    at += read.length;
    records += 1;
    return { type: 'record', record: read.record };
  };
  return {
    get isPartial() {
      return rest.length > 0;
    },
    push(bytes) {
      const frames: RecordFrame[] = [];
      if (broken) return frames;
      rest += Buffer.from(bytes).toString('latin1');
      for (let frame = next(); frame; frame = broken ? undefined : next()) frames.push(frame);
      return frames;
    },
  };
}

type ReadRecord = { record: CaisseRecord; length: number } | { problem: string } | 'more';

/** Reads the record at the start of a text. Problems name the rule and no bytes, which may be those of a card. */
function readRecord(text: string): ReadRecord {
  if (text.length === 0) return 'more';
  if (!/^[A-Z]/.test(text) || (text.length > 1 && !/^[A-Z]{2}/.test(text)))
    return { problem: 'a tag is two capital letters' };
  const digits = text.slice(2, HEAD_BYTES);
  if (!/^[0-9]*$/.test(digits)) return { problem: `the length of ${text.slice(0, 2)} is three digits` };
  if (text.length < HEAD_BYTES) return 'more';
  const size = Number(digits);
  const tag = text.slice(0, 2);
  if (size < 1) return { problem: `the length of ${tag} is from 001 to ${VALUE_BYTES_MAX}` };
  const value = text.slice(HEAD_BYTES, HEAD_BYTES + size);
  if (/[^\x20-\x7e]/.test(value)) return { problem: `the value of ${tag} is printable ASCII` };
  if (value.length < size) return 'more';
  return { record: { tag, value }, length: HEAD_BYTES + size };
}
