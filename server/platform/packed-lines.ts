import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../../protocol/failures.ts';
import { limitExceeded } from '../../protocol/outside-json.ts';

const MEBIBYTE = 1024 * 1024;

// Longer than any row or item: the largest bodies that the API takes are 1 MiB. The terminals of a sandbox are one line.
const LINE_BYTES_MAX = 16 * MEBIBYTE;

// A value takes about a hundred bytes of memory. The terminals of a large fleet have the most.
const LINE_VALUES_MAX = 500_000;

// Twice as deep as the body of a request, which an item of a trace holds a few levels down.
const LINE_DEPTH_MAX = 64;

const LINES_MAX = 4_000_000;

// Rows compress to about a tenth. A small file may be one of many rows that are alike.
const COMPRESSION_MAX = 50;
const COMPRESSION_FROM_BYTES = 16 * MEBIBYTE;

/** Why the lines of a file cannot be read: it is no packed JSON, its end is missing, it is damaged, or a limit. */
type UnreadableReason = 'notPacked' | 'cut' | 'damaged';

/** Thrown for a file whose lines cannot be read. A message names the limit that it exceeds. */
export class UnreadableLines extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A line of a packed file. */
interface PackedLine {
  bytes: Buffer;
  value: unknown;
}

/**
 * Unpacks lines of JSON from gzip while they are read, within limits of size, compression, length, depth, values and number.
 * @param limits of the whole file
 * @throws UnreadableLines
 */
export async function* readPackedLines(
  packed: AsyncIterable<Uint8Array>,
  { unpackedBytes, lines = LINES_MAX }: { unpackedBytes: number; lines?: number },
): AsyncGenerator<PackedLine> {
  let count = 0;
  for await (const bytes of splitLines(unpack(packed, unpackedBytes))) {
    count += 1;
    if (count > lines) throw exceeded('it has more', lines, 'lines');
    yield { bytes, value: parsed(bytes, count === 1) };
  }
}

async function* unpack(packed: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  let [packedBytes, bytes] = [0, 0];
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of packed) {
      packedBytes += chunk.length;
      yield chunk;
    }
  }
  // Its failure is thrown by the loop too.
  const piped = pipeline(Readable.from(counted(), { objectMode: false }), gunzip).catch(() => undefined);
  try {
    for await (const chunk of gunzip) {
      bytes += (chunk as Buffer).length;
      if (bytes > bytesMax) throw exceeded('it is larger', bytesMax / MEBIBYTE, 'MiB once it is unpacked');
      if (bytes > COMPRESSION_FROM_BYTES && bytes > packedBytes * COMPRESSION_MAX)
        throw exceeded('it is compressed to less', `1/${COMPRESSION_MAX}`, 'of its size');
      yield chunk as Buffer;
    }
  } catch (thrown) {
    throw unreadable(thrown, bytes > 0);
  } finally {
    gunzip.destroy();
    await piped;
  }
}

/** Returns the failure for one of zlib; any other as it is. */
function unreadable(thrown: unknown, hasBegun: boolean): unknown {
  const code = errorCode(thrown) ?? '';
  if (!code.startsWith('Z_') && code !== 'ERR_STREAM_PREMATURE_CLOSE') return thrown;
  if (!hasBegun) return new UnreadableLines('notPacked', 'it is not packed with gzip', { cause: thrown });
  const reason = code === 'Z_BUF_ERROR' ? 'cut' : 'damaged';
  return new UnreadableLines(reason, 'it cannot be unpacked', { cause: thrown });
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, to)]);
      [rest, heldBytes, from] = [[], 0, to + 1];
    }
    rest.push(chunk.subarray(from));
    heldBytes += chunk.length - from;
    if (heldBytes > LINE_BYTES_MAX) throw exceeded('a line is longer', LINE_BYTES_MAX / MEBIBYTE, 'MiB');
  }
  if (heldBytes > 0) yield Buffer.concat(rest);
}

function parsed(bytes: Buffer, isFirst: boolean): unknown {
  const text = bytes.toString('utf8');
  const limit = limitExceeded(text, { depth: LINE_DEPTH_MAX, values: LINE_VALUES_MAX });
  if (limit === 'depth') throw exceeded('a line is nested more', LINE_DEPTH_MAX, 'deep');
  if (limit === 'values') throw exceeded('a line has more', LINE_VALUES_MAX, 'values');
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new UnreadableLines(isFirst ? 'notPacked' : 'damaged', 'a line is not JSON', { cause: thrown });
  }
}

function exceeded(what: string, limit: number | string, of: string): UnreadableLines {
  const shown = typeof limit === 'number' ? limit.toLocaleString('en') : limit;
  return new UnreadableLines('damaged', `${what} than ${shown} ${of}`);
}
