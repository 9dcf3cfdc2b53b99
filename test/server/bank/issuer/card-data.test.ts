import { expect, test } from 'vitest';
import { fromHex } from '../../../../protocol/emv/hex.ts';
import { readCardData } from '../../../../server/bank/issuer/card-data.ts';

const OF_TRACK = { number: '4761739001010010', sequenceNumber: '00', expiry: '3912' };

test.each([
  [
    'number and sequence number',
    '5A0847617390010100105F340102',
    { number: '4761739001010010', sequenceNumber: '02' },
  ],
  ['a number of fifteen digits', '5A08374245455400126F', { number: '374245455400126', sequenceNumber: '00' }],
  ['track 2 alone', '57114761739001010010D39122010000000000', OF_TRACK],
  ['both', '5A08476173900101001057114761739001010010D39122010000000000', OF_TRACK],
])('readCardData: reads %s', (_, plain, read) => {
  expect(readCardData(fromHex(plain))).toEqual(read);
});

test.each([
  ['nothing', ''],
  ['no number', '5F340101'],
  ['too short a number', '5A024761'],
  ['letters', '5A08ABCDEF9001010010'],
  ['two numbers', '5A084761739001010010570C4761739001010028D3912201'],
  ['a sequence number of letters', '5A0847617390010100105F3401AB'],
])('readCardData: refuses %s, without quoting it', (_, plain) => {
  expect(() => readCardData(fromHex(plain))).toThrow(/^(?!.*4761)/);
});
