import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LimitedBytes } from './limited-bytes.ts';
import type { ReceivedFile } from './snapshot-storage.ts';

/** Writes what is received into a new file. @throws Refusal `snapshot_too_large` */
export async function receiveFile(path: string, content: Readable, bytesMax: number): Promise<ReceivedFile> {
  const discard = () => rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    // A request that is destroyed gets no reply, so one that is too large is left as it is.
    const received = content.iterator({ destroyOnReturn: false });
    await pipeline(received, new LimitedBytes(bytesMax), createWriteStream(path, { mode: 0o600 }));
  } catch (thrown) {
    await discard();
    throw thrown;
  }
  return { open: () => createReadStream(path), bytesMax, discard };
}
