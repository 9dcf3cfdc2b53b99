import { expect, test } from 'vitest';
import { readRecords, recordsText } from '../../../../simulator/twins/caisse-ap/records.ts';

const LEAST = 'CZ0040300CJ012247300123456CA00201CB00512345CD0010CE003978';

test('readRecords: reads the least request, also with a line end behind it', () => {
  const records = [
    ['CZ', '0300'],
    ['CJ', '247300123456'],
    ['CA', '01'],
    ['CB', '12345'],
    ['CD', '0'],
    ['CE', '978'],
  ];
  expect([...readRecords(LEAST).records]).toEqual(records);
  expect(readRecords(`${LEAST}\r\n`)).toEqual(readRecords(LEAST));
  expect(recordsText(readRecords(LEAST).records)).toBe(LEAST);
  expect(Buffer.from(LEAST).toString('hex')).toMatch(/^435a30303430333030434a303132/);
});

const ECHO = 'CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CB0042500';

test.each([
  ['request', ECHO, 'CB', '2500'],
  [
    'approval',
    `${ECHO}AE00210CC003001CI0011AC006614027AA016278502######8422AI021A00000000595741576604AB0042711CF0101010000000CG006424242`,
    'AI',
    'A00000000595741576604',
  ],
  ['refusal', `${ECHO}AE00201AF00204`, 'AF', '04'],
  ['cheque', 'CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010CC00300CCB00205', 'CC', '00C'],
  ['identification', 'CZ0040301CJ012330538600404CA00201CD001IAE00210', 'CD', 'I'],
])('readRecords: reads the published %s, and writes the same bytes', (_, text, tag, value) => {
  const { records, problem, incomplete } = readRecords(text);
  expect([problem, incomplete, records.get(tag)]).toEqual([undefined, undefined, value]);
  expect(recordsText(records)).toBe(text);
});

test('readRecords: a message that is cut off anywhere is incomplete, except at the end of a record', () => {
  const ends = [9, 26, 33, 43, 49];
  for (let cut = 1; cut < LEAST.length; cut += 1) {
    const { incomplete, problem } = readRecords(LEAST.slice(0, cut));
    expect([cut, problem, incomplete === undefined]).toEqual([cut, undefined, ends.includes(cut)]);
  }
});

test.each([
  ['CZ00403000A001', 'request, byte 9: a tag is two capital letters'],
  ['CZ0040300CJ0X2', 'request, byte 9 (CJ): a length is three digits'],
  ['CZ0040300CA000', 'request, byte 9 (CA): a length is at least 001'],
  ['CZ0040300CA00201CA00202', 'request, byte 16 (CA): a tag appears once'],
  ['CA00201CZ0040300', 'request, byte 0 (CA): CZ comes first'],
  ['CZ0040300CF003a\u0001b', 'request, byte 9 (CF): a value is printable ASCII'],
])('readRecords: %j breaks a rule: %s', (text, problem) => {
  expect(readRecords(text).problem).toBe(problem);
});

test('recordsText: leaves out what has no value, and what is too long for a length', () => {
  expect(
    recordsText([
      ['AA', undefined],
      ['AB', '2711'],
      ['AC', 'x'.repeat(1_000)],
    ]),
  ).toBe('AB0042711');
});
