import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { DEFAULT_SANDBOX } from '../../../protocol/topics.ts';
import { VERSION } from '../../../protocol/version.ts';
import type { Services } from '../../platform/services.ts';
import { sandboxSettingsOf } from '../../platform/own-settings.schema.ts';
import { MIGRATIONS } from '../../platform/store/migrations/migrate.ts';
import type { Queries, Store } from '../../platform/store/store.ts';
import { readLastNumber, readRows } from '../../platform/store/table-rows.ts';
import { copiedTables } from '../../platform/store/tables.ts';
import {
  FORMAT_NAME,
  FORMAT_VERSION,
  type SnapshotHeader,
  type EndLine,
  type TableLine,
  type TerminalsLine,
} from './snapshot-format.schema.ts';

/** Returns the header of a snapshot that is made of a sandbox now. */
export function snapshotHeaderOf({
  clock,
  realClock,
  settings,
}: Pick<Services, 'clock' | 'realClock' | 'settings'>): SnapshotHeader {
  return {
    format: FORMAT_NAME,
    version: FORMAT_VERSION,
    writtenBy: VERSION,
    migration: MIGRATIONS.length,
    sandbox: settings.sandbox ?? DEFAULT_SANDBOX,
    createdMs: Math.floor(realClock.nowMs()),
    clockMs: Math.floor(clock.nowMs()),
    ...sandboxSettingsOf(settings),
    pairingSecret: settings.pairingSecret,
  };
}

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
  /** Tables whose rows are left out. */
  withoutRowsOf?: ReadonlySet<string>;
}

/** Returns the bytes of a snapshot. They are made while they are read, a few rows at a time. */
export function writeSnapshot(content: SnapshotContent): Readable {
  return packSnapshot(snapshotLines(content));
}

/** Returns the bytes of a snapshot with these lines, to which its end is added. */
export function packSnapshot(snapshot: AsyncIterable<unknown[]>): Readable {
  const lines = Readable.from(snapshotText(snapshot), { objectMode: false });
  const packed = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: PART_BYTES });
  lines.on('error', (thrown) => packed.destroy(thrown));
  packed.on('close', () => lines.destroy());
  return lines.pipe(packed);
}

/** Yields the lines of a snapshot but for its end, some at a time. */
export async function* snapshotLines(content: SnapshotContent): AsyncGenerator<unknown[]> {
  const { header, queries, engine, terminals = null, withoutRowsOf } = content;
  yield [header];
  for (const table of await copiedTables(queries, engine, header.migration)) {
    const { name, columns } = table;
    const last = await readLastNumber(queries, engine, table);
    yield [{ table: name, columns: [...columns], last } satisfies TableLine];
    if (!withoutRowsOf?.has(name)) yield* readRows(queries, engine, table);
  }
  yield [{ terminals } satisfies TerminalsLine];
}

/** Yields the text of a snapshot with these lines, its end included. */
async function* snapshotText(lines: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const some of lines) {
    rows += some.filter((line) => Array.isArray(line)).length;
    const text = some.map((line) => `${JSON.stringify(line)}\n`).join('');
    hash.update(text);
    yield text;
  }
  const end: EndLine = { end: { rows, sha256: hash.digest('hex') } };
  yield `${JSON.stringify(end)}\n`;
}
