import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gunzipSync, gzip } from 'node:zlib';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { damagedTrace as damaged, traceContent } from './trace-content.ts';
import {
  checkTraceHeader,
  TRACE_FORMAT,
  TRACE_VERSION,
  type Trace,
  type TraceHeader,
} from './trace-format.schema.ts';

/** Largest file that is read, unpacked. */
const UNPACKED_BYTES_MAX = 512 * 1024 * 1024;

// Enough to unpack the first words.
const BEGINNING_BYTES = 4096;
const FIRST_WORDS = Buffer.from(`{"format":"${TRACE_FORMAT}"`);

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Returns the bytes of a trace's file. */
export function traceFile(trace: Trace): Promise<Buffer> {
  return packTrace(traceLines(trace));
}

/** Returns the lines of a trace's file but for its end. */
export function traceLines({ header, machines, snapshot, items, summary }: Trace): unknown[] {
  return [header, { machines }, { snapshot: snapshot.header }, ...snapshot.lines, ...items, { summary }];
}

/** Returns the bytes of a file with these lines, to which its end is added. */
export async function packTrace(lines: readonly unknown[]): Promise<Buffer> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return pack(`${text}${JSON.stringify({ end: { lines: lines.length, sha256 } })}\n`);
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
 * Reads the bytes of a trace's file.
 * @throws Fault `bad_setting` for a file that is no trace, is damaged, too large, or was written by a newer version
 */
export async function readTrace(file: Uint8Array): Promise<Trace> {
  const text = (await unpacked(file)).toString('utf8');
  const header = headerOf(text);
  const endAt = text.lastIndexOf('\n', text.length - 2) + 1;
  const lines = text.slice(0, endAt).split('\n').slice(0, -1);
  const { end } = parsed(text.slice(endAt)) as { end?: { lines: number; sha256: string } };
  if (!end) throw damaged('its end is missing');
  const sha256 = createHash('sha256').update(text.slice(0, endAt)).digest('hex');
  if (end.lines !== lines.length || end.sha256 !== sha256) throw damaged('its checksum does not match');
  return { header, ...traceContent(lines.slice(1).map(parsed)) };
}

async function unpacked(file: Uint8Array): Promise<Buffer> {
  try {
    return await unpack(file, { maxOutputLength: UNPACKED_BYTES_MAX });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw new Fault('bad_setting', 'the trace is too large once it is unpacked');
    if (code === 'Z_BUF_ERROR') throw damaged('its end is missing');
    throw code === 'Z_DATA_ERROR' && file[0] === 0x1f ? damaged(messageOf(thrown)) : notATrace();
  }
}

function headerOf(text: string): TraceHeader {
  let header: unknown;
  try {
    header = JSON.parse(text.slice(0, text.indexOf('\n')));
  } catch {
    throw notATrace();
  }
  const { format, version, writtenBy } = (header ?? {}) as Partial<TraceHeader>;
  if (format !== TRACE_FORMAT) throw notATrace();
  if (typeof version === 'number' && version > TRACE_VERSION) {
    const by = String(writtenBy).slice(0, 40);
    throw new Fault('bad_setting', `the trace was written by a newer version, Tapbench ${by}: upgrade`);
  }
  const problem = checkTraceHeader(header)[0];
  if (problem) throw damaged(`its header ${problem.path} ${problem.message}`);
  return header as TraceHeader;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged('a line is not JSON');
  }
}

function notATrace(): Fault {
  return new Fault('bad_setting', 'the file is not a trace of Tapbench');
}
