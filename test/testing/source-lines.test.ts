import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sourceLines } from '../../testing/reporter/source-lines.ts';

function sourceFile(lines: string[], end: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'a.test.ts'), lines.map((line) => line + end).join(''));
  return join(folder, 'a.test.ts');
}

const TWENTY = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);

test.each(['\n', '\r\n'])(
  'sourceLines: returns the lines with four before and after, without their ends %j',
  (end) => {
    const path = sourceFile(TWENTY, end);
    expect(sourceLines(path, [11, 9])).toEqual({ firstLine: 5, lines: TWENTY.slice(4, 15) });
    expect(sourceLines(path, [2])).toEqual({ firstLine: 1, lines: TWENTY.slice(0, 6) });
  },
);

test('sourceLines: masks secrets', () => {
  const path = sourceFile(['const key = "sk_sandbox_abcdefghijklmnopqrstuvwxyz123456";'], '\n');
  const [line] = sourceLines(path, [1])!.lines;
  expect(line).toContain('const key');
  expect(line).not.toContain('abcdefghijklmnopqrstuvwxyz');
});

test('sourceLines: returns nothing of a file that cannot be read', () => {
  expect(sourceLines('/nowhere/a.test.ts', [1])).toBeUndefined();
});
