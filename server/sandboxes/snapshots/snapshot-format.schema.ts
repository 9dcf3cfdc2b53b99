import { checker, EpochMs, Type, type Static } from '../../../protocol/schema.ts';
import { OwnSettings } from '../../platform/own-settings.schema.ts';
import type { RowValues } from '../../platform/store/table-rows.ts';

/** Version of the format that this program writes, and the newest that it reads. */
export const FORMAT_VERSION = 1;

/** Name of the format, in the first line of each file. */
export const FORMAT_NAME = 'tapbench-snapshot';

/** Content type of a snapshot. */
export const SNAPSHOT_TYPE = 'application/gzip';

/**
 * First line of a snapshot. A snapshot is lines of JSON, compressed with gzip: the header; for each table a line that
 * names it, then a line for each row, the values in the order of the columns; the terminals; and the end.
 */
export const SnapshotHeader = Type.Object({
  format: Type.Literal(FORMAT_NAME),
  version: Type.Integer({ minimum: 1 }),
  /** Version of the program that wrote it. */
  writtenBy: Type.String(),
  /** Number of the last migration of the tables (server/platform/store/migrations). */
  migration: Type.Integer({ minimum: 1 }),
  /** Name of the sandbox. */
  sandbox: Type.String(),
  /** Real time, epoch milliseconds. */
  createdMs: EpochMs,
  /** Time of the sandbox, epoch milliseconds. */
  clockMs: EpochMs,
  /** Settings of the sandbox; those of the server that restores it where the file is of an earlier version. */
  ...OwnSettings.properties,
  /** Keys of terminals for card data are derived from it. */
  pairingSecret: Type.String({ minLength: 1 }),
});
export type SnapshotHeader = Static<typeof SnapshotHeader>;
export const checkHeader = checker(SnapshotHeader);

/** Highest number of a row: tables give as many again after it. */
const NUMBER_MAX = 2 ** 52;

/** Begins the rows of a table. */
export const TableLine = Type.Object({
  table: Type.String(),
  columns: Type.Array(Type.String()),
  /** Last number that the table gave to a row; null for none. */
  last: Type.Union([Type.Integer({ minimum: 0, maximum: NUMBER_MAX }), Type.Null()]),
});
export type TableLine = Static<typeof TableLine>;
const checkTable = checker(TableLine);

/** Whether a line of a snapshot begins a table. */
export function isTable(line: unknown): line is TableLine {
  return checkTable(line).length === 0;
}

function isValue(value: unknown, max: number): boolean {
  return (
    value === null || typeof value === 'string' || (Number.isSafeInteger(value) && (value as number) <= max)
  );
}

/** Whether a line of a snapshot is a row of a table. */
export function isRow(line: unknown, { columns }: { columns: readonly string[] }): line is RowValues {
  return (
    Array.isArray(line) &&
    line.length === columns.length &&
    line.every((value: unknown, at) =>
      isValue(value, columns[at] === 'seq' ? NUMBER_MAX : Number.MAX_SAFE_INTEGER),
    )
  );
}

/** The simulated terminals, as exported; null for none. */
export interface TerminalsLine {
  terminals: unknown;
}

/** Whether a line of a snapshot is that of the terminals. */
export function isTerminals(line: unknown): line is TerminalsLine {
  return typeof line === 'object' && line !== null && 'terminals' in line;
}

/** Last line. */
export const EndLine = Type.Object({
  end: Type.Object({
    rows: Type.Integer(),
    /** Of all lines before, hexadecimal. */
    sha256: Type.String(),
  }),
});
export type EndLine = Static<typeof EndLine>;
export const checkEnd = checker(EndLine);
