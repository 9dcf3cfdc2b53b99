import { LETTER_DOTS, letterStep, type PaperElement, type Receipt, type TextRun } from './paper.ts';

/** Renders paper as text, with a column for each letter of font A; codes and pictures are shown as what they say. */
export function paperText({ elements, width }: Pick<Receipt, 'elements' | 'width'>): string {
  const lines = elements.map((element) => lineOf(element, Math.floor(width / LETTER_DOTS.A.width)));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function lineOf(element: PaperElement, columns: number): string {
  if (element.kind === 'text') {
    return element.runs.toSorted((one, other) => one.x - other.x).reduce(withRun, '');
  }
  // What a code says may have any letter.
  // oxlint-disable-next-line no-control-regex -- these would end the line, or steer a terminal
  const label = `[${element.label.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd')}]`;
  const middle = (element.x + element.width / 2) / LETTER_DOTS.A.width;
  const before = Math.min(
    Math.max(Math.floor(middle - label.length / 2), 0),
    Math.max(columns - label.length, 0),
  );
  return ' '.repeat(before) + label;
}

/** Adds letters at their column. Enlarged ones stay together, with room for what they take beside them. */
function withRun(line: string, run: TextRun): string {
  const column = Math.round(run.x / LETTER_DOTS.A.width);
  const text = run.text;
  const taken = Math.round((text.length * letterStep(run)) / LETTER_DOTS.A.width);
  return line.padEnd(column) + text.padEnd(Math.max(taken, 0));
}
