import { expect, test } from 'vitest';
import { panFrom, type TagLookup } from '../../../agent/emv/data-store.ts';
import { chipRequestFrom, lookupInTrack2, maskedCardFrom } from '../../../agent/readers/chip-request.ts';
import type { TransactionProtection } from '../../../agent/readers/card-protection.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { findTlv, parseTlv } from '../../../protocol/emv/tlv.ts';

const CHIP: Record<string, string> = {
  '5A': '4761739001010010',
  '5F24': '391231',
  '5F34': '01',
  '57': '4761739001010010D39122010123456789',
  '50': '56495341204445424954',
  '84': 'A0000000031010',
  '9F26': '1122334455667788',
  '9F27': '80',
  '9F36': '001C',
  '5F20': '54455354',
};

const chip: TagLookup = (tag) => (CHIP[tag] ? fromHex(CHIP[tag]) : undefined);

/** Keeps what it was given to encrypt, so that the test can look. */
function openProtection() {
  const seen: Uint8Array[] = [];
  const transaction: TransactionProtection = {
    cardData(plain) {
      seen.push(plain);
      return { scheme: 'TDES', ksn: 'FFFF9876543210E00001', cipherText: '00'.repeat(8) };
    },
    pin: () => ({ scheme: 'TDES', ksn: 'FFFF9876543210E00001', pinBlock: '00'.repeat(8) }),
  };
  return { transaction, seen };
}

test('chipRequestFrom: has the cryptogram in clear, card number and track 2 only encrypted', () => {
  const { transaction, seen } = openProtection();
  const request = chipRequestFrom(chip, transaction);
  const clear = parseTlv(fromHex(request.emv)).map(({ tag }) => tag);
  expect(clear).toEqual(['9F26', '9F27', '9F36', '84', '5F34']);
  expect(request.emv).not.toContain('4761739001010010');
  expect(toHex(findTlv(seen[0]!, '5A')!)).toBe('4761739001010010');
  expect(parseTlv(seen[0]!).map(({ tag }) => tag)).toEqual(['5A', '5F34', '57']);
});

test('maskedCardFrom: has BIN, last four and the public data of the chip', () => {
  expect(maskedCardFrom(chip, 'Contact')).toEqual({
    scheme: 'Visa',
    bin: '476173',
    last4: '0010',
    expiryMonth: '12',
    expiryYear: '2039',
    entryMode: 'Contact',
    applicationLabel: 'VISA DEBIT',
    aid: 'A0000000031010',
  });
});

test('panFrom, maskedCardFrom: read track 2 equivalent data when there is nothing else', () => {
  const only57: TagLookup = (tag) => (tag === '57' ? chip('57') : undefined);
  expect(panFrom(only57)).toBe('4761739001010010');
  expect(maskedCardFrom(only57, 'Contactless')).toMatchObject({ expiryMonth: '12', expiryYear: '2039' });
});

test('chipRequestFrom: a swiped card has no cryptogram', () => {
  const stripe = lookupInTrack2(';5413330089020011=3912201012345678?');
  const { transaction, seen } = openProtection();
  expect(chipRequestFrom(stripe, transaction).emv).toBe('');
  expect(toHex(findTlv(seen[0]!, '57')!)).toBe('5413330089020011D3912201012345678F');
  expect(maskedCardFrom(stripe, 'Swipe')).toMatchObject({ scheme: 'Mastercard', last4: '0011' });
});

test('chip request: throws for invalid card data without quoting it', () => {
  expect(() => lookupInTrack2('%B4761739001010010^TEST')).toThrow('the stripe could not be read');
  expect(() => panFrom(() => undefined)).toThrow('the card gave no card number');
  const unknownScheme: TagLookup = (tag) =>
    ({ '5A': fromHex('6011000990139424'), '5F24': fromHex('391231') })[tag];
  expect(() => maskedCardFrom(unknownScheme, 'Contact')).toThrow('the card is of a scheme that is not taken');
});
