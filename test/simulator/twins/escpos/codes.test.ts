import { inflateSync } from 'node:zlib';
import { decodeQR } from 'qr/decode.js';
import { expect, test } from 'vitest';
import { qrCodeOf } from '../../../../simulator/twins/escpos/codes.ts';
import { strideOf, type Bitmap, type PaperElement } from '../../../../simulator/twins/escpos/paper.ts';
import { paperSvg } from '../../../../simulator/twins/escpos/paper-svg.ts';
import { openPrinter } from './printer-fixture.ts';

type Picture = Extract<PaperElement, { kind: 'picture' }>;

async function print(...pieces: string[]) {
  const scene = openPrinter();
  await scene.send(...pieces);
  const pictures = scene.printer.paper.elements.filter(
    (element): element is Picture => element.kind === 'picture',
  );
  return { ...scene, pictures };
}

/** Rows of a picture, `#` for black. */
function rowsOf({ width, height, bits }: Bitmap): string[] {
  const black = (x: number, y: number) => bits[y * strideOf(width) + (x >> 3)]! & (0x80 >> (x & 7));
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_dot, x) => (black(x, y) ? '#' : '.')).join(''),
  );
}

/** What a camera reads: the picture with four dots a module and a light border. */
function readQr({ width, height, bits }: Bitmap): string {
  const [scale, border] = [4, 4];
  const side = (modules: number) => (modules + 2 * border) * scale;
  const data = new Uint8Array(side(width) * side(height) * 4).fill(0xff);
  for (let y = 0; y < height * scale; y += 1)
    for (let x = 0; x < width * scale; x += 1) {
      const [column, row] = [Math.floor(x / scale), Math.floor(y / scale)];
      if (!(bits[row * strideOf(width) + (column >> 3)]! & (0x80 >> (column & 7)))) continue;
      const at = (y + border * scale) * side(width) + x + border * scale;
      data.fill(0, at * 4, at * 4 + 3);
    }
  return decodeQR({ width: side(width), height: side(height), data });
}

const QR =
  "1D286B040031413200 1D286B0300314304 1D286B0300314531 1D286B0E00315030 'https://x/1' 1D286B0300315130";

test('ESC/POS QR code: has its text, size and level, and is shown with its text', async () => {
  const { pictures, text, problems } = await print(QR);
  expect(readQr(pictures[0]!.bitmap)).toBe('https://x/1');
  expect(pictures[0]).toMatchObject({ width: 84, height: 84, x: 0, label: 'QR: https://x/1' });
  expect(text()).toBe('[QR: https://x/1]\n');
  expect(problems()).toEqual([]);
});

test('ESC/POS QR code: is printed by the form of Chinese printers', async () => {
  const { pictures } = await print("1D5A02 1B5A014D040B00 'https://x/1'");
  expect(readQr(pictures[0]!.bitmap)).toBe('https://x/1');
});

test.each([
  ['low', 2_953],
  ['medium', 2_331],
  ['quartile', 1_663],
  ['high', 1_273],
] as const)('ESC/POS QR code: level %s has room for %i bytes and no more', (level, most) => {
  const full = qrCodeOf(new Uint8Array(most).fill(0x41), { level, size: 1 });
  expect(full).toMatchObject({ width: 177, height: 177 });
  expect(readQr(full!)).toBe('A'.repeat(most));
  expect(qrCodeOf(new Uint8Array(most + 1), { level, size: 1 })).toBeUndefined();
});

test('ESC/POS QR code: one that is too long or too wide is not printed, and named', async () => {
  const size = Buffer.from(Uint16Array.of(3_003).buffer).toString('hex').toUpperCase();
  const { pictures, problems } = await print(
    `1D286B${size}315030 '${'x'.repeat(3_000)}' 1D286B0300315130`,
    "1D286B0300314310 1D286BCB00315030 '".concat('x'.repeat(200), "' 1D286B0300315130"),
  );
  expect(pictures).toEqual([]);
  expect(problems()).toEqual([
    expect.stringContaining('a QR code has no room for 3000 bytes: nothing is printed'),
    expect.stringMatching(/the QR code has \d+ dots, and the line 576: nothing is printed/),
  ]);
});

test.each([
  ['UPC-A: 012345678905', "1D6B00 '01234567890' 00"],
  ['UPC-A: 012345678905', "1D6B410B '01234567890'"],
  ['UPC-E: 01234565', "1D6B4206 '123456'"],
  ['UPC-E: 04252614', "1D6B420B '04210000526'"],
  ['EAN-13: 4006381333931', "1D6B430C '400638133393'"],
  ['EAN-8: 12345670', "1D6B4407 '1234567'"],
  ['CODE39: ABC-1', "1D6B04 '*ABC-1*' 00"],
  ['ITF: 1234', "1D6B4604 '1234'"],
  ['CODABAR: A123B', "1D6B4705 'A123B'"],
  ['CODE93: ABC1', "1D6B4804 'ABC1'"],
  ['CODE128: TB-12345', "1D6B490A 7B42 'TB-12345'"],
  ['CODE128: 123456', '1D6B49057B430C2238'],
  ['CODE128: Tap12', "1D6B4908 7B42 'Tap' 7B43 0C"],
])('ESC/POS bar code: prints %s', async (label, sent) => {
  const { pictures, problems } = await print('1D6850 1D7702', sent);
  expect(problems()).toEqual([]);
  expect(pictures).toMatchObject([{ label, height: 0x50, width: pictures[0]!.bitmap.width * 2 }]);
});

test('ESC/POS bar code: has the bars of its kind', async () => {
  const { pictures } = await print("1D6B4407 '1234567'");
  expect(rowsOf(pictures[0]!.bitmap)).toEqual([
    '#.#..##..#..#..##.####.#.#...##.#.#.#..###.#.#....#...#..###..#.#.#'.slice(0, 67),
  ]);
});

test.each([
  [
    'of its sets, and keeps those that were sent',
    "1D6B4909 7B42 'A' 7B43 0C 7B42 'B'",
    [104, 33, 99, 12, 100, 34],
  ],
  ['shifted for one letter', "1D6B4907 7B42 'a' 7B53 01 'b'", [104, 65, 98, 65, 66]],
])('ESC/POS bar code: CODE128 is %s', async (_name, sent, values) => {
  const { pictures } = await print(sent);
  // Each value has eleven modules; the check is the sum of the values by their places.
  const check = values.reduce((sum, value, at) => sum + value * Math.max(at, 1), 0) % 103;
  expect(code128Values(rowsOf(pictures[0]!.bitmap)[0]!)).toEqual([...values, check]);
});

/** The values of CODE128 by their eleven modules: of those that the tests print. */
const CODE128_MODULES: Record<string, number> = {
  '##.#..#....': 104,
  '#.#...##...': 33,
  '#.###.####.': 99,
  '#.##..###..': 12,
  '#.####.###.': 100,
  '#..#.##....': 65,
  '####.#...#.': 98,
  '#..#....##.': 66,
  '#...#.##...': 34,
  '#..##..###.': 14,
  '##.##..##..': 0,
};
const code128Values = (row: string) =>
  (row.match(/.{11}/g) ?? []).slice(0, -1).map((modules) => CODE128_MODULES[modules]);

test('ESC/POS bar code: has its text where it was asked for', async () => {
  const { text } = await print("1B6101 1D4803 1D6B430C '400638133393'");
  expect(
    text()
      .split('\n')
      .map((line) => line.trim()),
  ).toEqual(['4006381333931', '[EAN-13: 4006381333931]', '4006381333931', '']);
});

test.each([
  ["1D6B4303 '123'", 'EAN-13 takes 12 or 13 digits, not'],
  ["1D6B430D '4006381333930'", 'EAN-13 has a wrong check digit'],
  ["1D6B49 'TB-1' 00", 'GS k (bar code) is not whole'],
  ["1D6B4904 'TB-1'", 'CODE128 takes data that begins with {A, {B or {C'],
  ['1D6B63', 'there is no bar code 99'],
])('ESC/POS bar code: %s is not printed, and its rule is named', async (sent, rule) => {
  const { pictures, problems, clock } = await print(sent);
  await clock.advance(2_000);
  expect(pictures).toEqual([]);
  expect(problems()).toEqual([expect.stringContaining(rule)]);
});

const SMALL = '0200080080014002200410080810042002400180';

test('ESC/POS raster picture: has its dots, and is enlarged by its mode', async () => {
  const { pictures, text, problems } = await print(`1D763030${SMALL} 1D763003${SMALL}`);
  expect(rowsOf(pictures[0]!.bitmap)).toEqual([
    '#..............#',
    '.#............#.',
    '..#..........#..',
    '...#........#...',
    '....#......#....',
    '.....#....#.....',
    '......#..#......',
    '.......##.......',
  ]);
  expect(pictures.map(({ width, height }) => [width, height])).toEqual([
    [16, 8],
    [32, 16],
  ]);
  expect(text()).toBe('[picture 16 x 8]\n[picture 32 x 16]\n');
  expect(problems()).toEqual([]);
});

test('ESC/POS graphics: are stored, and printed by either function and either form', async () => {
  const store = '30 70 30 01 01 31 0800 0200 FF81';
  const { pictures } = await print(
    `1D284C0C00 ${store} 1D284C02003032 1D384C0C000000 ${store} 1D284C02003002`,
  );
  expect(pictures.map(({ bitmap }) => rowsOf(bitmap))).toEqual([
    ['########', '#......#'],
    ['########', '#......#'],
  ]);
});

test('ESC/POS column picture: is part of its line', async () => {
  const { pictures } = await print("1B3318 'A' 1B2A210200 800001 FFFFFF 'B' 0A");
  expect(pictures).toMatchObject([{ x: 12, y: 0, width: 2, height: 24 }]);
  expect(rowsOf(pictures[0]!.bitmap)).toEqual(['##', ...Array.from({ length: 22 }, () => '.#'), '##']);
});

test('ESC/POS raster picture: what is beside the paper is not printed', async () => {
  const { pictures } = await print(`1D763000 5000 0100 ${'FF'.repeat(80)}`);
  expect(pictures).toMatchObject([{ width: 576, height: 1, bitmap: { width: 576 } }]);
});

test('ESC/POS column picture: what is beside the paper is not printed', async () => {
  const { pictures } = await print(`1B2A01 0008 ${'FF'.repeat(2_048)} 0A`);
  expect(pictures).toMatchObject([{ width: 576, bitmap: { width: 576 } }]);
});

test('ESC/POS QR code: control letters of its text steer no terminal', async () => {
  const { text } = await print('1D286B0600315030 1B0A41 1D286B0300315130');
  expect(text()).toBe('[QR: \ufffd\ufffdA]\n');
});

test('ESC/POS picture: codes are drawn, and larger pictures are PNGs of their dots', async () => {
  const { printer } = await print(`1D763000 4800 4000 ${'F0'.repeat(72 * 64)}`, QR);
  const svg = paperSvg(printer.paper);
  expect(svg).toMatch(
    /<path shape-rendering="crispEdges" transform="translate\(0 64\) scale\(4 4\)" d="M0 0h7v1h-7z/,
  );
  const png = Buffer.from(/base64,([^"]*)/.exec(svg)![1]!, 'base64');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([576, 64]);
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  expect(rows).toEqual(
    Buffer.concat(Array.from({ length: 64 }, () => Buffer.from([0, ...new Uint8Array(72).fill(0x0f)]))),
  );
});
