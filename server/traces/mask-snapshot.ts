import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { maskedValue } from './mask-content.ts';
import type { SecretBook } from './secret-book.ts';
import type { SnapshotHeader, TableLine } from '../sandboxes/snapshots/snapshot-format.schema.ts';
import type { TraceSnapshot } from './trace-format.schema.ts';

// Stored requests are no part of what a sandbox does, and kept answers are encrypted with a secret that a replay has not.
const WITHOUT_ROWS = new Set(['requests', 'idempotency_keys']);

/** Returns the lines of a snapshot, its header first, masked. */
export function maskedSnapshot(book: SecretBook, lines: readonly unknown[]): TraceSnapshot {
  const [header, ...rest] = lines;
  let table: TableLine | undefined;
  const masked: unknown[] = [];
  for (const line of rest) {
    if (!Array.isArray(line)) {
      table = 'table' in (line as object) ? (line as TableLine) : undefined;
      masked.push(table ?? maskedTerminals(book, line));
    } else if (table && !WITHOUT_ROWS.has(table.table)) masked.push(maskedRow(book, table, line));
  }
  return { header: maskedHeader(book, header as SnapshotHeader), lines: masked };
}

function maskedHeader(book: SecretBook, header: SnapshotHeader): SnapshotHeader {
  return { ...header, pairingSecret: book.placeholderOf(header.pairingSecret) };
}

function maskedRow(book: SecretBook, { columns }: TableLine, row: readonly unknown[]): unknown[] {
  return row.map((value, index) =>
    typeof value === 'string' ? maskedCell(book, columns[index]!.replaceAll('_', ''), value) : value,
  );
}

function maskedCell(book: SecretBook, member: string, text: string): unknown {
  if (!/^[{[]/.test(text)) return maskedValue(book, text, member);
  try {
    return JSON.stringify(maskedValue(book, parseOutsideJson(text)));
  } catch {
    return maskedValue(book, text, member);
  }
}

/** The digits that were typed at a terminal so far may be of a PIN. */
function maskedTerminals(book: SecretBook, line: unknown): unknown {
  const copy = structuredClone(line) as { terminals: TerminalWithKeys[] | null };
  for (const { terminalId, state } of copy.terminals ?? []) {
    const reader = state?.reader;
    if (reader) reader.typedDigits = book.maskedKeys(terminalId, [...reader.typedDigits]).join('');
  }
  return copy;
}

interface TerminalWithKeys {
  terminalId: string;
  state?: { reader?: { typedDigits: string } };
}
