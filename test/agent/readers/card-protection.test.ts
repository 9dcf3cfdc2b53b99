import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  createDukptProtection,
  fileKeyCounter,
  memoryKeyCounter,
  type KeyCounterStore,
} from '../../../agent/readers/card-protection.ts';
import { DUKPT } from '../../../protocol/cryptography/dukpt.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { Fault } from '../../../protocol/failures.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import type { TerminalKeys } from '../../../protocol/terminal-keys.ts';

const KEYS: Record<'AES' | 'TDES', TerminalKeys> = {
  AES: {
    scheme: 'AES',
    initialKeyId: '1234567890123456',
    initialKey: '1273671EA26AC29AFA4D1084127652A1',
  },
  TDES: {
    scheme: 'TDES',
    initialKeyId: 'FFFF9876543210E00000',
    initialKey: '6AC292FAA1315B4D858AB3A3D7D5933A',
  },
};

const PAN = '4761739001010119';
const PLAIN = fromHex(`5A08${PAN}`);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function counterFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'counter-'));
  folders.push(folder);
  return join(folder, 'terminals', 'till.counter.json');
}

function protectionOf(keys: TerminalKeys, counter: KeyCounterStore = memoryKeyCounter()) {
  return createDukptProtection({ keys, counter, random: seededRandom('pin') });
}

test.each(['AES', 'TDES'] as const)(
  'DUKPT protection %s: the issuer decrypts card data and PIN with the same initial key',
  (scheme) => {
    const keys = KEYS[scheme];
    const transaction = protectionOf(keys).transaction();
    const data = transaction.cardData(PLAIN);
    const pin = transaction.pin('1234', PAN);
    expect(pin.ksn).toBe(data.ksn);
    expect(data.cipherText).not.toContain(PAN.slice(0, 8));

    const { transactionKeys, openData, openPin } = DUKPT[scheme];
    const issuer = transactionKeys(fromHex(keys.initialKey), fromHex(data.ksn));
    expect(toHex(openData(issuer, fromHex(data.cipherText)))).toBe(toHex(PLAIN));
    expect(openPin(issuer, fromHex(pin.pinBlock), PAN)).toBe('1234');
  },
);

test('DUKPT protection: the first transaction has counter 1, and each next one more', () => {
  const protection = protectionOf(KEYS.TDES);
  const ksns = [1, 2, 3].map(() => protection.transaction().cardData(PLAIN).ksn);
  expect(ksns).toEqual(['FFFF9876543210E00001', 'FFFF9876543210E00002', 'FFFF9876543210E00003']);
});

test('DUKPT protection: counters continue after a power cut, and a counter once taken is not reused', () => {
  const path = counterFile();
  protectionOf(KEYS.AES, fileKeyCounter(path, { sync: true })).transaction();
  // Nothing was sealed, and the counter is used all the same.
  const again = protectionOf(KEYS.AES, fileKeyCounter(path, { sync: true })).transaction();
  expect(again.cardData(PLAIN).ksn).toBe('123456789012345600000002');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(path, '..'))).toEqual(['till.counter.json']);
});

test('DUKPT protection: throws when the counter cannot be stored', () => {
  const counter: KeyCounterStore = {
    load: () => 0,
    save: () => {
      throw new Fault('journal', 'the disk is full');
    },
  };
  expect(() => protectionOf(KEYS.AES, counter).transaction()).toThrow('the disk is full');
});

test('DUKPT protection: new keys start again at counter 1', () => {
  const path = counterFile();
  const counter = fileKeyCounter(path, { sync: false });
  protectionOf(KEYS.AES, counter).transaction();
  protectionOf(KEYS.TDES, counter).transaction();
  expect(counter.load(KEYS.AES.initialKeyId)).toBe(0);
  expect(counter.load(KEYS.TDES.initialKeyId)).toBe(1);
  expect(readFileSync(path, 'utf8')).not.toContain(KEYS.TDES.initialKey);
});

test('DUKPT protection: throws when the stored counter cannot be read', () => {
  const path = counterFile();
  const counter = fileKeyCounter(path, { sync: false });
  for (const text of ['', '{', 'null', '{"initialKeyId":"1234567890123456"}']) {
    writeFileSync(path, text);
    expect(() => protectionOf(KEYS.AES, counter).transaction(), text).toThrow(
      `cannot read the key counter ${path}`,
    );
  }
});

test('DUKPT protection: throws when the keys are used up', () => {
  const last: KeyCounterStore = { load: () => 0xffff0000, save: () => {} };
  expect(() => protectionOf(KEYS.AES, last).transaction()).toThrow(
    'the keys of this terminal are used up: pair it again',
  );
});

test('createDukptProtection: throws for invalid keys without quoting them', () => {
  expect(() => protectionOf({ ...KEYS.AES, initialKeyId: KEYS.TDES.initialKeyId })).toThrow(
    'these are no AES keys of a terminal',
  );
});
