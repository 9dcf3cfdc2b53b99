import { booleanOption } from './option.ts';
import type { Sink } from './command-context.ts';

/** The option of every command that prints data. */
export const json = booleanOption('--json', 'Print JSON, for programs');

export function printJson(out: Sink, value: unknown): void {
  out.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** One JSON value on one line, for what prints many or is read by a program as it comes. */
export function printJsonLine(out: Sink, value: unknown): void {
  out.write(`${JSON.stringify(value)}\n`);
}

/** Rows in aligned columns, two spaces apart; the first row is the heading. */
export function printTable(out: Sink, rows: string[][]): void {
  for (const line of alignColumns(rows)) out.write(`${line}\n`);
}

export function alignColumns(rows: string[][]): string[] {
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

// ECMA-48 §8.3.117, Select Graphic Rendition.
const SGR: Record<Colour, number> = {
  bold: 1,
  dim: 2,
  inverse: 7,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
};

/** Text in a colour, where the sink shows colours. */
export function coloured(sink: Sink, colour: Colour, text: string): string {
  return sink.colours ? `\x1b[${SGR[colour]}m${text}\x1b[0m` : text;
}
