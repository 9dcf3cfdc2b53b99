import { styleText } from 'node:util';
import { booleanOption } from './option.ts';
import type { Sink, CommandContext } from './command-context.ts';

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

// ISO/IEC 6429 control characters begin what a terminal executes; bidirectional marks reorder the rest of a line.
const CONTROLS = String.raw`\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069`;
const CONTROL_CHARACTER = new RegExp(`[${CONTROLS}]`, 'gu');
// What JSON leaves as it is.
const CONTROL_IN_JSON = new RegExp(`(?!\n)[${CONTROLS}]`, 'gu');
// The styles of `coloured`, https://ecma-international.org/publications-and-standards/standards/ecma-48/ §8.3.117.
const STYLE = String.raw`\x1b\[(?:1|2|7|22|27|31|32|33|34|39)m`;
const IN_PLAIN_TEXT = new RegExp(`(?![\n\t])[${CONTROLS}]`, 'gu');
const IN_STYLED_TEXT = new RegExp(`(${STYLE})|(?![\n\t])[${CONTROLS}]`, 'gu');

const SHOWN = '·';

/** Replaces control characters by `·`. For names and texts that clients, terminals and cards choose. */
export function sanitizeText(text: string): string {
  return text.replace(CONTROL_CHARACTER, SHOWN);
}

/** Escapes control characters in JSON text, which stays the same value. */
function sanitizeJson(text: string): string {
  return text.replace(CONTROL_IN_JSON, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Replaces what a terminal would execute, in a text of one or more lines.
 * @param hasStyles whether it may have the styles of our own colours
 */
function sanitizeLines(text: string, hasStyles: boolean): string {
  return hasStyles
    ? text.replace(IN_STYLED_TEXT, (_, style: string | undefined) => style ?? SHOWN)
    : text.replace(IN_PLAIN_TEXT, SHOWN);
}

/**
 * Returns a sink of a process for what a command prints: whatever came from outside, a text in it executes nothing in a terminal.
 * Only `control` passes the escape sequences of the program itself.
 */
function safeSink(sink: Sink): Sink {
  return {
    ...sink,
    write: (text) => sink.write(sanitizeLines(text, sink.colours)),
    control: (sequence) => sink.write(sequence),
  };
}

/** Returns the context of a command with safe sinks. */
export function withSafeSinks(context: CommandContext): CommandContext {
  return { ...context, out: safeSink(context.out), err: safeSink(context.err) };
}
