import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { maskedValue } from './mask-content.ts';
import type { SecretBook } from './secret-book.ts';
import type { SnapshotHeader, TableLine } from '../sandboxes/snapshots/snapshot-format.schema.ts';

/**
 * Tables whose rows no trace has: stored requests are no part of what a sandbox does, and kept answers are encrypted with
 * a secret that a replay has not.
 */
export const TABLES_WITHOUT_ROWS: ReadonlySet<string> = new Set(['requests', 'idempotency_keys']);

/** Yields the lines of a snapshot, its header first, masked, some at a time. */
export async function* maskedLines(
  book: SecretBook,
  lines: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<unknown[]> {
  let table: TableLine | undefined;
  let isFirst = true;
  const masked = (line: unknown) => {
    if (Array.isArray(line)) return maskedRow(book, table!, line);
    table = 'table' in (line as object) ? (line as TableLine) : undefined;
    return table ?? maskedTerminals(book, line);
  };
  for await (const some of lines) {
    const rest = isFirst ? some.slice(1) : some;
    const header = isFirst ? [maskedHeader(book, some[0] as SnapshotHeader)] : [];
    isFirst = false;
    yield [...header, ...rest.map(masked)];
  }
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
