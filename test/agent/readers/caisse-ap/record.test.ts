import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecordParser, type RecordFrame } from '../../../../agent/readers/caisse-ap/record.ts';
import { ACTIONS, encodeRequest } from '../../../../agent/readers/caisse-ap/request.ts';

const PAYMENT = 'CZ0040300CJ012247300123456CA00201CB00512345CD0010CE003978';
const APPROVED =
  'CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CB0042500AE00210CC003001CI0011AC006614027AA016278502######8422AI021A00000000595741576604AB0042711CF0101010000000CG006424242';

function framesOf(...pieces: (string | Uint8Array)[]): RecordFrame[] {
  const parser = createRecordParser();
  return pieces.flatMap((piece) => parser.push(Buffer.from(piece)));
}

const tagsOf = (frames: RecordFrame[]) =>
  frames.map((frame) =>
    frame.type === 'record' ? `${frame.record.tag}=${frame.record.value}` : frame.reason,
  );

test('Caisse-AP request: a payment of 123.45 EUR has the bytes of the published example', () => {
  const bytes = encodeRequest(
    { action: ACTIONS.debit, money: { amountMinor: 12_345, currency: 'EUR' } },
    '247300123456',
  );
  expect(Buffer.from(bytes).toString('latin1')).toBe(PAYMENT);
  expect(Buffer.from(bytes.subarray(0, 14)).toString('hex')).toBe(
    '435a3030343033303043 4a303132'.replace(' ', ''),
  );
});

test('Caisse-AP request: identification has neither amount nor currency, and an amount has at least two digits', () => {
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
  expect(text(encodeRequest({ action: ACTIONS.identify }))).toBe('CZ0040300CJ012012345678901CA00201CD001I');
  const small = { action: ACTIONS.credit, money: { amountMinor: 5, currency: 'CHF' } };
  expect(text(encodeRequest(small))).toContain('CB00205CD0011CE003756');
});

test('Caisse-AP records: an answer, an identification and a refusal of terminals', () => {
  expect(tagsOf(framesOf(APPROVED))).toEqual([
    'CZ=0300', 'CJ=012345678901', 'CA=01', 'CE=978', 'BA=0', 'CD=0', 'CB=2500', 'AE=10', 'CC=001', 'CI=1',
    'AC=614027', 'AA=278502######8422', 'AI=A00000000595741576604', 'AB=2711', 'CF=1010000000', 'CG=424242',
  ]); // prettier-ignore
  expect(tagsOf(framesOf('CZ0040301CJ012330538600404CA00201CD001IAE00210'))).toEqual([
    'CZ=0301', 'CJ=330538600404', 'CA=01', 'CD=I', 'AE=10',
  ]); // prettier-ignore
  expect(tagsOf(framesOf('AE00201AF00209'))).toEqual(['AE=01', 'AF=09']);
  expect(tagsOf(framesOf('CB00512345'))).toEqual(['CB=12345']);
  const ofCheque = 'CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CC00300CCB00205AE00210';
  expect(tagsOf(framesOf(ofCheque)).slice(-3)).toEqual(['CC=00C', 'CB=05', 'AE=10']);
  expect(tagsOf(framesOf(`${APPROVED.slice(0, APPROVED.indexOf('AE'))}AE00201AF00204`)).slice(-3)).toEqual([
    'CB=2500', 'AE=01', 'AF=04',
  ]); // prettier-ignore
});

test('Caisse-AP records: line ends around a message are ignored', () => {
  expect(tagsOf(framesOf('\r\nAE00210\r\n'))).toEqual(['AE=10']);
});

test.each([
  ['AE0021', '', true],
  ['AE00210C', '', true],
  ['AE00210', '', false],
  ['ae00210', 'answer, record 1 at byte 1: a tag is two capital letters', false],
  ['AE00210A', '', true],
  ['AE00210A1', 'answer, record 2 at byte 8: a tag is two capital letters', false],
  ['AE00210CB0X2', 'answer, record 2 at byte 8: the length of CB is three digits', false],
  ['CB000', 'answer, record 1 at byte 1: the length of CB is from 001 to 999', false],
  ['CB00212\x004', 'answer, record 2 at byte 8: a tag is two capital letters', false],
  ['CB0021\x07', 'answer, record 1 at byte 1: the value of CB is printable ASCII', false],
])('Caisse-AP records: %j: %s', (text, problem, isPartial) => {
  const parser = createRecordParser();
  const broken = parser.push(Buffer.from(text)).filter((frame) => frame.type === 'broken');
  expect(broken.map((frame) => frame.type === 'broken' && frame.reason)).toEqual(problem ? [problem] : []);
  expect(parser.isPartial).toBe(isPartial);
  if (problem) expect(parser.push(Buffer.from('AE00210'))).toEqual([]);
});

test('Caisse-AP records: an answer without an end is given up', () => {
  const record = `AK999${'x'.repeat(999)}`;
  const frames = framesOf(...Array.from({ length: 30 }, () => record));
  expect(frames.at(-1)).toMatchObject({
    type: 'broken',
    reason: expect.stringContaining('at most 20000 bytes'),
  });
});

test('Caisse-AP records: the same in pieces of any size, and any bytes without a fault', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: APPROVED.length })), (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), APPROVED.length];
      const pieces = places.slice(1).map((end, index) => APPROVED.slice(places[index], end));
      expect(framesOf(...pieces)).toEqual(framesOf(APPROVED));
    }),
  );
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void framesOf(bytes)));
});
