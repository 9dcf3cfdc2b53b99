import { toHex } from '../../../protocol/emv/hex.ts';
import { findTlv } from '../../../protocol/emv/tlv.ts';
import type { DeviceApproval, EntryMode, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { terminalCard } from '../terminal-card.ts';
import { bcdToNumber, parseBitmaps, type Bitmaps } from './bitmaps.ts';
import { decodeText, type CharacterSet } from './charset.ts';

/** Status information (04 0F) of a transaction. */
export interface TransactionStatus {
  /** Undefined when the terminal does not send it. The transaction is not approved then. */
  resultCode: number | undefined;
  amountMinor: number | undefined;
  /** BMP 49, four digits. */
  currency: string | undefined;
  receiptNumber: number | undefined;
  /** Date and time at the terminal (BMP 0D and 0C), MMDDhhmmss. */
  time: string | undefined;
  /** BMP 29, eight digits. */
  terminalId: string | undefined;
  card: MaskedCard;
  authorisationCode: string;
  /** Additional text (BMP 3C). */
  text: string;
}

/** Parses a status information (04 0F). @param set character set of the terminal's texts. */
export function parseStatusInformation(data: Uint8Array, set?: CharacterSet): TransactionStatus {
  const bitmaps = parseBitmaps(data);
  const textOf = (number: number) => decodeText(bitmaps.get(number) ?? new Uint8Array(0), set).trim();
  const [terminalId, currency] = [bitmaps.get(0x29), bitmaps.get(0x49)];
  const [date, time] = [bitmaps.get(0x0d), bitmaps.get(0x0c)];
  return {
    resultCode: bitmaps.get(0x27)?.[0],
    amountMinor: bcdToNumber(bitmaps.get(0x04)),
    currency: currency && toHex(currency),
    receiptNumber: bcdToNumber(bitmaps.get(0x87)),
    time: date && time && toHex(date) + toHex(time),
    terminalId: terminalId && toHex(terminalId),
    card: cardOf(bitmaps, textOf(0x8b)),
    authorisationCode: textOf(0x3b)
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .slice(0, 8),
    text: textOf(0x3c),
  };
}

/**
 * Returns the approval of a transaction. Its reference holds the receipt number and terminal id, which a reversal
 * needs. Returns undefined when the terminal sent no receipt number.
 */
export function approvalOf(status: TransactionStatus): DeviceApproval | undefined {
  const { receiptNumber, terminalId, authorisationCode } = status;
  if (receiptNumber === undefined) return undefined;
  return { authorisationCode, reference: referenceOf(receiptNumber, terminalId) };
}

/** Returns the reference of a receipt: its number, and the id of the terminal if it has one. */
export function referenceOf(receiptNumber: number, terminalId: string | undefined): string {
  const number = String(receiptNumber).padStart(4, '0');
  return terminalId ? `${number}/${terminalId}` : number;
}

/** Parses the reference of an approval. Returns undefined for any other text. */
export function parseReference(
  reference: string,
): { receiptNumber: number; terminalId: string | undefined } | undefined {
  const [, number, terminalId] = /^([0-9]{4})(?:\/([0-9A-F]{8}))?$/.exec(reference) ?? [];
  return number ? { receiptNumber: Number(number), terminalId } : undefined;
}

/** Schemes by ZVT card type (BMP 8A). girocard and Maestro count as Mastercard where the API has no name for them. */
const SCHEMES: Record<number, MaskedCard['scheme']> = {
  6: 'Mastercard',
  8: 'Amex',
  10: 'Visa',
  11: 'Visa',
  13: 'Visa',
  46: 'Mastercard',
};
const ENTRY_MODES: Record<number, EntryMode> = { 0: 'Swipe', 1: 'Contact', 2: 'Contactless' };

function cardOf(bitmaps: Bitmaps, cardName: string): MaskedCard {
  const number = toHex(bitmaps.get(0x22) ?? new Uint8Array(0)).replace(/F+$/, '');
  const container = bitmaps.get(0x06);
  const aid = container && tagOf(container, '43');
  const technology = container && tagOf(container, '1F12');
  return terminalCard({
    number,
    expiry: toHex(bitmaps.get(0x0e) ?? new Uint8Array(0)),
    scheme: schemeOf(bitmaps.get(0x8a)?.[0], cardName),
    entryMode: technology && ENTRY_MODES[technology[0] ?? -1],
    label: cardName,
    aid: aid && toHex(aid),
  });
}

function tagOf(container: Uint8Array, tag: string): Uint8Array | undefined {
  try {
    return findTlv(container, tag);
  } catch {
    return undefined;
  }
}

/** Returns undefined where the number of the card is all that tells. */
function schemeOf(type: number | undefined, name: string): MaskedCard['scheme'] | undefined {
  const known = type === undefined ? undefined : SCHEMES[type];
  if (known) return known;
  if (/amex|american/i.test(name)) return 'Amex';
  return /visa|v pay/i.test(name) ? 'Visa' : undefined;
}

/** Completion of a status enquiry (PA00P015 §2.55). */
export interface DeviceStatus {
  /** Terminal status code: `READY`, or one of the error messages. */
  code: number;
  /** Device name (TLV E4, 1F40), if the terminal sends it. */
  deviceName: string | undefined;
}

export const READY = 0x00;

/**
 * Parses the completion of a status enquiry: `[software version, LLLVAR] status [06 TLV container]`. Some terminals
 * send the version although the service byte omits it. A completion without data means ready.
 */
export function parseStatusCompletion(data: Uint8Array): DeviceStatus {
  const rest = data.subarray(versionLength(data));
  const container = parseBitmaps(rest.subarray(1)).get(0x06);
  return { code: rest[0] ?? READY, deviceName: container && nameIn(container) };
}

/** Returns the size of a leading software version, Fx Fy Fz and xyz bytes, or 0 when there is none. */
function versionLength(data: Uint8Array): number {
  const head = [...data.subarray(0, 3)];
  if (head.length < 3 || head.some((byte) => byte < 0xf0 || byte > 0xf9)) return 0;
  const length = 3 + Number(head.map((byte) => byte & 0x0f).join(''));
  return length <= data.length ? length : 0;
}

/** Returns undefined also for a malformed container. */
function nameIn(container: Uint8Array): string | undefined {
  try {
    const name = findTlv(container, '1F40');
    return name && decodeText(name);
  } catch {
    return undefined;
  }
}
