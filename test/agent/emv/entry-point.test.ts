import { expect, test } from 'vitest';
import { createDataStore } from '../../../agent/emv/data-store.ts';
import { runEntryPoint } from '../../../agent/emv/entry-point.ts';
import { holderVerification, transactionQualifiers } from '../../../agent/emv/kernel-visa.ts';
import { terminalData, type Transaction } from '../../../agent/emv/terminal.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { scriptedCard, type Exchange } from '../../kit/scripted-card.ts';
import type { TapOutcome } from '../../../agent/emv/contactless-kernel.ts';

const LOW: Transaction = {
  type: 'Payment',
  amountMinor: 1_500,
  currency: 'GBP',
  sequence: 1,
  atMs: Date.UTC(2026, 10, 20),
  countryCode: '826',
  technology: 'Contactless',
  cvmRequiredLimitMinor: 10_000,
};
const HIGH: Transaction = { ...LOW, amountMinor: 20_000 };
const REFUND: Transaction = { ...HIGH, type: 'Refund' };

const SELECT_PPSE = '00A404000E325041592E5359532E444446303100';
const VISA = 'A0000000031010';
const MASTERCARD = 'A0000000041010';

const tlv = (tag: string, ...parts: Uint8Array[]) => encodeTlv(tag, concat(...parts));
const object = (tag: string, value: string) => encodeTlv(tag, fromHex(value));
const ok = (bytes: Uint8Array) => `${toHex(bytes)}9000`;
const ppse = (...entries: Uint8Array[]): Exchange => [
  SELECT_PPSE,
  ok(tlv('6F', object('84', '32'), tlv('A5', tlv('BF0C', ...entries)))),
];
const entry = (aid: string, priority: string, ...rest: Uint8Array[]) =>
  tlv('61', object('4F', aid), object('87', priority), ...rest);
const selected = (aid: string, ...rest: Uint8Array[]): Exchange => [
  `00A4040007${aid}00`,
  ok(tlv('6F', object('84', aid), tlv('A5', object('50', '43415244'), ...rest))),
];

async function tap(transaction: Transaction, ...script: Exchange[]): Promise<TapOutcome> {
  const card = scriptedCard(script, 'Contactless');
  const known = terminalData(transaction, seededRandom('tap'));
  const outcome = await runEntryPoint(card, known, { transaction, refusalReason: () => undefined });
  expect(card.left).toBe(0);
  return outcome;
}

const pdol = object('9F38', '9F66049F02069F3704');
const visaOptions = (...changes: Uint8Array[]) =>
  ok(
    tlv(
      '77',
      object('82', '2000'),
      object('57', '4012000000060085D3912201'),
      object('9F10', '06010A03A0B000'),
      object('9F26', '1122334455667788'),
      object('9F36', '0064'),
      ...changes,
    ),
  );
const GPO_LOW = '80A800001083 0E 27804000 000000001500 ???????? 00';

test('Entry Point: selects the combination of highest priority; Visa ends with GET PROCESSING OPTIONS', async () => {
  const outcome = await tap(
    LOW, // Bit 8 asks for a confirmation in the slot; in the field it means nothing.
    ppse(entry(MASTERCARD, '02'), entry(VISA, '81')),
    selected(VISA, pdol),
    [GPO_LOW, visaOptions(object('9F27', '80'))],
  );
  expect(outcome).toMatchObject({ outcome: 'online', holder: 'none', isPhone: false });
  const { store } = outcome as Extract<TapOutcome, { outcome: 'online' }>;
  expect(toHex(store.need('5A'))).toBe('4012000000060085');
  expect(toHex(store.need('95'))).toBe('0000000000');
});

test('Visa kernel: reads the cryptogram type from the CVR without 9F27 (Book C-3 §5.4)', async () => {
  const start = [ppse(entry(VISA, '01')), selected(VISA, pdol)];
  expect((await tap(LOW, ...start, [GPO_LOW, visaOptions()])).outcome).toBe('online');
  const declined = visaOptions(object('9F10', '06010A0390B000'), object('9F27', '00'));
  expect((await tap(LOW, ...start, [GPO_LOW, declined])).outcome).toBe('declined');
  const approved = visaOptions(object('9F27', '40'));
  await expect(tap(LOW, ...start, [GPO_LOW, approved])).rejects.toThrow('was to go online');
});

test('Entry Point: selects the next combination when the card does not select one (Select Next)', async () => {
  const outcome = await tap(
    LOW,
    ppse(entry('A0000000032010', '01'), entry(VISA, '02')),
    ['00A4040007A000000003201000', '6A82'],
    selected(VISA, pdol),
    [GPO_LOW, visaOptions(object('9F27', '80'))],
  );
  expect(outcome.outcome).toBe('online');
});

test('Entry Point: ignores entries with another kernel identifier or without a kernel', async () => {
  const foreign = entry(VISA, '01', object('9F2A', '22'));
  await expect(tap(LOW, ppse(foreign, entry('A0000001523010', '01')))).rejects.toThrow('no application');
  await expect(tap(LOW, [SELECT_PPSE, '6A82'])).rejects.toThrow('SELECT: the card answers 6A82');
});

test('Visa kernel: requires the TTQ in the PDOL (Book C-3 §5.1)', async () => {
  await expect(tap(LOW, ppse(entry(VISA, '01')), selected(VISA))).rejects.toThrow('no application');
});

test('Visa kernel: missing mandatory data ends the transaction', async () => {
  const answer = ok(tlv('77', object('82', '2000'), object('9F36', '0064')));
  await expect(tap(LOW, ppse(entry(VISA, '01')), selected(VISA, pdol), [GPO_LOW, answer])).rejects.toThrow(
    'the card has no 57',
  );
});

test('Mastercard kernel: reads the records, then sends GENERATE AC (Book C-2)', async () => {
  const record = tlv(
    '70',
    object('5A', '5413330089020011'),
    object('5F24', '391231'),
    object('8C', '9F02069F3303'),
    object('8E', '000000000000000042031F03'),
  );
  const cryptogram = tlv(
    '77',
    object('9F27', '80'),
    object('9F36', '0001'),
    object('9F26', '1122334455667788'),
  );
  const script = (data: string): Exchange[] => [
    ppse(entry(MASTERCARD, '01')),
    selected(MASTERCARD),
    ['80A8000002830000', '770A820218009404080101009000'],
    ['00B2010C00', ok(record)],
    [`80AE800009${data}00`, ok(cryptogram)],
  ];
  expect(await tap(LOW, ...script('000000001500200808'))).toMatchObject({
    outcome: 'online',
    holder: 'none',
  });
  expect(await tap(HIGH, ...script('000000020000206008'))).toMatchObject({ holder: 'onlinePin' });
});

test('terminal transaction qualifiers: online only, CVM required over the limit (Book A §5.7)', () => {
  expect(toHex(transactionQualifiers(LOW))).toBe('27804000');
  expect(toHex(transactionQualifiers(HIGH))).toBe('27C04000');
  expect(toHex(transactionQualifiers(REFUND))).toBe('27804000');
});

// Card transaction qualifiers (Book C-3 §5.7).
test.each([
  ['nothing, under the limit', LOW, {}, 'none'],
  ['nothing, over the limit', HIGH, {}, 'signature'],
  ['an online PIN', HIGH, { '9F6C': '8000' }, 'onlinePin'],
  ['an online PIN under the limit', LOW, { '9F6C': '8000' }, 'onlinePin'],
  ['a signature', HIGH, { '9F6C': '4000' }, 'signature'],
  ['verified on the device', HIGH, { '9F6C': '0080' }, 'onDevice'],
  ['verified on the device, signed', HIGH, { '9F6C': '0080', '9F69': '01DEADBEEF0080' }, 'onDevice'],
  [
    'verified on the device, signed with another value',
    HIGH,
    { '9F6C': '0080', '9F69': '01DEADBEEF0000' },
    'failed',
  ],
  ['no method in common', HIGH, { '9F6C': '0000' }, 'failed'],
  ['an online PIN for a refund', REFUND, { '9F6C': '8000' }, 'none'],
] as const)('card transaction qualifiers: %s (Book C-3 §5.7)', (_, transaction, data, expected) => {
  const store = createDataStore(
    Object.entries(data).map(([tag, value]): [string, Uint8Array] => [tag, fromHex(value)]),
  );
  expect(holderVerification(store, transaction)).toBe(expected);
});
