import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Refusal } from '../../platform/http/refusals.ts';
import { damaged } from './damaged-snapshot.ts';

// Longer than any row: the largest bodies that the API takes are 1 MiB.
const LINE_BYTES_MAX = 16 * 1024 * 1024;

// Rows compress to about a tenth. A file that is far larger once it is unpacked is not one of ours.
const UNPACKED_TIMES_MAX = 100;

/** A line of a snapshot. */
interface SnapshotLine {
  value: unknown;
  /** SHA-256 of all lines before it, hexadecimal. */
  sha256Before(): string;
}

/**
 * Unpacks a snapshot and yields its lines.
 * @param bytesMax of the packed file
 * @throws Refusal `not_a_snapshot`, `snapshot_damaged` or `snapshot_too_large`
 */
export async function* readLines(packed: Readable, bytesMax: number): AsyncGenerator<SnapshotLine> {
  const hash = createHash('sha256');
  let isFirst = true;
  for await (const line of splitLines(unpack(packed), bytesMax * UNPACKED_TIMES_MAX)) {
    const value = parsed(line, isFirst);
    isFirst = false;
    yield { value, sha256Before: () => hash.copy().digest('hex') };
    hash.update(line).update('\n');
  }
}

async function* unpack(packed: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // Its failure is thrown by the loop too.
  const piped = pipeline(packed, gunzip).catch(() => undefined);
  let any = false;
  try {
    for await (const chunk of gunzip) {
      any = true;
      yield chunk as Buffer;
    }
  } catch (thrown) {
    if (!isZlibError(thrown)) throw thrown;
    throw any ? damaged('it cannot be unpacked') : new Refusal('not_a_snapshot');
  } finally {
    gunzip.destroy();
    await piped;
  }
}

function isZlibError(thrown: unknown): boolean {
  const { code = '' } = thrown as NodeJS.ErrnoException;
  return code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

async function* splitLines(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let allBytes = 0;
  for await (const chunk of chunks) {
    allBytes += chunk.length;
    if (allBytes > bytesMax) throw damaged('it is too large once it is unpacked');
    let from = 0;
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, to)]);
      [rest, restBytes, from] = [[], 0, to + 1];
    }
    rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > LINE_BYTES_MAX) throw damaged('a line is too long');
  }
  if (restBytes > 0) yield Buffer.concat(rest);
}

function parsed(line: Buffer, isFirst: boolean): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    throw isFirst ? new Refusal('not_a_snapshot') : damaged('a line is not JSON');
  }
}
