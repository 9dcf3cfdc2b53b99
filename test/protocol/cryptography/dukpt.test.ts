import { expect, test } from 'vitest';
import { aesEncrypt, tdesEncrypt } from '../../../protocol/cryptography/block-ciphers.ts';
import * as aes from '../../../protocol/cryptography/dukpt-aes.ts';
import * as tdes from '../../../protocol/cryptography/dukpt-tdes.ts';
import { DUKPT, type KeySchemeName } from '../../../protocol/cryptography/dukpt.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

const TDES_IK = fromHex('6AC292FAA1315B4D858AB3A3D7D5933A');
const IKSN = fromHex('FFFF9876543210E00000');
const AES_IK = fromHex('1273671EA26AC29AFA4D1084127652A1');
const IKID = fromHex('1234567890123456');

test('TDES DUKPT: derives the initial key of X9.24-1:2009 §A.4', () => {
  expect(tdes.deriveInitialKey(fromHex('0123456789ABCDEFFEDCBA9876543210'), IKSN)).toEqual(TDES_IK);
});

test.each([
  { counter: 1, block: '1B9C1845EB993A7A' },
  { counter: 2, block: '10A01C8D02C69107' },
  { counter: 8, block: '50E55547A5027551' },
])('TDES DUKPT: encrypts the PIN block of counter $counter', ({ counter, block }) => {
  const { pin } = tdes.transactionKeys(TDES_IK, tdes.atCounter(IKSN, counter));
  expect(toHex(tdesEncrypt(pin, fromHex('041274EDCBA9876F')))).toBe(block);
});

test('AES DUKPT: derives the initial key of X9.24-3', () => {
  expect(aes.deriveInitialKey(fromHex('FEDCBA9876543210F1F1F1F1F1F1F1F1'), IKID)).toEqual(AES_IK);
});

test.each([
  {
    counter: 1,
    pin: 'AF8CB133A78F8DC2D1359F18527593FB',
    mac: 'A2DC23DE6FDE0824A2BC321E08E4B8B7',
    data: 'A35C412EFD41FDB98B69797C02DCD08F',
  },
  {
    counter: 8,
    pin: '4D9DF3FBEE3448FC3E676D04320A90F5',
    mac: '6FD572E5D59E618875F193484F9178FB',
    data: '650F34204ABD4E57764D61AC3D266FB1',
  },
])('AES DUKPT: derives the keys of counter $counter', ({ counter, ...keys }) => {
  const made = aes.transactionKeys(AES_IK, aes.atCounter(IKID, counter));
  expect({ pin: toHex(made.pin), mac: toHex(made.mac), data: toHex(made.data) }).toEqual(keys);
});

test.each([
  { counter: 2, pin: 'D30BDC73EC9714B000BEC66BDB7B6D09' },
  { counter: 3, pin: '7D69F01F3B45449F62C7816ECE723268' },
  { counter: 8_675_309, pin: 'D1DDA386AA4A556AF0119FDCB5D132C6' },
])('AES DUKPT: derives the PIN key of counter $counter', ({ counter, pin }) => {
  expect(toHex(aes.transactionKeys(AES_IK, aes.atCounter(IKID, counter)).pin)).toBe(pin);
});

/** The definition, bit by bit from the highest: each set bit is one derivation from the key before it. */
function aesPinKeyStepByStep(counter: number): Uint8Array {
  const block = (usage: string, value: number) =>
    fromHex(`0101${usage}00020080${toHex(IKID.subarray(4))}${value.toString(16).padStart(8, '0')}`);
  let key: Uint8Array = AES_IK;
  let reached = 0n;
  for (const bit of [...counter.toString(2).padStart(32, '0')].entries()) {
    if (bit[1] === '0') continue;
    reached |= 1n << BigInt(31 - bit[0]);
    key = aesEncrypt(key, block('8000', Number(reached)));
  }
  return aesEncrypt(key, block('1000', counter));
}

test('AES DUKPT: counters of the whole range agree with a derivation step by step', () => {
  const counters = [
    5, 7, 0xff, 0x100, 0x1234, 0xffff, 0x10000, 0x7fff0000, 0x80000000, 0x80000001, 0xffff0000,
  ];
  for (const counter of counters) {
    const { pin } = aes.transactionKeys(AES_IK, aes.atCounter(IKID, counter));
    expect(pin, String(counter)).toEqual(aesPinKeyStepByStep(counter));
  }
});

const INITIAL = { AES: { key: AES_IK, id: IKID }, TDES: { key: TDES_IK, id: IKSN } };
const SCHEMES: KeySchemeName[] = ['AES', 'TDES'];

test.each(SCHEMES)('%s DUKPT: no two counters or purposes share a key', (scheme) => {
  const { ksnOf, nextCounter, transactionKeys } = DUKPT[scheme];
  const seen = new Set<string>();
  let counter: number | undefined = 0;
  for (let count = 0; count < 300; count++) {
    counter = nextCounter(counter!);
    const keys = transactionKeys(INITIAL[scheme].key, ksnOf(INITIAL[scheme].id, counter!));
    for (const key of Object.values(keys)) seen.add(toHex(key));
  }
  expect(seen.size).toBe(900);
});

test('nextCounter: skips counters with too many one bits', () => {
  expect(tdes.nextCounter(0)).toBe(1);
  // Ten ones may stand; eleven may not, and the lowest is carried up.
  expect(tdes.nextCounter(0x3fe)).toBe(0x3ff);
  expect(tdes.nextCounter(0x7fe)).toBe(0x800);
  expect(tdes.nextCounter(0b1_1111_1111_1000_0000_0000)).toBeUndefined();
  expect(aes.nextCounter(0xffff)).toBe(0x10000);
  expect(aes.nextCounter(0x1fffe)).toBe(0x20000);
  expect(aes.nextCounter(0xffff0000)).toBeUndefined();
});

test.each(SCHEMES)(
  '%s readKsn: reads the initial key id and the counter from a key serial number',
  (scheme) => {
    const { ksnOf, readKsn } = DUKPT[scheme];
    const { id } = INITIAL[scheme];
    expect(readKsn(ksnOf(id, 0x1a2b3))).toEqual({ keyId: id, counter: 0x1a2b3 });
    expect(() => readKsn(id.subarray(1))).toThrow(/bytes/);
  },
);

test.each(SCHEMES)(
  '%s DUKPT: encrypted data and PIN decrypt with the keys of the same counter only',
  (scheme) => {
    const { ksnOf, transactionKeys, sealData, openData, sealPin, openPin } = DUKPT[scheme];
    const keysOf = (counter: number) =>
      transactionKeys(INITIAL[scheme].key, ksnOf(INITIAL[scheme].id, counter));
    const plain = fromHex('5A084761739001010119');
    const sealed = sealData(keysOf(1), plain);
    expect(toHex(sealed)).not.toContain('47617390');
    expect(toHex(openData(keysOf(1), sealed))).toBe(toHex(plain));
    expect(() => openData(keysOf(2), sealed)).toThrow('the padding is wrong');
    expect(() => openData(keysOf(1), sealed.subarray(1))).toThrow(/not blocks/);

    const block = sealPin(keysOf(1), '123456', '4761739001010119', fromHex('0102030405060708'));
    expect(openPin(keysOf(1), block, '4761739001010119')).toBe('123456');
    expect(() => openPin(keysOf(2), block, '4761739001010119')).toThrow('there is no PIN in the block');
  },
);
