import { expect, test } from 'vitest';
import { hashMatches, issuerPublicKey, cardPublicKey, recover } from '../../../agent/emv/certificates.ts';
import { createDataStore, type DataStore } from '../../../agent/emv/data-store.ts';
import { parseCombinedData, recoverDynamicData } from '../../../agent/emv/offline-data-authentication.ts';
import { authorityKey } from '../../../agent/emv/public-keys.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';

// The published example of a card under Mastercard's test key F1 (EMV 4.4 Book 2 §5.3, §6.4, §6.6.2).
const ISSUER_CERTIFICATE =
  '3312205B0EFA6715BA18134BB2168A9CA250D268853506D925DD72B2A2E0CF107518DE182F0089B255B7D70A189D9085' +
  '9E741E7D79BB5D36339B16D9B1508DDBC35E2A3008B923E14417A42E86D3AD0A1AD6DBB394E7BC0BA812F3D4971412DE' +
  '4997C8B34BA93F3CE0F5AE27E0A052DB57CD7595C467E831041AC2DBEC91E2EC8D27D4EABAA31322B769415B550B8B18' +
  'E3B05B32CAE7813AB21D8F3B2BFF3741C6AD967AE694800F5B24A20EF78013E4';
const CARD_CERTIFICATE =
  '1BA49B6A034309AA5212D5D39EA0861983E295DFD0052FB0543E3743E4DF5D0CD44FC3FABBC163727C2E3F64ACD670E4' +
  'B8F1D5C5A6F9C42D6A02AD24F1D9220661D78489FC89D3D2F017AE0EE080D43F620B863C25470AE8C2632FDA6421D424' +
  'C29E21653CC56BBBA65F851EBAF1F8C7';
const SIGNATURE =
  '7B9F22B297CCEAD536B87C449EEE744C6971AA0EBDD6B611C88E30FFF0A671CC6D6AC45A5555311E30C466863817EA0A' +
  'A3D13B54BEA6849976592DFC73DED0BB958D506DF7180FAA7A1FD0540859C0E539035BAB64CE8891353DDD3008A0B4';
const LAST_BYTE = { right: '46', wrong: '47' };
const UNPREDICTABLE_NUMBER = fromHex('8B55633B');

const ISSUER_MODULUS =
  '99903295DA9DFA7CB84E664E6500E48A5A1D2EDD3F460BE4AD52066435A644C5A803AE5B829C31B21E81889869BF98D7' +
  '3D9A126F222AC762298808EA0AFB94B33D8FE26AF363FAEACC3B1557CF31F7CCC996E430EA74F6936993C37F638538C0' +
  '75039AD3A8BAF26E44D25FADD3524107';
const CARD_MODULUS =
  '900000000000000000000000001200000000000000000000000000000000480000000000000000000000000000000010' +
  '800000000000000000000000019800000000000000000000000000000006600000000000000000000000000000000055';

function cardData(changes: Record<string, string> = {}): DataStore {
  const data: Record<string, string> = {
    '84': 'A0000000041010',
    '8F': 'F1',
    '90': ISSUER_CERTIFICATE,
    '9F32': '03',
    '9F46': CARD_CERTIFICATE,
    '9F47': '03',
    '9F48': '0000000000000006600000000000000000000000000000000055',
    '5A': '5413330089020011',
    '9A': '250506',
    ...changes,
  };
  return createDataStore(
    Object.entries(data).map(([tag, value]): [string, Uint8Array] => [tag, fromHex(value)]),
  );
}

const testKey = () => authorityKey(fromHex('A000000004'), 0xf1)!;

test('issuer public key: recovered with the key of the certification authority', () => {
  const issuer = issuerPublicKey(testKey(), cardData())!;
  expect(toHex(issuer.modulus)).toBe(ISSUER_MODULUS);
  expect(toHex(issuer.exponent)).toBe('03');
});

test('ICC public key: recovered with the issuer public key; the hash covers the static data', () => {
  const issuer = issuerPublicKey(testKey(), cardData())!;
  const recovered = recover(issuer, fromHex(CARD_CERTIFICATE), 0x04)!;
  expect(toHex(recovered.signed.subarray(1, 11))).toBe('5413330089020011FFFF');
  expect(toHex(recovered.hash)).toBe('91566E18006E2CBA8D286484A9E6BA9E32B48D1E');
  expect(toHex(recovered.signed.subarray(20)) + toHex(cardData().need('9F48'))).toBe(CARD_MODULUS);
  expect(hashMatches(recovered, cardData().need('9F48'), fromHex('03'))).toBe(false);
  expect(cardPublicKey(issuer, cardData(), new Uint8Array(0))).toBeUndefined();
});

test('CDA signature: recovered with the ICC public key, cryptogram included', () => {
  const cardKey = { modulus: fromHex(CARD_MODULUS), exponent: fromHex('03') };
  const dynamic = recoverDynamicData(cardKey, fromHex(SIGNATURE + LAST_BYTE.right), UNPREDICTABLE_NUMBER)!;
  const combined = parseCombinedData(dynamic)!;
  expect(toHex(combined.dynamicNumber)).toBe('537EB5E03CC433C8');
  expect(combined.cryptogramInformation).toBe(0x00);
  expect(toHex(combined.cryptogram)).toBe('55B6408DBC985131');
  expect(toHex(combined.transactionHash)).toBe('A04620C52455EA8F2370647AF36748A2CA4AA9F6');
});

test('dynamic signature: invalid with a wrong byte or another unpredictable number', () => {
  const cardKey = { modulus: fromHex(CARD_MODULUS), exponent: fromHex('03') };
  const signature = fromHex(SIGNATURE + LAST_BYTE.right);
  expect(
    recoverDynamicData(cardKey, fromHex(SIGNATURE + LAST_BYTE.wrong), UNPREDICTABLE_NUMBER),
  ).toBeUndefined();
  expect(recoverDynamicData(cardKey, signature, fromHex('8B55633C'))).toBeUndefined();
  expect(recoverDynamicData(cardKey, signature.subarray(1), UNPREDICTABLE_NUMBER)).toBeUndefined();
});

test.each([
  ['of another card number', { '5A': '5413340089020011' }],
  ['whose month has passed', { '9A': '280101' }],
  ['with another exponent', { '9F32': '010001' }],
  ['with a remainder that it has no use for', { '92': '00' }],
  ['cut short', { '90': ISSUER_CERTIFICATE.slice(2) }],
])('issuer public key: undefined for a certificate %s', (_, changes) => {
  expect(issuerPublicKey(testKey(), cardData(changes))).toBeUndefined();
});

test('issuer certificate: valid until the last day of its month', () => {
  expect(issuerPublicKey(testKey(), cardData({ '9A': '271231' }))).toBeDefined();
});
