import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import type { CardProfile, ChipCardProfile } from '../card-profile.ts';
import type { ChipInterface } from '../chip-profile.ts';
import type { Certified, IssuedChip } from '../issued-chip.ts';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';

/** Files of an application by SFI (EMV 4.4 Book 3 §7.1); 1 to 10 are readable by terminals. */
const FILES = { track: 1, facts: 2, keys: 3 } as const;

/** A record of an application; `relatedData` is generated for each transaction. */
type ChipRecord = Uint8Array | 'relatedData';

/** The data of an application for one interface. */
export interface ApplicationImage {
  facts: ChipInterface;
  /** 94 application file locator: the records to read, and how many are signed (Book 3 §10.2). */
  locator: Uint8Array;
  files: Map<number, ChipRecord[]>;
}

/** Returns the part of a profile for an interface. */
export function interfaceOf(
  { chip }: ChipCardProfile,
  technology: CardTechnology,
): ChipInterface | undefined {
  return technology === 'Contact' ? chip.contact : chip.contactless;
}

/**
 * Returns whether an interface uses qVSDC, which returns the cryptogram without GENERATE AC (EMV Contactless Book
 * C-3).
 */
export function isQvsdc(facts: ChipInterface): boolean {
  return facts.qualifiers !== undefined;
}

/**
 * Returns the static data that the issuer signs: the signed records, and the AIP as tag 9F4A requires (EMV 4.4 Book 3
 * §10.3).
 */
export function staticDataToAuthenticate(profile: ChipCardProfile, facts: ChipInterface): Uint8Array {
  return concat(signedFacts(profile, facts), fromHex(facts.aip));
}

export function imageOf(
  profile: ChipCardProfile,
  facts: ChipInterface,
  issued: IssuedChip,
  certified: Certified,
): ApplicationImage {
  const keys: ChipRecord[] = [issuerRecord(issued), cardRecord(issued, certified)];
  if (certified.staticSignature) keys.push(record(tlv('93', certified.staticSignature)));
  if (isQvsdc(facts)) keys.push('relatedData');
  const records = [record(signedFacts(profile, facts)), record(furtherFacts(profile, facts))];
  const files = new Map<number, ChipRecord[]>();
  // qVSDC returns the track 2 equivalent data with the cryptogram.
  if (!isQvsdc(facts)) files.set(FILES.track, [record(trackFacts(profile))]);
  files.set(FILES.facts, records).set(FILES.keys, keys);
  const entries = [...files].map(([sfi, { length }]) =>
    Uint8Array.of(sfi << 3, 1, length, sfi === FILES.facts ? 1 : 0),
  );
  return { facts, locator: concat(...entries), files };
}

/** Returns tag 57: number, expiry, service code and zeros as discretionary data (ISO/IEC 7813). */
export function track2Of({ pan, expiryYear, expiryMonth, chip }: ChipCardProfile): Uint8Array {
  return packBcd(`${pan}D${expiryYear.slice(2)}${expiryMonth}${chip.serviceCode}0000000000`);
}

/** Returns tag 5F24: the last day of the expiry month. */
function expiryOf({ expiryYear, expiryMonth }: CardProfile): string {
  const day = new Date(Date.UTC(Number(expiryYear), Number(expiryMonth), 0)).getUTCDate();
  return `${expiryYear.slice(2)}${expiryMonth}${day}`;
}

function trackFacts(profile: ChipCardProfile): Uint8Array {
  return concat(encodeTlv('57', track2Of(profile)), encodeTlv('5F20', Buffer.from(profile.chip.holder)));
}

function signedFacts(profile: ChipCardProfile, facts: ChipInterface): Uint8Array {
  const { chip, pan } = profile;
  return concat(
    encodeTlv('5A', packBcd(pan)),
    tlv('5F24', expiryOf(profile)),
    tlv('5F25', chip.effective),
    tlv('5F28', chip.country),
    tlv('5F34', chip.sequenceNumber),
    tlv('9F07', facts.usageControl),
    optional('8E', facts.cvmList),
    optional('9F0D', facts.iacDefault),
    optional('9F0E', facts.iacDenial),
    optional('9F0F', facts.iacOnline),
    tlv('9F4A', '82'),
  );
}

function furtherFacts({ chip }: ChipCardProfile, facts: ChipInterface): Uint8Array {
  return concat(
    optional('8C', facts.cdol1),
    optional('8D', facts.cdol2),
    optional('9F49', facts.ddol),
    tlv('9F08', facts.version),
    tlv('9F42', chip.currency),
    tlv('5F30', `0${chip.serviceCode}`),
  );
}

function issuerRecord({ issuer }: IssuedChip): Uint8Array {
  return record(
    tlv('8F', issuer.authorityIndex),
    tlv('90', issuer.certificate),
    tlv('92', issuer.remainder),
    tlv('9F32', issuer.exponent),
  );
}

function cardRecord({ iccKey, iccRemainder }: IssuedChip, { certificate }: Certified): Uint8Array {
  return record(tlv('9F46', certificate), tlv('9F47', iccKey.exponent), tlv('9F48', iccRemainder));
}

/** Encodes a record template 70 (Book 3 §6.5.11.4). */
export function record(...objects: Uint8Array[]): Uint8Array {
  return encodeTlv('70', concat(...objects));
}

function tlv(tag: string, hex: string): Uint8Array {
  return encodeTlv(tag, fromHex(hex));
}

function optional(tag: string, hex: string | undefined): Uint8Array {
  return hex === undefined ? new Uint8Array(0) : tlv(tag, hex);
}

/** Packs two digits into a byte, padded with F (Book 3 §4.3, format cn). */
export function packBcd(digits: string): Uint8Array<ArrayBuffer> {
  return fromHex(digits.length % 2 === 0 ? digits : `${digits}F`);
}
