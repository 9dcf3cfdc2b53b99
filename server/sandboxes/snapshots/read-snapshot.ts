import type { Readable } from 'node:stream';
import { createHash } from 'node:crypto';
import { Refusal } from '../../platform/http/refusals.ts';
import { MIGRATIONS } from '../../platform/store/migrations/migrate.ts';
import { CHARACTERS_PER_TURN } from '../../platform/loop-turns.ts';
import { sizeOf, type RowValues } from '../../platform/store/table-rows.ts';
import type { Table } from '../../platform/store/tables.ts';
import { readPackedLines, UnreadableLines } from '../../platform/packed-lines.ts';
import {
  checkEnd,
  checkHeader,
  FORMAT_NAME,
  FORMAT_VERSION,
  isRow,
  isTable,
  isTerminals,
  type EndLine,
  type SnapshotHeader,
  type TableLine,
} from './snapshot-format.schema.ts';

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
async function* readLines(packed: Readable, bytesMax: number): AsyncGenerator<SnapshotLine> {
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

/** A stored snapshot file, which can be read more than once. */
export interface SnapshotFile {
  open(): Readable;
  bytesMax: number;
}

/** Where the rows of a snapshot are written to. */
interface RowTarget {
  insert(table: Table, rows: readonly RowValues[]): Promise<void>;
  setLastNumber(table: Table, last: number): Promise<void>;
}

const ROWS_AT_ONCE = 200;

/**
 * Reads the header of a snapshot.
 * @throws Refusal `not_a_snapshot`, `snapshot_newer` or `snapshot_damaged`
 */
export async function readHeader(file: SnapshotFile): Promise<SnapshotHeader> {
  for await (const { value } of readLines(file.open(), file.bytesMax)) return headerOf(value);
  throw new Refusal('not_a_snapshot');
}

/**
 * Reads the rows of a snapshot into `target`, and returns its terminals; undefined for none. Rows have been written by
 * the time that it throws.
 * @param tables those that a snapshot of this migration has
 * @throws Refusal `snapshot_damaged`, also when the end is missing or the sum is not that of the lines
 */
export async function readSnapshot(
  file: SnapshotFile,
  tables: readonly Table[],
  target: RowTarget,
): Promise<unknown> {
  let table: Table | undefined;
  let rows: RowValues[] = [];
  let size = 0;
  let count = 0;
  let terminals: unknown;
  const flush = async () => {
    if (table && rows.length > 0) await target.insert(table, rows);
    [rows, size] = [[], 0];
  };
  let isFirst = true;
  for await (const { value, sha256Before } of readLines(file.open(), file.bytesMax)) {
    if (isFirst) headerOf(value);
    else if (Array.isArray(value)) {
      const row = rowOf(value, table);
      rows.push(row);
      size += sizeOf(row);
      count += 1;
      if (rows.length === ROWS_AT_ONCE || size > CHARACTERS_PER_TURN) await flush();
    } else if (isTable(value)) {
      await flush();
      table = tableOf(value, tables);
      if (value.last !== null) await target.setLastNumber(table, value.last);
    } else if (isTerminals(value)) {
      await flush();
      terminals = value.terminals ?? undefined;
    } else if (isEnd(value)) {
      const { rows: written, sha256 } = value.end;
      if (sha256 !== sha256Before() || written !== count) throw damaged('its checksum does not match');
      return terminals;
    } else throw damaged('a line has an unknown form');
    isFirst = false;
  }
  throw damaged('its end is missing');
}

function headerOf(value: unknown): SnapshotHeader {
  const { format, version, writtenBy } = (value ?? {}) as Partial<SnapshotHeader>;
  if (format !== FORMAT_NAME) throw new Refusal('not_a_snapshot');
  if (typeof version === 'number' && version > FORMAT_VERSION) throw newer(writtenBy);
  const problem = checkHeader(value)[0];
  if (problem) throw damaged(`its header ${problem.path} ${problem.message}`);
  const header = value as SnapshotHeader;
  if (header.migration > MIGRATIONS.length) throw newer(writtenBy);
  return header;
}

function newer(writtenBy: unknown): Refusal {
  return new Refusal('snapshot_newer', { version: String(writtenBy).slice(0, 40) });
}

function isEnd(value: unknown): value is EndLine {
  return checkEnd(value).length === 0;
}

function tableOf({ table: name, columns }: TableLine, tables: readonly Table[]): Table {
  const found = tables.find((table) => table.name === name);
  const isSame = found && columns.toSorted().join() === found.columns.toSorted().join();
  if (!isSame) throw damaged('a table has other columns');
  return { name, columns };
}

function rowOf(value: readonly unknown[], table: Table | undefined): RowValues {
  if (!table || !isRow(value, table)) throw damaged('a row has other values');
  return value;
}

/** Returns the refusal of a snapshot that is damaged. */
export function damaged(problem: string): Refusal {
  return new Refusal('snapshot_damaged', { problem });
}
