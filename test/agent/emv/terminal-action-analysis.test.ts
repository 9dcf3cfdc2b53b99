import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDataStore } from '../../../agent/emv/data-store.ts';
import { AUTHORITY_KEYS, authorityKey, PUBLISHED_KEYS } from '../../../agent/emv/public-keys.ts';
import {
  analyseAction,
  applyProcessingRestrictions,
  manageTerminalRisk,
} from '../../../agent/emv/terminal-action-analysis.ts';
import { isOverCvmLimit, terminalData, type Transaction } from '../../../agent/emv/terminal.ts';
import { TEST_CA_KEYS } from '../../../agent/emv/test-ca-keys.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { seededRandom } from '../../../protocol/ids.ts';

const TRANSACTION: Transaction = {
  type: 'Payment',
  amountMinor: 1_742,
  currency: 'GBP',
  sequence: 7,
  atMs: Date.UTC(2026, 10, 20, 17, 5, 9),
  countryCode: '826',
  technology: 'Contact',
  cvmRequiredLimitMinor: 10_000,
};

const stored = (data: Record<string, string>) =>
  createDataStore(Object.entries(data).map(([tag, value]): [string, Uint8Array] => [tag, fromHex(value)]));

test('terminal data: set before the card is read (Book 4 Annex A)', () => {
  const store = terminalData(TRANSACTION, seededRandom('terminal'));
  const facts = ['9F02', '9F03', '5F2A', '9F1A', '9A', '9F21', '9C', '9F35', '9F1B', '9F41', '9F39', '95'];
  expect(facts.map((tag) => toHex(store.need(tag))).join(' ')).toBe(
    '000000001742 000000000000 0826 0826 261120 170509 00 21 00000000 00000007 05 0000000000',
  );
  expect(store.need('9F37')).toHaveLength(4);
  expect(toHex(terminalData({ ...TRANSACTION, type: 'Refund' }, seededRandom('a')).need('9C'))).toBe('20');
});

test('terminal data: each transaction has its own unpredictable number', () => {
  const random = seededRandom('terminal');
  const numbers = [1, 2].map(() => toHex(terminalData(TRANSACTION, random).need('9F37')));
  expect(numbers[0]).not.toBe(numbers[1]);
});

test('CVM limit: applies to payments over it and not to refunds', () => {
  const over = { ...TRANSACTION, amountMinor: 10_001 };
  expect(isOverCvmLimit({ ...TRANSACTION, amountMinor: 10_000 })).toBe(false);
  expect(isOverCvmLimit(over)).toBe(true);
  expect(isOverCvmLimit({ ...over, type: 'Refund' })).toBe(false);
});

const CARD = {
  '95': '0000000000',
  '9A': '261120',
  '9F1A': '0826',
  '9F09': '0096',
  '9F08': '0096',
  '5F24': '391231',
  '5F25': '150101',
  '5F28': '0826',
  '9F07': 'FF00',
};

// TVR byte 2 (EMV 4.4 Book 3 Annex C5).
test.each([
  ['a card with nothing against it', {}, '00'],
  ['another version', { '9F08': '0002' }, '80'],
  ['expired yesterday', { '5F24': '261119' }, '40'],
  ['expires today', { '5F24': '261120' }, '00'],
  ['not yet effective', { '5F25': '261121' }, '20'],
  ['of the last century', { '5F24': '991231' }, '40'],
  ['for cash machines alone', { '9F07': '0200' }, '10'],
  ['for goods at home, at home', { '9F07': '2100' }, '00'],
  ['for goods at home, abroad', { '9F07': '2100', '5F28': '0276' }, '10'],
  ['for services abroad, abroad', { '9F07': '0500', '5F28': '0276' }, '00'],
])('processing restrictions: %s', (_, changes, byte2) => {
  const store = stored({ ...CARD, ...changes });
  applyProcessingRestrictions(store);
  expect(toHex(store.need('95'))).toBe(`00${byte2}000000`);
});

test('terminal risk management: every amount exceeds the floor limit of an online-only terminal', () => {
  const store = stored({ '95': '0000000000', '9B': '0000', '9F1B': '00000000', '9F02': '000000000000' });
  manageTerminalRisk(store);
  expect(toHex(store.need('95'))).toBe('0000008000');
  expect(toHex(store.need('9B'))).toBe('0800');
});

test('terminal action analysis: requests an ARQC, or an AAC with the reason of the denial (Book 3 §10.7)', () => {
  expect(analyseAction(stored({ '95': '0000000000' }))).toEqual({ kind: 'ARQC' });
  expect(analyseAction(stored({ '95': 'FFFFFFFFFF' }))).toEqual({ kind: 'ARQC' });
  expect(analyseAction(stored({ '95': '0040008000', '9F0E': '0010000000' }))).toEqual({ kind: 'ARQC' });
  expect(analyseAction(stored({ '95': '0040008000', '9F0E': '0040000000' }))).toEqual({
    kind: 'AAC',
    reason: 'the card has expired',
  });
  expect(analyseAction(stored({ '95': '0000008000', '9F0E': '0000008000' }))).toEqual({
    kind: 'AAC',
    reason: 'the issuer of the card denies it',
  });
});

test.each(PUBLISHED_KEYS)(
  'published CA keys: key $index of $rid has its published checksum (Book 2 §11.2.2)',
  (key) => {
    const hash = createHash('sha1').update(fromHex(key.rid + key.index + key.modulus + key.exponent));
    expect(hash.digest('hex').toUpperCase()).toBe(key.checksum);
  },
);

/** Indexes of the networks' test authorities, and bits of each modulus, as terminal makers publish them. */
const STOCK_KEYS = {
  A000000003:
    '50:1024 51:1152 53:1984 54:1984 57:768 58:1600 90:512 92:1408 94:1984 95:1152 96:1024 97:768 98:896 99:1024',
  A000000004:
    'EF:1984 F0:1024 F1:1408 F3:1152 F5:1984 F6:1792 F7:1024 F8:1024 F9:1536 FA:1152 FE:1024 FF:896',
  A000000025:
    '60:768 62:768 64:1024 65:1152 66:1024 67:1408 68:1984 96:1024 97:1152 98:1408 C1:1152 C2:1408 C3:1984 C7:1152 C8:1152 C9:1408 CA:1984',
};

test.each(Object.entries(STOCK_KEYS))(
  'authorityKey: returns every published test key of %s, by its index',
  (rid, expected) => {
    const found = expected.split(' ').map((key) => {
      const [index = ''] = key.split(':');
      const modulus = authorityKey(fromHex(rid), Number.parseInt(index, 16))?.modulus;
      return `${index}:${(modulus?.length ?? 0) * 8}`;
    });
    expect(found.join(' ')).toBe(expected);
  },
);

test('simulated CA keys: their index is not a published one', () => {
  const published = new Set(PUBLISHED_KEYS.map(({ index }) => index));
  for (const { index } of TEST_CA_KEYS) expect(published).not.toContain(index);
  for (const { rid, index, modulus } of TEST_CA_KEYS) {
    expect(toHex(authorityKey(fromHex(rid), Number.parseInt(index, 16))!.modulus)).toBe(modulus);
  }
});

test('authorityKey: keys are unique by RID and index; unknown ones return undefined', () => {
  const names = AUTHORITY_KEYS.map(({ rid, index }) => rid + index);
  expect(new Set(names).size).toBe(names.length);
  expect(authorityKey(fromHex('A000000003'), 0x01)).toBeUndefined();
  expect(authorityKey(fromHex('A000000003'), undefined)).toBeUndefined();
});
