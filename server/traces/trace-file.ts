import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip, gunzipSync } from 'node:zlib';
import { Fault } from '../../protocol/failures.ts';
import { readPackedLines, UnreadableLines } from '../platform/packed-lines.ts';
import { type PackedSnapshot, textsOf, type TraceText } from './packed-snapshot.ts';
import { damagedTrace as damaged, traceContent } from './trace-content.ts';
import {
  checkTraceHeader,
  TRACE_FORMAT,
  TRACE_VERSION,
  type Trace,
  type TraceHeader,
} from './trace-format.schema.ts';

/** Of a file that is read. */
const LIMITS = { unpackedBytes: 512 * 1024 * 1024 };

const CHUNK_BYTES = 64 * 1024;

// Enough to unpack the first words.
const BEGINNING_BYTES = 4096;
const FIRST_WORDS = Buffer.from(`{"format":"${TRACE_FORMAT}"`);

/** A trace whose snapshot is packed. */
export type PackedTrace = Omit<Trace, 'snapshot'> & { snapshot: PackedSnapshot };

/** Returns the bytes of a trace's file. */
export function traceFile(trace: Trace): Promise<Buffer> {
  return packTrace(traceLines(trace));
}

/** Returns the bytes of the file of a trace whose snapshot is packed. */
export function packedTraceFile({
  header,
  machines,
  snapshot,
  items,
  summary,
}: PackedTrace): Promise<Buffer> {
  async function* texts(): AsyncGenerator<TraceText> {
    yield* textsOf([header, { machines }, { snapshot: snapshot.header }]);
    yield* snapshot.texts();
    yield* textsOf([...items, { summary }]);
  }
  return packTexts(texts());
}

/** Returns the lines of a trace's file but for its end. */
export function traceLines({ header, machines, snapshot, items, summary }: Trace): unknown[] {
  return [header, { machines }, { snapshot: snapshot.header }, ...snapshot.lines, ...items, { summary }];
}

/** Returns the bytes of a file with these lines, to which its end is added. */
export function packTrace(lines: readonly unknown[]): Promise<Buffer> {
  return packTexts(textsOf(lines));
}

async function packTexts(texts: AsyncIterable<TraceText>): Promise<Buffer> {
  async function* withEnd(): AsyncGenerator<string> {
    const hash = createHash('sha256');
    let count = 0;
    for await (const { text, lines } of texts) {
      hash.update(text);
      count += lines;
      yield text;
    }
    yield `${JSON.stringify({ end: { lines: count, sha256: hash.digest('hex') } })}\n`;
  }
  const packed: Buffer[] = [];
  await pipeline(Readable.from(withEnd()), createGzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) packed.push(chunk);
  });
  return Buffer.concat(packed);
}

/** Returns whether the bytes of a file begin as those of a trace. */
export function isTrace(file: Uint8Array): boolean {
  try {
    const beginning = gunzipSync(file.subarray(0, BEGINNING_BYTES), { finishFlush: constants.Z_SYNC_FLUSH });
    return beginning.subarray(0, FIRST_WORDS.length).equals(FIRST_WORDS);
  } catch {
    return false;
  }
}

/**
 * Reads the bytes of a trace's file, line by line.
 * @throws Fault `bad_setting` for a file that is no trace, is damaged, exceeds a limit, or was written by a newer version
 */
export async function readTrace(file: Uint8Array): Promise<Trace> {
  const hash = createHash('sha256');
  const values: unknown[] = [];
  let header: TraceHeader | undefined;
  /** The latest line, which may be the last. */
  let latest: { bytes: Buffer; value: unknown } | undefined;
  try {
    for await (const line of readPackedLines(Readable.from(chunksOf(file)), LIMITS)) {
      if (header === undefined) header = headerOf(line.value);
      else values.push(latest!.value);
      if (latest) hash.update(latest.bytes).update('\n');
      latest = line;
    }
  } catch (thrown) {
    throw thrown instanceof UnreadableLines ? faultOf(thrown, file) : thrown;
  }
  if (header === undefined) throw notATrace();
  const { end } = (latest!.value ?? {}) as { end?: { lines: number; sha256: string } };
  if (!end) throw damaged('its end is missing');
  if (end.lines !== values.length || end.sha256 !== hash.digest('hex'))
    throw damaged('its checksum does not match');
  return { header, ...traceContent(values.slice(1)) };
}

/** Cuts the bytes of a file, so that its unpacking stops soon after a limit. */
function* chunksOf(file: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < file.length; from += CHUNK_BYTES) yield file.subarray(from, from + CHUNK_BYTES);
}

function faultOf({ reason, message }: UnreadableLines, file: Uint8Array): Fault {
  if (reason === 'cut') return damaged('its end is missing');
  return reason === 'damaged' || isTrace(file) ? damaged(message) : notATrace();
}

function headerOf(value: unknown): TraceHeader {
  const { format, version, writtenBy } = (value ?? {}) as Partial<TraceHeader>;
  if (format !== TRACE_FORMAT) throw notATrace();
  if (typeof version === 'number' && version > TRACE_VERSION) {
    const by = String(writtenBy).slice(0, 40);
    throw new Fault('bad_setting', `the trace was written by a newer version, Tapbench ${by}: upgrade`);
  }
  const problem = checkTraceHeader(value)[0];
  if (problem) throw damaged(`its header ${problem.path} ${problem.message}`);
  return value as TraceHeader;
}

function notATrace(): Fault {
  return new Fault('bad_setting', 'the file is not a trace of Tapbench');
}
