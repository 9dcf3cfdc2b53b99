import { styleText } from 'node:util';
import { booleanOption } from './option.ts';
import type { Sink } from './command-context.ts';
import { sanitizeJson, sanitizeText } from './sanitize-text.ts';

/** Option of every command that prints data. */
export const json = booleanOption('--json', 'Print JSON, for programs');

export function printJson(out: Sink, value: unknown): void {
  out.write(`${sanitizeJson(JSON.stringify(value, null, 2))}\n`);
}

/** Prints a JSON value on one line, for commands that print a stream of values. */
export function printJsonLine(out: Sink, value: unknown): void {
  out.write(`${sanitizeJson(JSON.stringify(value))}\n`);
}

/** Prints a line without colours. What came from outside in it stays on that line, and executes nothing in a terminal. */
export function printLine(sink: Sink, text: string): void {
  sink.write(`${sanitizeText(text)}\n`);
}

/** Clears the line of the cursor, and goes to its start. */
export const CLEAR_LINE = '\r\x1b[K';

/** Writes an escape sequence of the program itself. */
export function writeControl(sink: Sink, sequence: string): void {
  if (sink.control) sink.control(sequence);
  else sink.write(sequence);
}

/** Prints rows in aligned columns, two spaces apart. The first row is the heading. */
export function printTable(out: Sink, rows: string[][]): void {
  for (const line of alignColumns(rows)) out.write(`${line}\n`);
}

export function alignColumns(table: string[][]): string[] {
  const rows = table.map((row) => row.map(sanitizeText));
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}

export type Colour = 'bold' | 'dim' | 'inverse' | 'red' | 'green' | 'yellow' | 'blue';

/** Returns `text` in a colour, or as it is where the sink shows no colours. */
export function coloured(sink: Sink, colour: Colour, text: string): string {
  // The sink has decided already, by NO_COLOR and whether it is a terminal.
  return sink.colours ? styleText(colour, text, { validateStream: false }) : text;
}
