import { createECDH, createHash, createPrivateKey, createSign, type KeyObject } from 'node:crypto';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import type { Random } from '../../../protocol/ids.ts';

/** A certificate with its key, as PEM. */
interface Identity {
  certificate: string;
  key: string;
}

/** The terminal's certificate, and that of the authority which a till has to trust. */
export interface TerminalIdentity extends Identity {
  authority: string;
}

const CURVE = 'prime256v1';
const KEY_BYTES = 32;
// Object identifiers in DER (RFC 5480, RFC 5758, RFC 5280).
const EC_PUBLIC_KEY = '06072A8648CE3D0201';
const P256 = '06082A8648CE3D030107';
const ECDSA_WITH_SHA256 = '300A06082A8648CE3D040302';
const COMMON_NAME = '0603550403';
const BASIC_CONSTRAINTS = '0603551D13';
const TRUE = '0101FF';
// Both are valid from 2020 to 2049, in the two digits of UTCTime.
const VALIDITY = ['200101000000Z', '491231235959Z'];

const hex = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, 'hex'));
const sequence = (...parts: Uint8Array[]): Uint8Array => encodeTlv('30', concat(...parts));
/** No bit of the last byte is unused. */
const bits = (value: Uint8Array): Uint8Array => encodeTlv('03', concat(Uint8Array.of(0), value));

/** Makes an authority and the certificate that it signs for a terminal. The same randomness gives the same keys. */
export function createTerminalIdentity(commonName: string, random: Random): TerminalIdentity {
  const authority = createPair(random);
  const terminal = createPair(random);
  const name = 'Tapbench test authority';
  const root = certify({
    subject: name,
    issuer: name,
    isAuthority: true,
    pair: authority,
    signer: authority,
  });
  const leaf = certify({
    subject: commonName,
    issuer: name,
    isAuthority: false,
    pair: terminal,
    signer: authority,
  });
  return { certificate: leaf, key: terminal.pem, authority: root };
}

interface KeyPair {
  /** The uncompressed point. */
  point: Uint8Array;
  key: KeyObject;
  pem: string;
}

function createPair(random: Random): KeyPair {
  const ecdh = createECDH(CURVE);
  const secret = Buffer.from(random.bytes(KEY_BYTES));
  // Below the order of the curve, and not 0.
  secret[0] = 1;
  ecdh.setPrivateKey(secret);
  const point = Uint8Array.from(ecdh.getPublicKey());
  // RFC 5915, with the curve and the public key.
  const der = sequence(
    encodeTlv('02', Uint8Array.of(1)),
    encodeTlv('04', Uint8Array.from(secret)),
    encodeTlv('A0', hex(P256)),
    encodeTlv('A1', bits(point)),
  );
  const key = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'sec1' });
  return { point, key, pem: String(key.export({ type: 'pkcs8', format: 'pem' })) };
}

interface CertificateParts {
  subject: string;
  issuer: string;
  isAuthority: boolean;
  pair: KeyPair;
  signer: KeyPair;
}

/** A certificate of X.509 version 3. */
function certify({ subject, issuer, isAuthority, pair, signer }: CertificateParts): string {
  const serial = createHash('sha256').update(pair.point).digest().subarray(0, 8);
  // A serial number is positive.
  serial[0] = 1;
  const body = sequence(
    encodeTlv('A0', encodeTlv('02', Uint8Array.of(2))),
    encodeTlv('02', Uint8Array.from(serial)),
    hex(ECDSA_WITH_SHA256),
    nameOf(issuer),
    sequence(...VALIDITY.map((instant) => encodeTlv('17', ascii(instant)))),
    nameOf(subject),
    sequence(sequence(hex(EC_PUBLIC_KEY), hex(P256)), bits(pair.point)),
    ...(isAuthority ? [encodeTlv('A3', sequence(authorityExtension()))] : []),
  );
  const signature = createSign('sha256').update(body).sign(signer.key);
  const der = sequence(body, hex(ECDSA_WITH_SHA256), bits(Uint8Array.from(signature)));
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function authorityExtension(): Uint8Array {
  return sequence(hex(BASIC_CONSTRAINTS), hex(TRUE), encodeTlv('04', sequence(hex(TRUE))));
}

function nameOf(commonName: string): Uint8Array {
  return sequence(encodeTlv('31', sequence(hex(COMMON_NAME), encodeTlv('0C', ascii(commonName)))));
}

const ascii = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'ascii'));
