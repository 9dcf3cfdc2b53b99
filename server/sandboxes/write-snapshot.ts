import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { Queries, Store } from '../platform/store/store.ts';
import { readLastNumber, readRows } from '../platform/store/table-rows.ts';
import { copiedTables } from '../platform/store/tables.ts';
import type { EndLine, SnapshotHeader, TableLine, TerminalsLine } from './snapshot-format.schema.ts';

// PostgreSQL keeps each part in a row.
const PART_BYTES = 256 * 1024;

/** What a snapshot is made of. */
interface SnapshotContent {
  header: SnapshotHeader;
  /** Of a store that is not written to meanwhile. */
  queries: Queries;
  engine: Store['engine'];
  /** Undefined for none. */
  terminals: unknown;
}

/** Returns the bytes of a snapshot. They are made while they are read, a few rows at a time. */
export function writeSnapshot(content: SnapshotContent): Readable {
  const lines = Readable.from(snapshotLines(content), { objectMode: false });
  const packed = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: PART_BYTES });
  lines.on('error', (thrown) => packed.destroy(thrown));
  packed.on('close', () => lines.destroy());
  return lines.pipe(packed);
}

/** Yields the text of some lines at a time. */
async function* snapshotLines(content: SnapshotContent): AsyncGenerator<string> {
  const { header, queries, engine, terminals = null } = content;
  const hash = createHash('sha256');
  const textOf = (...lines: unknown[]) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    hash.update(text);
    return text;
  };
  let count = 0;
  yield textOf(header);
  for (const table of await copiedTables(queries, engine, header.migration)) {
    const { name, columns } = table;
    const last = await readLastNumber(queries, engine, table);
    yield textOf({ table: name, columns: [...columns], last } satisfies TableLine);
    for await (const rows of readRows(queries, engine, table)) {
      count += rows.length;
      yield textOf(...rows);
    }
  }
  yield textOf({ terminals } satisfies TerminalsLine);
  const end: EndLine = { end: { rows: count, sha256: hash.digest('hex') } };
  yield `${JSON.stringify(end)}\n`;
}
