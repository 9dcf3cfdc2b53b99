import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readPackedLines } from '../../../server/platform/packed-lines.ts';

const MEBIBYTE = 1024 * 1024;

async function* cut(file: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < file.length; from += 4096) yield file.subarray(from, from + 4096);
}

async function valuesOf(file: Buffer, limits = { unpackedBytes: 1024 * MEBIBYTE }): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const { value } of readPackedLines(cut(file), limits)) values.push(value);
  return values;
}

test('packed lines: each line is a value', async () => {
  expect(await valuesOf(gzipSync('{"a":1}\n[2]\n"three"'))).toEqual([{ a: 1 }, [2], 'three']);
});

test.each([
  ['a line nested too deeply', `${'['.repeat(65)}${']'.repeat(65)}`, 'a line is nested more than 64 deep'],
  ['too many values in a line', `[${'0,'.repeat(500_000)}0]`, 'a line has more than 500,000 values'],
  [
    'lines that are all alike',
    '"0123456789012345678901234567890123456789"\n'.repeat(500_000),
    'it is compressed to less than 1/50 of its size',
  ],
])('packed lines: a file with %s is refused, with the limit', async (_what, text, problem) => {
  await expect(valuesOf(gzipSync(`{"a":1}\n${text}`))).rejects.toThrow(problem);
});

test('packed lines: a file with a line too long is refused, with the limit', async () => {
  const file = gzipSync('['.repeat(17 * MEBIBYTE), { level: 0 });
  await expect(valuesOf(file)).rejects.toThrow('a line is longer than 16 MiB');
});

test('packed lines: a file that is too large once it is unpacked, or has too many lines, is refused', async () => {
  const file = gzipSync('"one"\n'.repeat(200_000));
  await expect(valuesOf(file, { unpackedBytes: MEBIBYTE })).rejects.toThrow(
    'it is larger than 1 MiB once it is unpacked',
  );
  const limits = { unpackedBytes: 16 * MEBIBYTE, lines: 1_000 };
  await expect(valuesOf(file, limits)).rejects.toThrow('it has more than 1,000 lines');
});

test.each([
  ['no gzip', Buffer.from('{"a":1}\n'), 'notPacked'],
  ['no JSON', gzipSync('text\n'), 'notPacked'],
  ['no JSON in its second line', gzipSync('1\ntext\n'), 'damaged'],
  ['no end', gzipSync('1\n'.repeat(100_000)).subarray(0, 100), 'cut'],
])('packed lines: a file with %s is refused', async (_what, file, reason) => {
  await expect(valuesOf(file)).rejects.toMatchObject({ reason });
});
