import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Refusal } from '../../platform/http/refusals.ts';
import { readPackedLines, UnreadableLines } from '../../platform/packed-lines.ts';
import { damaged } from './damaged-snapshot.ts';

// Rows compress to about a tenth.
const UNPACKED_TIMES_MAX = 20;
// A small file may be one of many rows that are alike.
const UNPACKED_BYTES_MIN = 64 * 1024 * 1024;

/** A line of a snapshot. */
interface SnapshotLine {
  value: unknown;
  /** SHA-256 of all lines before it, hexadecimal. */
  sha256Before(): string;
}

/**
 * Unpacks a snapshot and yields its lines.
 * @param bytesMax of the packed file
 * @throws Refusal `not_a_snapshot`, or `snapshot_damaged` with the limit that it exceeds
 */
export async function* readLines(packed: Readable, bytesMax: number): AsyncGenerator<SnapshotLine> {
  const hash = createHash('sha256');
  try {
    const unpackedBytes = Math.max(bytesMax * UNPACKED_TIMES_MAX, UNPACKED_BYTES_MIN);
    for await (const { bytes, value } of readPackedLines(packed, { unpackedBytes })) {
      yield { value, sha256Before: () => hash.copy().digest('hex') };
      hash.update(bytes).update('\n');
    }
  } catch (thrown) {
    if (!(thrown instanceof UnreadableLines)) throw thrown;
    throw thrown.reason === 'notPacked' ? new Refusal('not_a_snapshot') : damaged(thrown.message);
  }
}
