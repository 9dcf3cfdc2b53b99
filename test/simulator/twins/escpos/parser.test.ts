import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toHex } from '../../../../protocol/emv/hex.ts';
import { INSTRUCTIONS } from '../../../../simulator/twins/escpos/device-instructions.ts';
import {
  EscposParser,
  INSTRUCTION_BYTES_MAX,
  type Token,
} from '../../../../simulator/twins/escpos/parser.ts';
import { bytesOf } from './printer-fixture.ts';

function show(token: Token): string {
  if (token.kind === 'text') return `'${Buffer.from(token.bytes).toString('latin1')}'`;
  if (token.kind === 'problem') return `${token.at}: ${token.text}`;
  return `${token.instruction.name} ${toHex(token.parameters)}`.trim();
}

const parse = (...pieces: string[]) => new EscposParser(INSTRUCTIONS).push(bytesOf(...pieces)).map(show);

test.each([
  [
    'node-thermal-printer, text of two code pages',
    "1B7412 '12,50 ' 1B740F A4 0A",
    ['ESC t 12', "'12,50 '", 'ESC t 0F', "'\u00a4'", 'LF'],
  ],
  ['node-thermal-printer, cut', '1B6404 1B6404 1D5600 1B40', ['ESC d 04', 'ESC d 04', 'GS V 00', 'ESC @']],
  [
    'node-thermal-printer, partial cut',
    '1B6404 1B6404 1D5601 1B40',
    ['ESC d 04', 'ESC d 04', 'GS V 01', 'ESC @'],
  ],
  [
    'node-thermal-printer, picture',
    '1D7630300200080080014002200410080810042002400180',
    ['GS v 0 30300200080080014002200410080810042002400180'],
  ],
  ['node-thermal-printer, status', '1D7201', ['GS r 01']],
  [
    'node-thermal-printer, two drawers without times',
    '1B7000 1B7001',
    ['ESC p 001B70', '5: byte 01 is no instruction: it is skipped'],
  ],
  ['escpos, cut', '0A0A0A 1D5600', ['LF', 'LF', 'LF', 'GS V 00']],
  ['escpos, drawer without times', '1B7000 1B40', ['ESC p 001B40']],
  [
    'escpos, QR code',
    "1D5A02 1B5A014D040B00 'https://x/1'",
    ['GS Z 02', 'ESC Z 014D040B0068747470733A2F2F782F31'],
  ],
  ['escpos, style', '1B4501 1B35 1B2D00', ['ESC E 01', 'ESC 5', 'ESC - 00']],
  ['escpos, margin', '1B6C05', ['ESC l 05']],
  ['python-escpos, cut', '1B6406 1D5600', ['ESC d 06', 'GS V 00']],
  ['python-escpos, drawer', '1B70003232', ['ESC p 003232']],
  [
    'python-escpos, style',
    '1B2100 1B2100 1B2130 1B7B01 1B4501 1B2D01 1B4D01 1B6101 1D7C04 1D4201',
    [
      'ESC ! 00',
      'ESC ! 00',
      'ESC ! 30',
      'ESC { 01',
      'ESC E 01',
      'ESC - 01',
      'ESC M 01',
      'ESC a 01',
      'GS | 04',
      'GS B 01',
    ],
  ],
  ['python-escpos, status', '100401 100404', ['DLE EOT 01', 'DLE EOT 04']],
  ['escpos-php, job', '1B40 1D564103 1B70303C78', ['ESC @', 'GS V 4103', 'ESC p 303C78']],
  [
    'receipt-printer-encoder, job',
    "1B40 1C2E 1B4D00 'A' 0A0D 1B700032FA",
    ['ESC @', 'FS .', 'ESC M 00', "'A'", 'LF', 'CR', 'ESC p 0032FA'],
  ],
  [
    'receiptio, job',
    '100402 1B40 1D61FF 1D564200 1D7231',
    ['DLE EOT 02', 'ESC @', 'GS a FF', 'GS V 4200', 'GS r 31'],
  ],
  [
    'receiptio, Kanji settings',
    '1C26 1C4301 1C2D00 1C2100 1C530000 1C2841020030FF',
    ['FS &', 'FS C 01', 'FS - 00', 'FS ! 00', 'FS S 0000', 'FS ( 41020030FF'],
  ],
  [
    'QR code',
    "1D286B040031413200 1D286B0300314304 1D286B0300314531 1D286B0E00315030 'https://x/1' 1D286B0300315130",
    [
      'GS ( 6B040031413200',
      'GS ( 6B0300314304',
      'GS ( 6B0300314531',
      'GS ( 6B0E0031503068747470733A2F2F782F31',
      'GS ( 6B0300315130',
    ],
  ],
  [
    'bar codes of both forms',
    "1D6B02 '4006381333931' 00 1D6B430D '4006381333931'",
    ['GS k 023430303633383133333339333100', 'GS k 430D34303036333831333333393331'],
  ],
  ['UPC-A, whose number is 0', "1D6B00 '01234567890' 00", ['GS k 00303132333435363738393000']],
  ['large graphics', '1D384C0B000000 30703001013108000100FF', ['GS 8 L 4C0B00000030703001013108000100FF']],
  ['tab stops', '1B44 0A14 00', ['ESC D 0A1400']],
  ['area of a page', '1B57 0000000000020001', ['ESC W 0000000000020001']],
  [
    'column picture of 8 and 24 dots',
    '1B2A010200 FFFF 1B2A210100 FFFFFF',
    ['ESC * 010200FFFF', 'ESC * 210100FFFFFF'],
  ],
  ['drawer at once', '1014010102', ['DLE DC4 010102']],
  ['request of a reply', '1D284806003030 31323334', ['GS ( 480600303031323334']],
])('ESC/POS parser: finds the instructions of %s', (_what, sent, found) => {
  expect(parse(sent)).toEqual(found);
});

test('ESC/POS parser: skips two bytes of what it does not know, and names the place', () => {
  expect(parse("'AB' 1B06 01 1DFF 'C' 1BF8")).toEqual([
    "'AB'",
    '2: ESC 06 is no instruction: these two bytes are skipped, and what follows is printed',
    '4: byte 01 is no instruction: it is skipped',
    '5: GS FF is no instruction: these two bytes are skipped, and what follows is printed',
    "'C'",
    '8: ESC F8 is no instruction: these two bytes are skipped, and what follows is printed',
  ]);
});

test('ESC/POS parser: looks for no instruction inside the data of another', () => {
  expect(parse('1D763000010002001B40 1B40')).toEqual(['GS v 0 3000010002001B40', 'ESC @']);
});

test.each([
  ['1B', 'ESC is not followed by its second byte'],
  ['1D6B430D 3031', 'GS k (bar code) is not whole: 4 of at least 15 bytes came'],
  ['1D7630', 'GS v 0 (raster picture) is not whole: 1 of at least 6 bytes came'],
])('ESC/POS parser: says what %s lacks', (sent, text) => {
  const parser = new EscposParser(INSTRUCTIONS);
  parser.push(bytesOf("'A'", sent));
  expect(parser.unfinished).toEqual({ at: 1, text });
});

test('ESC/POS parser: skips a picture that is said to have gigabytes, and keeps none of it', () => {
  const parser = new EscposParser(INSTRUCTIONS);
  const claimed = 6 + 0xffff * 0xffff;
  expect(parser.push(bytesOf('1D763000 FFFFFFFF 1B40')).map(show)).toEqual([
    `0: GS v 0 (raster picture) says that ${claimed} bytes follow, and the printer takes ${INSTRUCTION_BYTES_MAX} at the most: they are skipped`,
  ]);
  expect(parser.unfinished?.text).toBe(`GS v 0 (raster picture) is not whole: 8 of ${claimed} bytes came`);
});

test('ESC/POS parser: goes on after what it has skipped', () => {
  const parser = new EscposParser(INSTRUCTIONS);
  parser.push(bytesOf('1D384C 00001000'));
  expect(parser.unfinished).toBeDefined();
  parser.push(new Uint8Array(0x100000));
  expect(parser.unfinished).toBeUndefined();
  expect(parser.push(bytesOf('1B40')).map(show)).toEqual(['ESC @']);
});

test('ESC/POS parser: finds the same in pieces of any size, and never throws', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .array(fc.constantFrom(...Object.keys(INSTRUCTIONS), '1D6B', '1D286B', '1D7630', '41', '00', '03'), {
        maxLength: 40,
      })
      .map((parts) => bytesOf(...parts)),
  );
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 7 }), (sent, size) => {
      const whole = new EscposParser(INSTRUCTIONS);
      const expected = joined(whole.push(sent));
      const parser = new EscposParser(INSTRUCTIONS);
      const tokens: Token[] = [];
      for (let from = 0; from < sent.length; from += size)
        tokens.push(...parser.push(sent.slice(from, from + size)));
      expect(joined(tokens)).toEqual(expected);
      expect(parser.unfinished).toEqual(whole.unfinished);
    }),
  );
});

/** Text that is split joined again. */
function joined(tokens: readonly Token[]): string[] {
  return tokens.reduce<string[]>((list, token) => {
    const shown = show(token);
    const last = list.at(-1);
    if (token.kind === 'text' && last?.startsWith("'"))
      list[list.length - 1] = last.slice(0, -1) + shown.slice(1);
    else list.push(shown);
    return list;
  }, []);
}
