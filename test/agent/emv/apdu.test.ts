import { expect, test } from 'vitest';
import {
  encodeCommand,
  generateAc,
  getData,
  getProcessingOptions,
  readRecord,
  select,
  send,
  verify,
} from '../../../agent/emv/apdu.ts';
import { CardError } from '../../../agent/emv/card-connection.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { scriptedCard } from '../../kit/scripted-card.ts';

test.each([
  ['SELECT', select(fromHex('A0000000031010')), '00A4040007A000000003101000'],
  ['SELECT next', select(fromHex('A000000003'), true), '00A4040205A00000000300'],
  ['READ RECORD', readRecord(2, 1), '00B2011400'],
  ['GET PROCESSING OPTIONS', getProcessingOptions(fromHex('')), '80A8000002830000'],
  ['GET DATA', getData(0x9f17), '80CA9F1700'],
  ['VERIFY', verify(0x80, fromHex('241234FFFFFFFFFF')), '0020008008241234FFFFFFFFFF'],
  ['GENERATE AC', generateAc(0x90, fromHex('0102')), '80AE900002010200'],
])('encodeCommand: %s', (_, command, expected) => {
  expect(toHex(encodeCommand(command))).toBe(expected);
});

test('GET PROCESSING OPTIONS: a PDOL over 127 bytes has a two-byte length', () => {
  const { data } = getProcessingOptions(new Uint8Array(200));
  expect(toHex(data!.subarray(0, 3))).toBe('8381C8');
});

test('send: handles 61xx and 6Cxx of T=0', async () => {
  const card = scriptedCard([
    ['00B2010C00', '6C04'],
    ['00B2010C04', 'AABB6102'],
    ['00C0000002', '6C03'],
    ['00C0000003', 'CCDDEE9000'],
  ]);
  const { data, status } = await send(card, readRecord(1, 1));
  expect(toHex(data)).toBe('AABBCCDDEE');
  expect(status).toBe(0x9000);
  expect(card.left).toBe(0);
});

test('send: throws on a response without status words or over the maximum length', async () => {
  for (const answer of ['', '90', '00'.repeat(260)]) {
    await expect(send(scriptedCard([['00B2010C00', answer]]), readRecord(1, 1))).rejects.toThrow(CardError);
  }
});

test('scripted card: throws on an unexpected command', async () => {
  const card = scriptedCard([['00B2??0C00', '9000']]);
  await send(card, readRecord(1, 7));
  await expect(send(card, readRecord(1, 8))).rejects.toThrow('exchange 2: expected nothing, came 00B2080C00');
});
