import { expect, test } from 'vitest';
import {
  printJson,
  printJsonLine,
  printLine,
  printTable,
  writeControl,
  withSafeSinks,
  sanitizeText,
} from '../../../cli/command-line/output.ts';
import type { CommandContext, Sink } from '../../../cli/command-line/command-context.ts';

// Clears the screen, names the window, by its 8-bit form, hides, reorders, and goes to the start of the line.
const HOSTILE = 'a\x1b[2Jb\x1b]0;c\x07d\x9b1me\x1b[8mf\u202eg\u061ch\ri';
const SHOWN = 'a·[2Jb·]0;c·d·1me·[8mf·g·h·i';

function safe(colours: boolean) {
  const written: string[] = [];
  const sink: Sink = { write: (text) => void written.push(text), isTerminal: true, colours };
  const { out } = withSafeSinks({ out: sink, err: sink } as CommandContext);
  return { out, written };
}

test.each([true, false])('safe sink: replaces what a terminal would execute, with colours: %s', (colours) => {
  const { out, written } = safe(colours);
  out.write(`${HOSTILE}\n\tnext\n`);
  expect(written).toEqual([`${SHOWN}\n\tnext\n`]);
});

test('safe sink: passes our own colours where there are some, and nothing else', () => {
  const coloured = '\x1b[31mred\x1b[39m';
  for (const [colours, shown] of [
    [true, coloured],
    [false, '·[31mred·[39m'],
  ] as const) {
    const { out, written } = safe(colours);
    out.write(coloured);
    expect(written).toEqual([shown]);
  }
});

test('safe sink: passes the control sequences of the program itself', () => {
  const { out, written } = safe(true);
  writeControl(out, '\x1b[2J');
  expect(written).toEqual(['\x1b[2J']);
});

test('output: a line and a cell stay on their line, without any control character', () => {
  const { out, written } = safe(true);
  printLine(out, `x\n${HOSTILE}\x1b[31m`);
  printTable(out, [
    ['NAME', 'ID'],
    [`x\n${HOSTILE}\x1b[31m`, '1'],
  ]);
  const cell = `x·${SHOWN}·[31m`;
  expect(written).toEqual([`${cell}\n`, `${'NAME'.padEnd(cell.length)}  ID\n`, `${cell}  1\n`]);
});

test('output: JSON has escapes in place of control characters, and stays the same value', () => {
  const { out, written } = safe(true);
  printJson(out, { name: HOSTILE });
  printJsonLine(out, [HOSTILE]);
  // oxlint-disable-next-line no-control-regex -- none of them may be left
  for (const text of written) expect(text).not.toMatch(/(?!\n)[\x00-\x1f\x7f-\x9f\u061c\u202a-\u202e]/);
  expect(written.map((text) => JSON.parse(text) as unknown)).toEqual([{ name: HOSTILE }, [HOSTILE]]);
});

test('sanitizeText: replaces control characters and bidirectional marks by a dot', () => {
  expect(sanitizeText('a\u001b[31mb\r\nc\u009bd\u202e')).toBe('a·[31mb··c·d·');
});
