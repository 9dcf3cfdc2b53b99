import { expect, test } from 'vitest';
import { LINE_DOTS } from '../../../../simulator/twins/escpos/paper.ts';
import { paperSvg } from '../../../../simulator/twins/escpos/paper-svg.ts';
import { openPrinter } from './printer-fixture.ts';

/** Prints on paper of so many dots, and returns what is on it. */
async function print(pieces: string[], dots = 576) {
  const scene = openPrinter({ settings: { dots } });
  await scene.send(...pieces);
  return {
    ...scene,
    runs: scene.printer.paper.elements.flatMap((element) => (element.kind === 'text' ? element.runs : [])),
  };
}

const PLAIN = {
  font: 'A',
  width: 1,
  height: 1,
  bold: false,
  underline: 0,
  inverse: false,
  upsideDown: false,
  spacing: 0,
};

test.each([
  ['1B4501', { bold: true }],
  ['1B4531', { bold: true }],
  ['1B4701', { bold: true }],
  ['1B2D01', { underline: 1 }],
  ['1B2D32', { underline: 2 }],
  ['1D4201', { inverse: true }],
  ['1B7B01', { upsideDown: true }],
  ['1B4D01', { font: 'B' }],
  ['1B4D31', { font: 'B' }],
  ['1D2131', { width: 4, height: 2 }],
  ['1B2130', { width: 2, height: 2 }],
  ['1B2189', { font: 'B', bold: true, underline: 1 }],
  ['1B2004', { spacing: 4 }],
])('ESC/POS paper: %s changes letters, and ESC @ sets them back', async (change, look) => {
  const { runs, problems } = await print([change, "'A' 0A 1B40 'B' 0A"]);
  expect(runs).toEqual([
    { x: 0, text: 'A', ...PLAIN, ...look },
    { x: 0, text: 'B', ...PLAIN },
  ]);
  expect(problems()).toEqual([]);
});

test('ESC/POS paper: aligns lines, and takes an alignment at their beginning only', async () => {
  const { text, runs, problems } = await print(["1B6101 'mid' 0A 1B6132 'end' 0A 1B6100 'a' 1B6101 'b' 0A"]);
  expect(text()).toBe(`${' '.repeat(23)}mid\n${' '.repeat(45)}end\nab\n`);
  expect(runs.map(({ x }) => x)).toEqual([270, 540, 0]);
  expect(problems()).toEqual([
    '18: ESC a (alignment): an alignment is taken at the beginning of a line only: this line has text already',
  ]);
});

test.each([
  [576, 48],
  [512, 42],
  [384, 32],
])(
  'ESC/POS paper: a line of %i dots has %i letters, and a longer text goes on below',
  async (dots, letters) => {
    const { text } = await print([`'${'x'.repeat(letters + 2)}' 0A`], dots);
    expect(text()).toBe(`${'x'.repeat(letters)}\nxx\n`);
  },
);

test('ESC/POS paper: places columns by dots, tabs and margins', async () => {
  const { runs } = await print([
    "'a' 1B246800 'b' 1B5CF4FF 'c' 0A",
    "09 'd' 1B440A1400 09 'e' 0A",
    "1D4C1800 'f' 0A",
    "1D4C0000 1D573C00 1B6102 'g' 0A",
  ]);
  expect(runs.map(({ text, x }) => [text, x])).toEqual([
    ['a', 0],
    ['b', 104],
    ['c', 104],
    ['d', 96],
    ['e', 120],
    ['f', 24],
    ['g', 48],
  ]);
});

test('ESC/POS paper: feeds lines and dots, by the line spacing, and back', async () => {
  const { printer } = await print(["'a' 0A 1B6404 1B4A0A 1B3350 0A 1B32 0A 1B6501"]);
  expect(printer.paper.height).toBe(LINE_DOTS * 5 + 10 + 0x50);
});

test.each([
  ['euro in ISO 8859-15', '1B7428 A4', '€'],
  ['euro in page 19', '1B7413 D5', '€'],
  ['euro in page 13, which was given it later', '1B740D D5', '€'],
  ['euro by name of no page', 'D5', '╒'],
  ['letters of page 0', '8184', 'üä'],
  ['page 18', '1B7412 86', 'ć'],
  ['Cyrillic in page 17', '1B7411 8F', 'П'],
  ['euro in Windows 1252', '1B7410 8081', '€□'],
  ['Thai in page 21, which has no letter DB', '1B7415 A1DB', 'ก□'],
  ['Greek in page 47', '1B742F E1', 'α'],
  ['Katakana, its lines and its signs', '1B7401 B195 E0FD', 'ｱ─═人'],
  ['German national letters', "1B5202 '[]{}'", 'ÄÜäü'],
])('ESC/POS paper: prints %s', async (_what, sent, letters) => {
  expect((await print([sent, '0A'])).text()).toBe(`${letters}\n`);
});

test('ESC/POS paper: names a code page that there is not, and one that is not rendered', async () => {
  const { text, problems } = await print(['1B7463 1B740B 80 0A']);
  expect(text()).toBe('□\n');
  expect(problems()).toEqual([
    '0: ESC t (code page): there is no code page 99',
    '3: ESC t (code page): code page 11 is not rendered: its letters above 7F are shown as □',
  ]);
});

test('ESC/POS paper: page mode prints its lines together at FF, and forgets them at CAN', async () => {
  const { send, text } = openPrinter();
  await send("1B4C 1B570000000000020001 'a' 0A 'b' 0A");
  expect(text()).toBe('');
  await send('0C');
  expect(text()).toBe('a\nb\n');
  await send("1B4C 'c' 0A 18 0C 'd' 0A");
  expect(text()).toBe('a\nb\nd\n');
});

test('ESC/POS paper: a line that is written over again and again is printed at some time', async () => {
  const { printer } = await print(
    Array.from({ length: 3_000 }, (_, index) => `1B2400${index % 2 ? '00' : '01'} 'a'`),
  );
  expect(printer.paper.elements).toHaveLength(2);
});

test('ESC/POS picture: shows letters as they look, and no markup of theirs', async () => {
  const { printer } = await print([
    "'<b>&' 0A 1B4501 1D2111 'Total' 0A 1D4201 'inverse' 0A 1D4200 1B2D02 'under' 0A 1B7B01 'down' 0A",
  ]);
  const svg = paperSvg(printer.paper);
  expect(svg).toContain('>&lt;b&gt;&amp;<');
  expect(svg).toMatch(/scale\(2 2\)"><text [^>]*font-weight="bold"[^>]*>Total</);
  expect(svg).toMatch(/<rect width="84" height="24"\/><text [^>]*fill="#fff"[^>]*>inverse</);
  expect(svg).toMatch(/>under<\/text><rect y="22" width="60" height="2"\/>/);
  expect(svg).toMatch(/rotate\(180 48 24\) scale\(2 2\)"><text [^>]*>down</);
  expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 ')).toBe(true);
});
