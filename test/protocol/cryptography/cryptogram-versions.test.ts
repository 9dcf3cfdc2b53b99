import { expect, test } from 'vitest';
import { commonSessionKey, deriveCardKey } from '../../../protocol/cryptography/card-keys.ts';
import {
  applicationCryptogram,
  arpcMethod1,
  arpcMethod2,
  CRYPTOGRAM_VERSIONS,
  cryptogramInput,
  cryptogramKey,
  cryptogramOf,
  cryptogramVersionOf,
  issuerAuthenticationData,
  type CryptogramVersionName,
} from '../../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

const IMK = fromHex('0123456789ABCDEFFEDCBA9876543210');
const MASTER_KEY = deriveCardKey(IMK, '9901234567890123', '45');
const SESSION_KEY = commonSessionKey(MASTER_KEY, fromHex('1234567890123456'));
const ARQC = fromHex('4B46013359B7A58B');

test('commonSessionKey: derives the session key of the published example', () => {
  expect(toHex(MASTER_KEY)).toBe('F84315C7B95BD3B0C74694922C3808B0');
  expect(toHex(SESSION_KEY)).toBe('3E736BF8D37664348A04E3ABE00DEFC1');
});

test('applicationCryptogram: signs sixteen bytes with padding 80', () => {
  const data = fromHex('0123456789ABCDEF0123456789ABCDEF');
  expect(toHex(applicationCryptogram(SESSION_KEY, data, '80'))).toBe('4B46013359B7A58B');
});

test.each([
  { arc: '0000', arpc: 'E49DB40BFF246CCA' },
  { arc: '3030', arpc: 'F6E72DDCEB080F21' },
])('arpcMethod1: response code $arc under the session key gives $arpc', ({ arc, arpc }) => {
  expect(toHex(arpcMethod1(SESSION_KEY, ARQC, fromHex(arc)))).toBe(arpc);
});

test('arpcMethod1: accepts the card key in place of a session key', () => {
  expect(toHex(arpcMethod1(MASTER_KEY, ARQC, fromHex('0000')))).toBe('F8C9CECAABD55AD1');
});

test('arpcMethod2: signs the card status update and proprietary data', () => {
  const proprietary = fromHex('1234567890ABCDEF');
  expect(toHex(arpcMethod2(SESSION_KEY, ARQC, fromHex('00000000'), proprietary))).toBe('4962B76C');
});

const ATC = fromHex('001C');
const CARD_KEY = deriveCardKey(IMK, '1234567890123456', '00');

/** The transaction that both known answers of Visa are about. */
const TRANSACTION: Record<string, string> = {
  '9F02': '000000004000',
  '9F03': '000000000000',
  '9F1A': '0124',
  '95': '8000048000',
  '5F2A': '0124',
  '9A': '191105',
  '9C': '01',
  '9F37': '52BF4585',
  '82': '1800',
  '9F36': '001C',
};

function transaction(changed: Record<string, string>) {
  const objects: Record<string, string> = { ...TRANSACTION, ...changed };
  return (tag: string) => (objects[tag] === undefined ? undefined : fromHex(objects[tag]));
}

test('visa-10: signs the card verification results under the card key', () => {
  const key = cryptogramKey('visa-10', CARD_KEY, ATC);
  const arqc = cryptogramOf('visa-10', key, transaction({ '9F10': '06010A03A06010' }));
  expect(toHex(arqc)).toBe('29CCA15AE665FA2E');
  const answer = issuerAuthenticationData('visa-10', key, {
    arqc,
    arc: fromHex('3030'),
    csu: fromHex('00000000'),
  });
  expect(toHex(answer)).toBe('28993816AFAE4AEB3030');
});

test('visa-18: signs the whole issuer application data under a session key', () => {
  const key = cryptogramKey('visa-18', CARD_KEY, ATC);
  const arqc = cryptogramOf('visa-18', key, transaction({ '9F10': '06011203A0B800' }));
  expect(toHex(arqc)).toBe('7A788EA6B8A3E733');
  const answer = issuerAuthenticationData('visa-18', key, {
    arqc,
    arc: fromHex('3030'),
    csu: fromHex('00000000'),
  });
  expect(toHex(answer)).toBe('9AF514C100000000');
});

test.each([
  { scheme: 'Visa', iad: '06010A03A0A000', name: 'visa-10' },
  { scheme: 'Visa', iad: '06011203A0A000', name: 'visa-18' },
  { scheme: 'Mastercard', iad: '0114A04003240000000000000000000000FF', name: 'mastercard-14' },
  { scheme: 'Amex', iad: '06010103A0A000', name: 'amex-01' },
  { scheme: 'Visa', iad: '06016303A0A000', name: undefined },
  { scheme: 'Visa', iad: '06', name: undefined },
] as const)(
  'cryptogramVersionOf: $scheme issuer application data $iad is version $name',
  ({ scheme, iad, name }) => {
    expect(cryptogramVersionOf(scheme, fromHex(iad))).toBe(name);
  },
);

const IADS: Record<CryptogramVersionName, string> = {
  'visa-10': '06010A03A0A000',
  'visa-18': '06011203A0A000',
  'mastercard-14': '0114A04003240000000000000000000000FF',
  'amex-01': '06010103A0A000',
};

test.each(Object.keys(IADS) as CryptogramVersionName[])(
  '%s: the cryptogram changes with every signed data object',
  (name) => {
    const made = (changed: Record<string, string>) => {
      const lookup = transaction({ '9F10': IADS[name], ...changed });
      const { scheme } = CRYPTOGRAM_VERSIONS[name];
      expect(cryptogramVersionOf(scheme, lookup('9F10')!)).toBe(name);
      return toHex(cryptogramOf(name, cryptogramKey(name, CARD_KEY, lookup('9F36')!), lookup));
    };
    const cryptograms = [
      made({}),
      ...Object.keys(TRANSACTION).map((tag) => made({ [tag]: TRANSACTION[tag]!.replace(/.$/, '9') })),
    ];
    expect(new Set(cryptograms).size).toBe(cryptograms.length);
  },
);

test('cryptogramInput: throws when a signed data object is missing', () => {
  expect(() => cryptogramInput('visa-10', () => undefined)).toThrow('tag 9F02 is missing or not of 6 bytes');
  expect(() => cryptogramInput('visa-10', transaction({ '9F10': '06010A' }))).toThrow('tag 9F10 is missing');
});
