import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHostParser, type VivotechFrame } from '../../../../agent/readers/vivotech/frame.ts';
import {
  parseActivation,
  parseContactResult,
  type Activation,
} from '../../../../agent/readers/vivotech/transaction-result.ts';
import { fromHex, toHex } from '../../../../protocol/emv/hex.ts';
import { property } from '../../../property.ts';

/** Frames that readers of the maker sent, with test cards. */
const RECORDED = {
  working: '5669564F74656368320060630000FF0E',
  contactStarted:
    '5669564F746563683200600000A420DFEE26022000DFEE2502001057114761739001010010D201220101234567895A0847617390010100105F3401015F200F46554C4C2046554E4354494F4E414C5F24032012315F25039507015F2D086573656E66726465500A564953414352454449548407A00000000310109A032110109F2103051328DFEC11207C374AF7DA062B65D3104E6D6BDB3A08FE944A2CA35C79B80CE7F17209A81638FFEE0105DFEE30010173B8',
  goOnline:
    '5669564F7465636832006000006900DFEE250200049F100706011A039000009F26081A4103024EF7F3F49F2701809F360200019F3704E3C3D6319F02060000000001009F4D009F4F009F1300950542800000009B02C8009F03060000000000009F34035F03029F390107FFEE0104DF300101DFEE260100E73A',
  approved:
    '5669564F7465636832006000006920DFEE26022000DFEE250200029F100706011A036000009F2608882D8427A268E2149F2701409F360200019F37047DCB22EA9F0206000000000200950542C00000009B02F8009F03060000000000009F34035F03029A032110109F2103051328FFEE0105DFEE30010119F2',
  contactEnded: '5669564F7465636832006008000720DFEE25020008CDDF',
  swiped:
    '5669564F746563683200020000B608DFEE25020011DFEE23818B028500801F4D270083002542343534373537303030313037303030305E4C4C4942524520524F424552542D4755494C4C45524D4F205E313130323130313030303030303034303030303030303330363030303030303F2E3B343534373537303030313037303030303D313130323130313030303030333036303030303F383630365431323334353605B1039F390190FFEE0104DF30010CDFEE260108DFEF4C06000000000000DFEF4D008E43',
  contactOf0240:
    '5669564F746563683200020000D720DFEE26022000DFEE2502001057114761739001010010D20122010123456789' +
    '5A0847617390010100105F3401015F200F46554C4C2046554E4354494F4E414C5F24032012319F1E0836543431313433319F1F16303130323033303430353036303730383039304130429F20005F25039507015F2D086573656E66726465500A564953414352454449544F07A00000000310108407A0000000031010DFEE23009F3901059F5300DF4F00DFEC11207C374AF7DA062B65D3104E6D6BDB3A08FE944A2CA35C79B80CE7F17209A81638FFEE0105DFEE300101D8EB',
  failed: '5669564F746563683200020A000E01DFEE020427900001DFEE26010153C5',
  failedShort: '5669564F746563683200020A00004E4E',
} as const;

function frameOf(name: keyof typeof RECORDED): VivotechFrame {
  const frames = createHostParser().push(fromHex(RECORDED[name]));
  expect(frames).toHaveLength(1);
  return frames[0]!;
}

/** The result of a command to look for a card: 02-xx, or 60-10. */
function result(hex: string, { command = 0x02, code = 0x00 } = {}): Activation {
  return parseActivation({ command, code, data: fromHex(hex) });
}

const objectsOf = (found: Activation) => ('objects' in found ? found.objects : new Map<string, Uint8Array>());
const textOf = (found: Activation, tag: string) => toHex(objectsOf(found).get(tag) ?? new Uint8Array(0));

const CARD = '57114761739001010010D20122010123456789';
const CRYPTOGRAM = '9F26081A4103024EF7F3F49F270180';

test('recorded frame: the first answer to a contact start says that the reader works on it', () => {
  expect(frameOf('working')).toEqual({ command: 0x60, code: 0x63, data: new Uint8Array(0) });
});

test('recorded frame: a started contact transaction has the card in the slot', () => {
  const found = parseActivation(frameOf('contactStarted'));
  expect(found.type).toBe('contact');
  expect(textOf(found, '57')).toBe('4761739001010010D20122010123456789');
  expect(textOf(found, '84')).toBe('A0000000031010');
});

test('recorded frame: code 0004 with an ARQC asks to go online', () => {
  const { result: code, objects } = parseContactResult(frameOf('goOnline').data);
  expect(code).toBe(0x0004);
  expect(toHex(objects.get('9F27')!)).toBe('80');
  expect(toHex(objects.get('9F26')!)).toBe('1A4103024EF7F3F4');
});

test('recorded frame: code 0002 with a TC is an approval', () => {
  const { result: code, objects } = parseContactResult(frameOf('approved').data);
  expect(code).toBe(0x0002);
  expect(toHex(objects.get('9F27')!)).toBe('40');
});

test('recorded frame: a contact transaction that ended has no card', () => {
  expect(parseActivation(frameOf('contactEnded'))).toEqual({ type: 'noCard' });
});

test('recorded frame: a swipe has track 2 in the tracks that the reader formats', () => {
  expect(parseActivation(frameOf('swiped'))).toEqual({
    type: 'stripe',
    track2: ';4547570001070000=1102101000003060000?8',
  });
});

test('recorded frame: 02-40 with entry mode 05, code 0010 and no cryptogram is a chip in the slot', () => {
  const found = parseActivation(frameOf('contactOf0240'));
  expect(found.type).toBe('contact');
  expect(textOf(found, '5A')).toBe('4761739001010010');
});

test('recorded frame: a failure has its error code in DFEE02, after an attribution byte', () => {
  expect(parseActivation(frameOf('failed'))).toEqual({
    type: 'unreadable',
    reason: 'the card is not supported',
  });
});

test('recorded frame: a failure without data is an unreadable card', () => {
  expect(parseActivation(frameOf('failedShort'))).toEqual({
    type: 'unreadable',
    reason: 'the card could not be read',
  });
});

test.each(['00051000', '0D000000'])('recorded data %s: a short failure is an unreadable card', (data) => {
  expect(result(data, { code: 0x0a })).toMatchObject({ type: 'unreadable' });
});

test.each(['20DFEE25025005', '20DFEE25023012'])('recorded data %s: no card was taken', (data) => {
  expect(result(data)).toEqual({ type: 'noCard' });
  expect(result(data, { command: 0x60, code: 0x08 })).toEqual({ type: 'noCard' });
});

const TRACK2 = ';4761739001010010=201212000123339900?';
const textBytes = (text: string) => Buffer.from(text, 'latin1').toString('hex');
const tlv = (tag: string, value: string) => tag + (value.length / 2).toString(16).padStart(2, '0') + value;

test('swipe: DFEF4C has one byte for the length of each track in DFEF4D', () => {
  const alone = `${tlv('DFEF4C', '002500000000')}${tlv('DFEF4D', textBytes(TRACK2))}`;
  expect(result(`08DFEE25020011${alone}`)).toEqual({ type: 'stripe', track2: TRACK2 });
  const track1 = '%B4761739001010010^TEST CARD ^2012120?';
  const lengths = `${track1.length.toString(16)}2500000000`;
  const both = `${tlv('DFEF4C', lengths)}${tlv('DFEF4D', textBytes(track1 + TRACK2))}`;
  expect(result(`08DFEE25020011${both}`)).toEqual({ type: 'stripe', track2: TRACK2 });
});

test('swipe: one during a contact start is a stripe', () => {
  const tracks = `${tlv('DFEF4C', '002500000000')}${tlv('DFEF4D', textBytes(TRACK2))}`;
  expect(result(`08DFEE25020011${tracks}`, { command: 0x60 })).toEqual({ type: 'stripe', track2: TRACK2 });
});

test('swipe: track 2 alone is in DFEE23 with its length', () => {
  const stripe = `02390080170025008200${textBytes(TRACK2)}`;
  expect(result(`08DFEE25020011${tlv('DFEE23', stripe)}`)).toEqual({ type: 'stripe', track2: TRACK2 });
});

test('swipe: a stripe without track 2 is unreadable', () => {
  expect(result('08DFEE25020011DFEE2300')).toEqual({
    type: 'unreadable',
    reason: 'the stripe could not be read',
  });
});

test.each([
  ['a contact card', `CADFEE25020010${CARD}`, 0x60],
  ['a stripe', `4ADFEE25020011${tlv('DFEF4C', '002500000000')}${tlv('DFEF4D', textBytes(TRACK2))}`, 0x02],
  ['a tap', `E1DFEE25020010${CARD}${CRYPTOGRAM}`, 0x02],
  ['a tap by DFEE26 alone', `20DFEE2602E000${CARD}${CRYPTOGRAM}`, 0x02],
  ['a tap by the serial number of the key', `20DFEE120AFFFF9876543210E00001${CARD}${CRYPTOGRAM}`, 0x02],
  [
    'tracks that DFEE23 marks',
    `08DFEE25020011${tlv('DFEE23', `02390080170025009200${textBytes(TRACK2)}`)}`,
    0x02,
  ],
])('encrypted result: %s is refused with the reason', (_name, data, command) => {
  expect(result(data, { command })).toMatchObject({
    type: 'failed',
    reason: expect.stringContaining('encrypts'),
  });
});

test('encrypted result: the answer of a contact card is refused, not read', () => {
  expect(() => parseContactResult(fromHex(`CADFEE25020004${CRYPTOGRAM}`))).toThrow('encrypts');
});

test('encrypted failure: the data of the card is dropped', () => {
  const found = result(`41DFEE020442900005${CARD}9F270100`, { code: 0x0a });
  expect(found).toMatchObject({ type: 'declined', reason: 'the card declined' });
  expect(objectsOf(found).size).toBe(0);
});

test.each([0x01, 0x20, 0x21, 0x00])(
  'tap: a cryptogram tells it from a chip in the slot (%i)',
  (attribution) => {
    const first = attribution.toString(16).padStart(2, '0');
    expect(result(`${first}${CARD}${CRYPTOGRAM}`)).toMatchObject({ type: 'tap', asksIssuer: false });
    expect(result(`${first}${CARD}${CRYPTOGRAM}`, { code: 0x23 })).toMatchObject({ asksIssuer: true });
    expect(result(`${first}DFEE25020010${CARD}${CRYPTOGRAM}`)).toMatchObject({
      type: 'tap',
      asksIssuer: true,
    });
  },
);

test('tap: one in the mode of the magnetic stripe has no cryptogram, and track 2 as text', () => {
  const found = result(`20${tlv('FFEE14', textBytes('6510000000000091=2012120001'))}9F390191`);
  expect(found).toMatchObject({ type: 'tap', asksIssuer: true });
  expect(textOf(found, '57')).toBe('6510000000000091D2012120001F');
});

test('chip in the slot: 02-40 starts it, with attribution 00 or 20', () => {
  expect(result(`20DFEE26022000DFEE25020010${CARD}`)).toMatchObject({ type: 'contact' });
  expect(result(`21DFEE26022100${CARD}`)).toMatchObject({ type: 'tap' });
  expect(result(`00DFEE25020010${CARD}`)).toMatchObject({ type: 'contact' });
  expect(result(`00${CARD}`)).toMatchObject({ type: 'contact' });
});

test.each([
  ['0001', 'declined', 'the card declined'],
  ['0003', 'declined', 'the card declined'],
  ['0005', 'declined', 'the card declined'],
  ['0006', 'declined', 'the reader does not accept the card'],
  ['0007', 'unreadable', 'the chip could not be read'],
])('result code %s is %s', (code, type, reason) => {
  expect(result(`00DFEE2502${code}`, { command: 0x60 })).toMatchObject({ type, reason });
});

test('older firmware: 02-01 answers with tracks and their lengths before the objects', () => {
  const track1 = 'B4761739001010010^ /^2012120001231003990';
  const track2 = '4761739001010010=2012120001233399000';
  const [one, two] = [track1, track2].map((track) => tlv('', textBytes(track)));
  const older = `${one}${two}01E113${CARD}`;
  expect(result(older, { code: 0x23 })).toMatchObject({ type: 'tap', asksIssuer: true });
  expect(textOf(result(older, { code: 0x23 }), '57')).toBe('4761739001010010D20122010123456789');
  expect(result(`00${two}00`)).toEqual({ type: 'stripe', track2 });
});

test.each([
  ['42900005', { type: 'declined', reason: 'the card declined' }],
  ['57000000', { type: 'declined', reason: 'the holder of the card was not verified' }],
  ['58900005', { type: 'declined', reason: 'the rules of the reader or of the issuer decline the card' }],
  ['26000003', { type: 'declined', reason: 'the card has expired' }],
  ['21000000', { type: 'unreadable', reason: 'more than one card' }],
  ['20698503', { type: 'unreadable', reason: 'the card returned an error status' }],
  // SW1 and SW2 that would be a tag, and bytes that would be filling.
  ['429F2704', { type: 'declined', reason: 'the card declined' }],
  ['FF000000', { type: 'unreadable', reason: 'the card could not be read' }],
  ['21DFEE020426000000', { type: 'declined', reason: 'the card has expired' }],
  ['01FFEE1F0426000000', { type: 'declined', reason: 'the card has expired' }],
  ['01FFEE1F0421000000', { type: 'unreadable', reason: 'more than one card' }],
])('failure %s: error code, SW1, SW2 and state are four bytes, or an object', (data, expected) => {
  expect(result(data, { code: 0x0a })).toMatchObject(expected);
});

test('failure: the data objects of the declined card follow the four bytes', () => {
  const found = result('429000055A08476173900101001057034761D19F270100', { code: 0x0a });
  expect(found.type === 'declined' && [...found.objects.keys()]).toEqual(['5A', '57', '9F27']);
});

property([fc.uint8Array({ maxLength: 200 }), fc.nat(255), fc.constantFrom(0x02, 0x60)])(
  'no bytes break the reading of a result',
  (data, code, command) => {
    expect(parseActivation({ command, code, data }).type).toBeTypeOf('string');
  },
);
