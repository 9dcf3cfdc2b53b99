import { Readable } from 'node:stream';
import { readHeader } from '../../server/sandboxes/snapshots/read-snapshot.ts';
import { packSnapshot } from '../../server/sandboxes/snapshots/write-snapshot.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { FilledPlaceholders } from './filled-placeholders.ts';
import { mapTexts } from './map-texts.ts';

/** Returns the snapshot with which a trace begins, with values in the place of its placeholders. */
export async function filledSnapshot({ snapshot }: Trace, { fill }: Pick<FilledPlaceholders, 'fill'>) {
  async function* lines(): AsyncGenerator<unknown[]> {
    yield [filled(snapshot.header)];
    for (const line of snapshot.lines) yield [filled(line)];
  }
  const filled = (line: unknown): unknown => mapTexts(line, fill);
  const chunks: Buffer[] = [];
  for await (const chunk of packSnapshot(lines())) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const file = { open: () => Readable.from([bytes]), bytesMax: bytes.length };
  return { header: await readHeader(file), file };
}
