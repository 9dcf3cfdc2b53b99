import { Transform } from 'node:stream';
import { Refusal } from '../../platform/http/refusals.ts';

const MEGABYTE = 1_000_000;

/** A stream that passes at most `bytesMax` bytes, and counts them. It fails with the refusal `snapshot_too_large`. */
export class LimitedBytes extends Transform {
  bytes = 0;
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    super();
    this.#bytesMax = bytesMax;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: Error | null, chunk?: Buffer) => void) {
    this.bytes += chunk.length;
    if (this.bytes > this.#bytesMax) done(tooLarge(this.#bytesMax));
    else done(null, chunk);
  }
}

/** Returns the refusal of a snapshot that is larger than the limit. */
function tooLarge(bytesMax: number): Refusal {
  return new Refusal('snapshot_too_large', { limit: `${bytesMax / MEGABYTE} MB` });
}
