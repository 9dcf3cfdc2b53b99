import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeQrCode, type QrLevel } from '../../../../simulator/twins/escpos/qr-code.ts';

function rowsOf(bytes: Uint8Array, level: QrLevel): string[] | undefined {
  return encodeQrCode(bytes, level)?.map((row) => row.map((black) => (black ? '#' : '.')).join(''));
}

// As the package qr 0.7.0 encodes it, and zbarimg reads it.
test('QR code: has the modules of its text and level', () => {
  expect(rowsOf(Buffer.from('https://x/1'), 'medium')).toEqual([
    '#######...##..#######',
    '#.....#..#.#..#.....#',
    '#.###.#.#.##..#.###.#',
    '#.###.#.#..##.#.###.#',
    '#.###.#.###.#.#.###.#',
    '#.....#.#..#..#.....#',
    '#######.#.#.#.#######',
    '........##...........',
    '#.#####....#..#####..',
    '.#.##..#.############',
    '#######.#...####..##.',
    '.#..#....#####..###..',
    '#.#.###.###.###.##..#',
    '........#...#.#####.#',
    '#######..#.#...#..##.',
    '#.....#.#.#....######',
    '#.###.#.##.#..####..#',
    '#.###.#.###.###.#.#..',
    '#.###.#.#...####..#..',
    '#.....#..#.##...###..',
    '#######.#...####.#.#.',
  ]);
});

/** Digests of codes of that package, of many versions and blocks, where both choose the same mask. */
const DIGESTS: [QrLevel, number, number, string][] = [
  ['low', 50, 29, 'c9f54a47619ee31c'],
  ['medium', 130, 49, 'cf6c2cc4223698b2'],
  ['quartile', 120, 53, 'e9867ace81f269ae'],
  ['quartile', 300, 81, 'bc0f5d6cb46bfff8'],
  ['high', 1_000, 161, '43f55dc544d10625'],
  ['low', 1_500, 129, '6a9a359fc535464b'],
  ['low', 2_900, 177, 'd56fcc02aa632442'],
  ['medium', 2_000, 169, '5f2072af92e0f78a'],
  ['quartile', 1_000, 141, '0cff77aab33c6606'],
];

test.each(DIGESTS)(
  'QR code: level %s of %i bytes has %i modules a side, as another encoder draws them',
  (level, length, size, digest) => {
    const rows = rowsOf(
      Uint8Array.from({ length }, (_, index) => 97 + ((index * 7 + length) % 26)),
      level,
    )!;
    expect(rows).toHaveLength(size);
    expect(createHash('sha256').update(rows.join('\n')).digest('hex').slice(0, 16)).toBe(digest);
  },
);

test.each<[QrLevel, number]>([
  ['low', 2_953],
  ['medium', 2_331],
  ['quartile', 1_663],
  ['high', 1_273],
])('QR code: level %s has room for %i bytes and no more', (level, most) => {
  expect(encodeQrCode(new Uint8Array(most), level)).toHaveLength(177);
  expect(encodeQrCode(new Uint8Array(most + 1), level)).toBeUndefined();
});
