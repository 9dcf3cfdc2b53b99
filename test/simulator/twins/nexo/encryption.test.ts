import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../protocol/ids.ts';
import { createTerminalIdentity } from '../../../../simulator/twins/nexo/certificates.ts';
import { decryptText, deriveKeys, encryptText } from '../../../../simulator/twins/nexo/encryption.ts';

const KEY = { passphrase: 'tapbench-local-passphrase', identifier: 'till', version: 1 };
const TEXT =
  '{"SaleToPOIRequest":{"MessageHeader":{"ProtocolVersion":"3.0","MessageClass":"Service","MessageCategory":"Diagnosis","MessageType":"Request","ServiceID":"0001","SaleID":"TILL1","POIID":"P400Plus-123456789"},"DiagnosisRequest":{"HostDiagnosisFlag":false}}}';
const NONCE = Uint8Array.from(Array.from({ length: 16 }, (_, index) => index));
const HMAC = '661cYaYHyt/mOI9DU1gUcr5S8Lb+4SSgsDwFYu7lIKI=';
const BLOB =
  'jjoWETMFBtNMgvtntK1ZfZfzUzFEBjGvmkJDtSXlEGVI2H7lkRChbYwhTF8d8gXbvGLyaNGhNxxiQ0JStagwErHulpk45Qc1WPVFa9k//L0SIHy8/YJw1GiCDYcSp5+XfPrOKYajePMopAJX0HsFu+uSVq1FApHjcIfJLvXpVUdSlA3gtneqQeK7Lx5z4iXZsUPNwziP8tRTzNnPv5mvHPVQ+NMl2bz4s9cHHwYh7Vl7kGM3HmoGWkQJJ96b347hj0ywzcrQ3Hutj85EAm2RXm+06iRZrrKQTm7QFx0+6W7cqvijz4heRxomCNacVB55QK0vhbYSR2P88teK96GMHg==';

test('nexo encryption: derives the keys of the known answer', () => {
  const { hmac, cipher, iv } = deriveKeys(KEY.passphrase);
  expect(hmac.toString('hex')).toBe('fc482195da7e71934728fd58567cc56c79b771ea07665c323994378cfe527d5e');
  expect(cipher.toString('hex')).toBe('f1fe393304567263546f1f0ce23a457eb4f8e85d2b8cc389b07fdb2595a7f88d');
  expect(iv.toString('hex')).toBe('bcb0960580b0d855e0d1dce022411a12');
});

test('nexo encryption: makes the blob, the nonce and the HMAC of the known answer, and decrypts them', () => {
  expect(TEXT).toHaveLength(255);
  const encrypted = encryptText(TEXT, KEY, { bytes: () => NONCE });
  expect(encrypted).toEqual({
    NexoBlob: BLOB,
    SecurityTrailer: {
      AdyenCryptoVersion: 1,
      KeyIdentifier: 'till',
      KeyVersion: 1,
      Nonce: 'AAECAwQFBgcICQoLDA0ODw==',
      Hmac: HMAC,
    },
  });
  expect(decryptText(encrypted, KEY)).toEqual({ text: TEXT });
});

test.each([
  ['another passphrase', {}, { passphrase: 'other' }, 'NexoBlob: it cannot be decrypted', 3],
  ['another HMAC', { Hmac: HMAC.replace('6', '7') }, {}, 'field Hmac: it is not that of the message', 3],
  ['a short nonce', { Nonce: 'AAEC' }, {}, 'field Nonce: sixteen bytes are expected', 3],
  ['another key', { KeyIdentifier: 'other' }, {}, 'no such key is set', 9],
  ['another version of the key', { KeyVersion: 2 }, {}, 'no such key is set', 9],
  ['another version', { AdyenCryptoVersion: 2 }, {}, 'AdyenCryptoVersion: 1 is expected', 3],
])('nexo encryption: %s is refused', (_, trailer, key, problem, code) => {
  const encrypted = encryptText(TEXT, KEY, { bytes: () => NONCE });
  const changed = { ...encrypted, SecurityTrailer: { ...encrypted.SecurityTrailer, ...trailer } };
  expect(decryptText(changed, { ...KEY, ...key })).toEqual({
    problem: expect.stringContaining(problem),
    code,
  });
});

test('nexo certificates: the authority has signed the terminal, and the same randomness gives the same keys', () => {
  const name = 'P400Plus-123456789.test.terminal.adyen.com';
  const made = createTerminalIdentity(name, seededRandom('keys'));
  const [leaf, root] = [new X509Certificate(made.certificate), new X509Certificate(made.authority)];
  expect(leaf.subject).toBe(`CN=${name}`);
  expect(root.ca).toBe(true);
  expect(leaf.ca).toBe(false);
  expect(leaf.checkIssued(root) && leaf.verify(root.publicKey) && root.verify(root.publicKey)).toBe(true);
  expect(createTerminalIdentity(name, seededRandom('keys')).key).toBe(made.key);
  expect(createTerminalIdentity(name, seededRandom('others')).key).not.toBe(made.key);
});
