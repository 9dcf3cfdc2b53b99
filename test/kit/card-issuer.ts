import { createHash } from 'node:crypto';
import { deriveCardKey } from '../../protocol/cryptography/card-keys.ts';
import { rsaSign, type RsaPrivateKey } from '../../protocol/cryptography/rsa.ts';
import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import { concat } from '../../protocol/emv/tlv.ts';
import type { ChipInterface } from '../../simulator/cards/chip-profile.ts';
import type { ChipCardProfile } from '../../simulator/cards/card-profile.ts';
import { packBcd, staticDataToAuthenticate } from '../../simulator/cards/chip/application.ts';
import type { Certified, IssuedChip } from '../../simulator/cards/issued-chip.ts';

/** Issuer master key of the test cards' application cryptograms, a widely published test key. */
export const TEST_MASTER_KEY = '0123456789ABCDEFFEDCBA9876543210';

/**
 * Key index of the test authority in every network. No network publishes a key under it, so terminals can have both.
 */
export const AUTHORITY_INDEX = 'B7';

/** Registered application provider of each network. */
export const PROVIDERS = { Visa: 'A000000003', Mastercard: 'A000000004', Amex: 'A000000025' } as const;

/** Signing keys of a network. */
export interface NetworkKeys {
  authority: RsaPrivateKey;
  issuer: RsaPrivateKey;
  /** A key of no issuer, for invalid signatures. */
  stranger: RsaPrivateKey;
}

/** To the end of 2039: software with a common default of the century reads 40 and later as 19xx. */
const EXPIRY = '1239';
const SERIAL = '000001';
const ALGORITHMS = '0101';
const DATA_AUTHENTICATION_CODE = 'DAC1';
// Header, hash and trailer around what is signed (EMV 4.4 Book 2 Annex A2.1).
const FRAME_BYTES = 22;
const ISSUER_HEAD_BYTES = 14;
const CARD_HEAD_BYTES = 20;

/** Creates the keys and certificates of a profile with the given chip key. Deterministic. */
export function issueChip(profile: ChipCardProfile, iccKey: RsaPrivateKey, keys: NetworkKeys): IssuedChip {
  const { chip, pan } = profile;
  const flaw = chip.behaviour?.issuedWith;
  const sequence = flaw === 'wrongCardKey' ? '99' : chip.sequenceNumber;
  const signer = flaw === 'wrongCertificate' ? keys.stranger : keys.issuer;
  const certify = (facts: ChipInterface) => certifyApplication({ profile, facts, iccKey, signer });
  const subject = fromHex(pan.slice(0, 6).padEnd(8, 'F'));
  return {
    version: 1,
    cardKey: toHex(deriveCardKey(fromHex(TEST_MASTER_KEY), pan, sequence)),
    iccKey,
    iccRemainder: remainderOf(iccKey, keys.issuer, CARD_HEAD_BYTES),
    issuer: {
      authorityIndex: AUTHORITY_INDEX,
      certificate: certificate({ format: '02', subject, key: keys.issuer, signer: keys.authority }),
      remainder: remainderOf(keys.issuer, keys.authority, ISSUER_HEAD_BYTES),
      exponent: keys.issuer.exponent,
    },
    ...(chip.contact && { contact: certify(chip.contact) }),
    ...(chip.contactless && { contactless: certify(chip.contactless) }),
  };
}

interface ApplicationParts {
  profile: ChipCardProfile;
  facts: ChipInterface;
  iccKey: RsaPrivateKey;
  signer: RsaPrivateKey;
}

function certifyApplication({ profile, facts, iccKey, signer }: ApplicationParts): Certified {
  const staticData = staticDataToAuthenticate(profile, facts);
  const subject = fromHex(toHex(packBcd(profile.pan)).padEnd(20, 'F'));
  const cardCertificate = certificate({ format: '04', subject, key: iccKey, signer, staticData });
  if (!facts.staticSignature) return { certificate: cardCertificate };
  return { certificate: cardCertificate, staticSignature: signStaticData(staticData, signer) };
}

interface CertificateParts {
  format: '02' | '04';
  subject: Uint8Array;
  key: RsaPrivateKey;
  signer: RsaPrivateKey;
  staticData?: Uint8Array;
}

/** EMV 4.4 Book 2 tables 2 and 13: an issuer's key signed by an authority, a card's by its issuer. */
function certificate({
  format,
  subject,
  key,
  signer,
  staticData = new Uint8Array(0),
}: CertificateParts): string {
  const head = concat(
    fromHex(format),
    subject,
    fromHex(EXPIRY + SERIAL + ALGORITHMS),
    Uint8Array.of(bytesOf(key.modulus), bytesOf(key.exponent)),
  );
  const modulus = fromHex(key.modulus);
  const room = bytesOf(signer.modulus) - FRAME_BYTES - head.length;
  const padding = new Uint8Array(Math.max(room - modulus.length, 0)).fill(0xbb);
  const signed = concat(head, modulus.subarray(0, room), padding);
  return sign(signer, signed, concat(modulus.subarray(room), fromHex(key.exponent), staticData));
}

/** EMV 4.4 Book 2 table 3: signed static application data. */
function signStaticData(staticData: Uint8Array, signer: RsaPrivateKey): string {
  const padding = new Uint8Array(bytesOf(signer.modulus) - FRAME_BYTES - 4).fill(0xbb);
  return sign(signer, concat(fromHex(`0301${DATA_AUTHENTICATION_CODE}`), padding), staticData);
}

/** EMV 4.4 Book 2 Annex A2.1.1: `hashed` is not in the signature, but its hash covers it. */
function sign(signer: RsaPrivateKey, signed: Uint8Array, hashed: Uint8Array): string {
  const hash = createHash('sha1').update(signed).update(hashed).digest();
  return toHex(rsaSign(signer, concat(Uint8Array.of(0x6a), signed, hash, Uint8Array.of(0xbc))));
}

/** The end of a key that did not fit into its certificate. */
function remainderOf(key: RsaPrivateKey, signer: RsaPrivateKey, headBytes: number): string {
  return key.modulus.slice((bytesOf(signer.modulus) - FRAME_BYTES - headBytes) * 2);
}

function bytesOf(hex: string): number {
  return hex.length / 2;
}
