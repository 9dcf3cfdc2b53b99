import { Transform, type Readable } from 'node:stream';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../../protocol/system/private-mode.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { ReceivedFile } from './snapshot-storage.ts';

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

/** Writes what is received into a new file. @throws Refusal `snapshot_too_large` */
export async function receiveFile(path: string, content: Readable, bytesMax: number): Promise<ReceivedFile> {
  const discard = () => rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  try {
    // A request that is destroyed gets no reply, so one that is too large is left as it is.
    const received = content.iterator({ destroyOnReturn: false });
    await pipeline(received, new LimitedBytes(bytesMax), createWriteStream(path, { mode: PRIVATE_FILE }));
  } catch (thrown) {
    await discard();
    throw thrown;
  }
  return { open: () => createReadStream(path), bytesMax, discard };
}
