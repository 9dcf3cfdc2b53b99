import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { SnapshotHeader } from '../sandboxes/snapshots/snapshot-format.schema.ts';
import type { TraceSnapshot } from './trace-format.schema.ts';
import { textsOf, type TraceText } from './trace-text.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** The snapshot with which a recording begins, masked: packed, since the rows of a large sandbox take much memory. */
export interface PackedSnapshot {
  header: SnapshotHeader;
  /** Yields the text of its lines but for header and end. */
  texts(): AsyncGenerator<TraceText>;
}

/** Packs the masked lines of a snapshot, its header first. */
export async function packedSnapshot(lines: AsyncIterable<readonly unknown[]>): Promise<PackedSnapshot> {
  const parts: { packed: Buffer; lines: number }[] = [];
  let header: SnapshotHeader | undefined;
  async function* afterHeader(): AsyncGenerator {
    for await (const some of lines) {
      yield* header === undefined ? some.slice(1) : some;
      header ??= some[0] as SnapshotHeader;
    }
  }
  for await (const { text, lines: count } of textsOf(afterHeader()))
    parts.push({ packed: await pack(text, { level: constants.Z_BEST_SPEED }), lines: count });
  return {
    header: header!,
    async *texts() {
      for (const { packed, lines: count } of parts)
        yield { text: (await unpack(packed)).toString('utf8'), lines: count };
    },
  };
}

/** Returns a snapshot with all its lines. */
export async function unpackedSnapshot({ header, texts }: PackedSnapshot): Promise<TraceSnapshot> {
  const lines: unknown[] = [];
  for await (const { text } of texts())
    for (const line of text.trimEnd().split('\n')) lines.push(JSON.parse(line));
  return { header, lines };
}
