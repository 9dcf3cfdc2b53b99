import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { parseTlv } from '../../../protocol/emv/tlv.ts';
import { responseFrame } from '../../../simulator/twins/vivotech/frames.ts';
import {
  changedShape,
  createResultCipher,
  DEFAULT_SHAPE,
  type ResultShape,
  type ResultStyle,
} from '../../../simulator/twins/vivotech/result-style.ts';
import * as results from '../../../simulator/twins/vivotech/results.ts';
import { trackLengths } from '../../../simulator/twins/vivotech/stripe-tracks.ts';

// Frames that the maker's test scripts recorded from real readers with test cards. The twin has to write the same bytes from
// the same values.
const RECORDED = {
  underWay: '5669564F74656368320060630000FF0E',
  goOnline:
    '5669564F7465636832006000006900DFEE250200049F100706011A039000009F26081A4103024EF7F3F49F2701809F360200019F3704E3C3D6319F02060000000001009F4D009F4F009F1300950542800000009B02C8009F03060000000000009F34035F03029F390107FFEE0104DF300101DFEE260100E73A',
  approved:
    '5669564F7465636832006000006920DFEE26022000DFEE250200029F100706011A036000009F2608882D8427A268E2149F2701409F360200019F37047DCB22EA9F0206000000000200950542C00000009B02F8009F03060000000000009F34035F03029A032110109F2103051328FFEE0105DFEE30010119F2',
  ended: '5669564F7465636832006008000720DFEE25020008CDDF',
  swiped:
    '5669564F746563683200020000B608DFEE25020011DFEE23818B028500801F4D270083002542343534373537303030313037303030305E4C4C4942524520524F424552542D4755494C4C45524D4F205E313130323130313030303030303034303030303030303330363030303030303F2E3B343534373537303030313037303030303D313130323130313030303030333036303030303F383630365431323334353605B1039F390190FFEE0104DF30010CDFEE260108DFEF4C06000000000000DFEF4D008E43',
  failed: '5669564F746563683200020A000E01DFEE020427900001DFEE26010153C5',
  failedWithoutData: '5669564F746563683200020A00004E4E',
} as const;

/** A start of a contact card, without DFEC11, which is the reader's own. */
const STARTED =
  '20DFEE26022000DFEE2502001057114761739001010010D201220101234567895A0847617390010100105F3401015F200F46554C4C2046554E4354494F4E414C5F24032012315F25039507015F2D086573656E66726465500A564953414352454449548407A00000000310109A032110109F2103051328FFEE0105DFEE300101';

const style = (changes: Partial<ResultShape> = {}): ResultStyle => ({
  shape: { ...DEFAULT_SHAPE, ...changes },
});
const LONG = style({ attribution: 'long' });
const NO_DATA = new Uint8Array(0);

/** The objects of a result, behind its attribution byte, by tag. */
function valuesIn(data: Uint8Array): Map<string, Uint8Array> {
  return new Map(parseTlv(data.subarray(1)).map(({ tag, value }) => [tag, value]));
}

const dataOf = (frame: string) => fromHex(frame).subarray(14, -2);
const contact = (code: number, objects: Uint8Array, how: ResultStyle) =>
  toHex(responseFrame(0x60, 0x00, results.resultData('contact', { code, objects }, how)));

test('ViVOtech2 twin: a contact command is under way, byte for byte as recorded', () => {
  expect(toHex(responseFrame(0x60, 0x63, NO_DATA))).toBe(RECORDED.underWay);
});

test('ViVOtech2 twin: go online has code 0004 and an ARQC, byte for byte as recorded', () => {
  const values = valuesIn(dataOf(RECORDED.goOnline));
  expect(toHex(values.get('9F27')!), 'ARQC').toBe('80');
  expect(contact(0x0004, results.authenticatedObjects(values, style()), style())).toBe(RECORDED.goOnline);
});

test('ViVOtech2 twin: approved has code 0002 and a TC, byte for byte as recorded', () => {
  const values = valuesIn(dataOf(RECORDED.approved));
  expect(toHex(values.get('9F27')!), 'TC').toBe('40');
  expect(contact(0x0002, results.authenticatedObjects(values, LONG), LONG)).toBe(RECORDED.approved);
});

test('ViVOtech2 twin: a started contact card has code 0010 and no cryptogram, byte for byte as recorded', () => {
  const objects = results.startedObjects(valuesIn(fromHex(STARTED)), LONG);
  expect(toHex(results.resultData('contact', { code: 0x0010, objects }, LONG))).toBe(STARTED);
});

test('ViVOtech2 twin: the end of the time of 60-10, byte for byte as recorded', () => {
  expect(toHex(responseFrame(0x60, 0x08, results.codeOnly(0x0008, LONG.shape)))).toBe(RECORDED.ended);
});

test('ViVOtech2 twin: a swipe with formatted tracks, byte for byte as recorded', () => {
  const tracks = {
    track1: '%B4547570001070000^LLIBRE ROBERT-GUILLERMO ^1102101000000040000000306000000?',
    track2: ';4547570001070000=1102101000003060000?',
  };
  const data = results.swipeData(tracks, style({ tracks: 'formatted' }), '606T123456');
  expect(toHex(responseFrame(0x02, 0x00, data))).toBe(RECORDED.swiped);
});

test('ViVOtech2 twin: lengths in DFEF4C are a byte each, as recorded', () => {
  const lengths = (track1: number, track2: number) =>
    toHex(trackLengths({ track1: '%'.repeat(track1), track2: ';'.repeat(track2) }));
  expect(lengths(0, 39)).toBe('002700000000');
  expect(lengths(76, 38)).toBe('4C2600000000');
});

test('ViVOtech2 twin: both kinds of failure, byte for byte as recorded', () => {
  const report = fromHex('27900001');
  const failure = (how: ResultStyle) =>
    toHex(responseFrame(0x02, 0x0a, results.failureData('contactless', report, how)));
  expect(failure(style())).toBe(RECORDED.failed);
  expect(failure(style({ failure: 'empty' }))).toBe(RECORDED.failedWithoutData);
  expect(toHex(results.failureData('contactless', report, style({ failure: 'bytes' })))).toBe('27900001');
});

test('ViVOtech2 twin: an encrypted number is masked, and its object encrypted', () => {
  const cipher = createResultCipher(1);
  expect(toHex(cipher.sensitive('5A', fromHex('4761739001010010')))).toMatch(
    /^5AA1084761CCCCCCCC00105AC110[0-9A-F]{32}$/,
  );
  const encrypted = { ...style({ encrypted: true }), cipher };
  const data = toHex(results.swipeData({ track1: '', track2: ';4761739001010010=39121210000?' }, encrypted));
  expect(data.slice(0, 2)).toBe('C8');
  expect(data, 'no number in the clear').not.toContain(Buffer.from('4761739001010010').toString('hex'));
});

test('ViVOtech2 twin: a list of tags is split by the rules of BER', () => {
  expect(results.tagsOf(fromHex('575A9F26DFEE268ADF8129'))).toEqual([
    '57',
    '5A',
    '9F26',
    'DFEE26',
    '8A',
    'DF8129',
  ]);
});

test('ViVOtech2 twin: an unknown shape of results is refused with the known ones', () => {
  expect(() => changedShape(DEFAULT_SHAPE, 'toString')).toThrow(
    /results takes one of: short-attribution, .*encrypted/,
  );
  expect(changedShape(DEFAULT_SHAPE, 'long-attribution').attribution).toBe('long');
});
