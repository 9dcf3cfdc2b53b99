import { expect, test } from 'vitest';
import { CHARACTERS_PER_TURN } from '../../../server/platform/loop-turns.ts';
import { textsOf } from '../../../server/traces/packed-snapshot.ts';

test('text of a trace: the event loop has a turn after each part, which has no more than a line beyond its characters', async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) => ({ index, text: 'x'.repeat(100) }));
  let turns = 0;
  const parts: { text: string; lines: number; turns: number }[] = [];
  for await (const part of textsOf(lines, async () => void (turns += 1))) parts.push({ ...part, turns });

  expect(parts.map((part) => part.text).join('')).toBe(
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  expect(parts.map((part) => part.turns)).toEqual(parts.map((_, index) => index));
  for (const { text, lines: count } of parts) {
    expect(text.length).toBeLessThan(CHARACTERS_PER_TURN + 200);
    expect(text.split('\n').length - 1).toBe(count);
  }
});
