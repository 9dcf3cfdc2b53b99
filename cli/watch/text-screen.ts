import stringWidth from 'string-width';
import { coloured, writeControl, type Colour, sanitizeText } from '../command-line/output.ts';
import type { Display, Sink } from '../command-line/command-context.ts';

/** A part of a row with one style. */
export interface Span {
  text: string;
  colour?: Colour | undefined;
}

export type Row = readonly Span[];

/** Full-screen output on a terminal. Closing it restores the previous content. */
interface TextScreen {
  /** Shows rows; writes only the lines that changed. */
  show(rows: readonly Row[]): void;
  /** Clears the screen, so that the next `show` writes every line. For a new size, or after other output. */
  forget(): void;
  close(): void;
}

// xterm's alternate screen; DECTCEM cursor; DECAWM, so that a row that is too wide is cut and not wrapped.
const OPEN = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J';
const CLOSE = '\x1b[?7h\x1b[?25h\x1b[?1049l';

export function openTextScreen(out: Sink, display: Display): TextScreen {
  let shown: string[] = [];
  let closed = false;
  writeControl(out, OPEN);
  return {
    show(rows) {
      if (closed) return;
      const { columns, rows: height } = display.size();
      const lines = Array.from({ length: height }, (_, at) => lineOf(out, rows[at] ?? [], columns));
      const changed = lines.map((line, at) => (line === shown[at] ? '' : `\x1b[${at + 1};1H${line}\x1b[K`));
      shown = lines;
      const text = changed.join('');
      if (text !== '') writeControl(out, text);
    },
    forget() {
      shown = [];
      if (!closed) writeControl(out, '\x1b[2J');
    },
    close() {
      if (closed) return;
      closed = true;
      writeControl(out, CLOSE);
    },
  };
}

function lineOf(out: Sink, row: Row, columns: number): string {
  let left = columns;
  let line = '';
  for (const { text: given, colour } of row) {
    if (left <= 0) break;
    const text = sanitizeText(given);
    const taken = columnsOf(text);
    const part = taken > left ? fitToWidth(text, left) : text;
    left -= Math.min(taken, left);
    line += colour ? coloured(out, colour, part) : part;
  }
  return line;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Pads `text` to exactly `columns` columns of a text screen, or cuts it and ends it with `…`. */
export function fitToWidth(text: string, columns: number): string {
  const width = stringWidth(text);
  if (width <= columns) return text + ' '.repeat(columns - width);
  if (columns < 1) return '';
  let kept = '';
  let left = columns - 1;
  for (const { segment } of segmenter.segment(text)) {
    const segmentWidth = stringWidth(segment);
    if (segmentWidth > left) break;
    left -= segmentWidth;
    kept += segment;
  }
  return `${kept}…${' '.repeat(left)}`;
}

/** Returns how many columns of a text screen `text` takes. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}
