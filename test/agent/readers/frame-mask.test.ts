import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrameMask } from '../../../agent/readers/frame-mask.ts';
import { property } from '../../property.ts';

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const masked = (hex: string) => createFrameMask()(bytesOf(hex));

test.each([
  ['SELECT and its name are shown', '00A404000E325041592E5359532E444446303100'],
  ['an amount and a date are shown', '9F0206000000001743 9A03260105 9F3704DEADBEEF'],
  ['the expiry date is shown', '5F2403301231'],
  ['an acknowledgement is shown', '0000FF00FF00'],
])('frame mask: %s', (_what, hex) => {
  expect(masked(hex)).toBe(hex.replaceAll(' ', ''));
});

test.each([
  ['the PAN', '5A08 4012000000060085 5F24', '5A08················5F24'],
  ['a PAN of an odd number of digits', '5A08 374245455400126F 9F', '5A08················9F'],
  ['one whose check digit is wrong', '5A08 4012000000060086 5F24', '5A08················5F24'],
  ['track 2', '5704 4012D301 9F', '5704········9F'],
  ['track 1', '5605 42343031 5E 9F', '5605··········9F'],
  ['the name', '5F2005 4A4F484E 20 9F', '5F2005··········9F'],
  ['discretionary data of track 1', '9F1F03 414243 9F', '9F1F03······9F'],
  ['discretionary data of track 2', '9F2003 414243 9F', '9F2003······9F'],
  ['track 2 of a stripe', '9F6B03 4012D3 9F', '9F6B03······9F'],
  ['the data of VERIFY', '6F0D 00200080 08 241234FFFFFFFFFF 5A', '6F0D0020008008················5A'],
  ['an enciphered PIN', '00200088 04 A1B2C3D4', '0020008804········'],
  ['a PAN whose 10 are sent twice', '9F 1010 03 00 05 01 1010 9F 02', '9F··················02'],
  ['a PIN block by itself', '6F08 251234 5FFFFFFFFF 77', '6F08················77'],
])('frame mask: hides %s and shows what is around it', (_what, hex, shown) => {
  expect(masked(hex)).toBe(shown);
});

test('frame mask: hides a value that continues in the next frame after an acknowledgement', () => {
  const mask = createFrameMask();
  expect(mask(bytesOf('00 40 06 70 5A 08 40 12 00 E7'))).toBe('004006705A08········');
  expect(mask(bytesOf('0000FF00FF00'))).toBe('············');
  expect(mask(bytesOf('00 00 06 00 00 06 00 85 5F 24 03'))).toBe('··'.repeat(11));
  expect(mask(bytesOf('00 00 02 90 00 92'))).toBe('000002900092');
});

/** Card numbers that begin with 1 to 9 and end with their check digit. */
const cardNumbers = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^[0-9]{11,17}$/))
  .map(([first, rest]) => withCheckDigit(`${first}${rest}`));

function withCheckDigit(digits: string): string {
  const doubled = [...digits].reverse().map((digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return value > 9 ? value - 9 : value;
  });
  return digits + String((10 - (doubled.reduce((sum, value) => sum + value, 0) % 10)) % 10);
}

const even = (hex: string) => (hex.length % 2 === 0 ? hex : `${hex}F`);

/** Ways in which a card number passes on a line. */
const WAYS: Record<string, (number: string) => string> = {
  'packed from the first nibble': (number) => even(number),
  'packed from the second nibble': (number) => even(`0${number}`),
  'packed after other digits': (number) => even(`127${number}`),
  'packed, each 10 sent twice': (number) =>
    even(number).replaceAll(/../g, (byte) => (byte === '10' ? '1010' : byte)),
  text: (number) => Buffer.from(number).toString('hex'),
  'text in groups of four': (number) => Buffer.from(number.replace(/(\d{4})(?=\d)/g, '$1 ')).toString('hex'),
  'text with hyphens': (number) => Buffer.from(number.replace(/(\d{4})(?=\d)/g, '$1-')).toString('hex'),
  'track 2': (number) => even(`${number}D30122011234567890`),
  'track 1': (number) => Buffer.from(`B${number}^DOE/J^3012`).toString('hex'),
  'its tag': (number) => `5A${(even(number).length / 2).toString(16).padStart(2, '0')}${even(number)}`,
};

/** What somebody reads who takes all digits from what is shown, however they are packed. */
function readable(shown: string): string[] {
  const parts = shown.split(/(?:··)+/);
  const texts = parts.map((part) => Buffer.from(part, 'hex').toString('latin1'));
  return [...parts, ...parts.map(unstuffed), ...texts, ...texts.map((text) => text.replaceAll(/[ -]/g, ''))];
}

const unstuffed = (hex: string) =>
  (hex.match(/../g) ?? []).join(' ').replaceAll('10 10', '10').replaceAll(' ', '');

property([
  cardNumbers,
  fc.constantFrom(...Object.keys(WAYS)),
  fc.uint8Array({ maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }),
])(
  'no card number is left, whatever frame it is in and however it is packed',
  (number, way, before, after) => {
    const inside = Buffer.from(WAYS[way]!(number), 'hex');
    const shown = createFrameMask()(Buffer.concat([before, inside, after]));
    expect(shown).toHaveLength(2 * (before.length + inside.length + after.length));
    for (const text of readable(shown)) expect(text).not.toContain(number);
  },
);

property([
  fc.stringMatching(/^[0-9]{4,12}$/),
  fc.uint8Array({ maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }),
])('no PIN is left, with its command or without', (pin, before, after) => {
  const block = Buffer.from(`2${pin.length.toString(16)}${pin}`.padEnd(16, 'f'), 'hex');
  for (const command of ['', '0020008008']) {
    const frame = Buffer.concat([before, Buffer.from(command, 'hex'), block, after]);
    const shown = createFrameMask()(frame);
    const at = 2 * (before.length + command.length / 2);
    expect(shown.slice(at, at + 16)).toBe('·'.repeat(16));
  }
});

property([fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 })])(
  'any frames are shown byte by byte, hidden or as they are',
  (frames) => {
    const mask = createFrameMask();
    for (const frame of frames) {
      const shown = mask(frame);
      expect(shown).toMatch(/^([0-9A-F]{2}|··)*$/);
      const bytes = shown.match(/../g) ?? [];
      expect(bytes).toHaveLength(frame.length);
      bytes.forEach((byte, index) => {
        if (byte !== '··') expect(parseInt(byte, 16)).toBe(frame[index]);
      });
    }
  },
);

const PAN = '4111111111111111';
const ASCII_PAN = Buffer.from(PAN, 'latin1').toString('hex');

test.each([
  ['a packed number', `06000A${PAN}00`, `06000A${'·'.repeat(16)}00`],
  ['a packed number of 15 digits', '0622F1F5378282246310005F00', `0622F1F5${'·'.repeat(16)}00`],
  ['a field of text', `02${ASCII_PAN}1C30`, `02${'·'.repeat(32)}1C30`],
  ['a tag', '5A084111111111111111', `5A08${'·'.repeat(16)}`],
])('frame mask: in whole fields it hides %s', (_, frame, shown) => {
  expect(createFrameMask({ numbers: 'wholeFields' })(Buffer.from(frame, 'hex'))).toBe(shown);
});

test.each([
  [
    'a status of digits as text',
    Buffer.from('525000410s0000000003011260 0357').toString('hex').toUpperCase(),
  ],
  ['a command with counters', '03066200000000000300000000'],
  ['a terminal id with what follows', '060F0B2952500041490826'],
])('frame mask: in whole fields it shows %s', (_, frame) => {
  expect(createFrameMask({ numbers: 'wholeFields' })(Buffer.from(frame, 'hex'))).toBe(frame);
});
