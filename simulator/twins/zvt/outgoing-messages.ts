import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import type { EntryMode, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { VERSION } from '../../../protocol/version.ts';
import { declineText, MESSAGE, STATUS_READY, type Apdu } from './apdu.ts';
import {
  containerField,
  counted,
  countedField,
  encodeText,
  fixedField,
  packed,
  type CharacterSet,
} from './fields.ts';
import type { Transaction } from '../stand-alone/journal.ts';

// Messages from the terminal to the ECR (PA00P015 §3).

/** Device name of the twin. The driver uses a terminal with another name only if it is allowed to. */
const DEVICE_NAME = 'TAPBENCH TWIN';
const SERIAL_NUMBER = '00000001';
const MERCHANT_NUMBER = 'TAPBENCH'.padEnd(15);
const CARD_TYPES: Record<MaskedCard['scheme'], number> = { Mastercard: 6, Amex: 8, Visa: 10 };
const TECHNOLOGIES: Record<EntryMode, number> = {
  Swipe: 0,
  Contact: 1,
  Contactless: 2,
  Wallet: 2,
};

/** What the ECR supports, from its registration. */
export interface EcrCapabilities {
  characters: CharacterSet;
  /** Whether it accepts TLV containers. */
  containers: boolean;
}

/** Builds 04 0F, the status information of a transaction. The container is the last field, as on recorded terminals. */
export function statusInformation(
  transaction: Transaction,
  terminalId: string,
  capabilities: EcrCapabilities,
): Apdu {
  const { card, atMs, resultCode } = transaction;
  const time = new Date(atMs).toISOString();
  const text = resultCode === 0 ? '' : declineText(resultCode);
  const data = concat(
    fixedField(0x27, Uint8Array.of(resultCode)),
    fixedField(0x04, packed(transaction.amountMinor, 6)),
    fixedField(0x49, packed(transaction.currency, 2)),
    fixedField(0x0b, packed(transaction.traceNumber, 3)),
    fixedField(0x0c, packed(time.slice(11, 19).replaceAll(':', ''), 3)),
    fixedField(0x0d, packed(time.slice(5, 10).replace('-', ''), 2)),
    fixedField(0x17, packed(0, 2)),
    fixedField(0x29, packed(terminalId, 4)),
    fixedField(0x2a, encodeText(MERCHANT_NUMBER)),
    fixedField(0x3b, encodeText(transaction.authorisationCode.padEnd(8))),
    fixedField(0x87, packed(transaction.receiptNumber, 2)),
    ...(text ? [countedField(0x3c, encodeText(text, capabilities.characters), 3)] : []),
    cardFields(card, capabilities.characters),
    fixedField(0x88, packed(transaction.receiptNumber, 3)),
    cardContainer(card, capabilities),
  );
  return { control: MESSAGE.statusInformation, data };
}

/** Builds 04 0F for a card that was read without a transaction. */
export function cardInformation(card: MaskedCard, capabilities: EcrCapabilities): Apdu {
  const data = concat(
    fixedField(0x27, Uint8Array.of(0)),
    cardFields(card, capabilities.characters),
    cardContainer(card, capabilities),
  );
  return { control: MESSAGE.statusInformation, data };
}

/** Encodes expiry, masked number, type and name of a card. */
function cardFields(card: MaskedCard, characters: CharacterSet): Uint8Array {
  const name = encodeText(card.applicationLabel ?? card.scheme, characters);
  return concat(
    fixedField(0x0e, packed(card.expiryYear.slice(2) + card.expiryMonth, 2)),
    countedField(0x22, maskedNumber(card), 2),
    fixedField(0x8a, Uint8Array.of(CARD_TYPES[card.scheme])),
    countedField(0x8b, concat(name, Uint8Array.of(0)), 2),
  );
}

/** Encodes the card number with its middle masked by E, padded with F (BMP 22). */
function maskedNumber({ scheme, bin, last4 }: MaskedCard): Uint8Array {
  const length = scheme === 'Amex' ? 15 : 16;
  const number = `${bin}${'E'.repeat(length - 10)}${last4}`;
  return fromHex(number.length % 2 === 0 ? number : `${number}F`);
}

/** Encodes the container with technology (1F12) and application (60, 43), if the ECR accepts containers. */
function cardContainer({ entryMode, aid }: MaskedCard, { containers }: EcrCapabilities): Uint8Array {
  if (!containers) return new Uint8Array(0);
  const technology = entryMode
    ? encodeTlv('1F12', Uint8Array.of(TECHNOLOGIES[entryMode]))
    : new Uint8Array(0);
  const application = aid ? encodeTlv('60', encodeTlv('43', fromHex(aid))) : new Uint8Array(0);
  return containerField(concat(technology, application));
}

/** Builds 04 0F of an end of day or of turnover totals: the sum, and the totals by scheme (BMP 60, after the first and last receipt number). */
export function totalsStatus(sum: number, currency: string, journal: readonly Transaction[]): Apdu {
  const numbers = journal.map(({ receiptNumber }) => receiptNumber);
  const range = concat(packed(numbers[0] ?? 0, 2), packed(numbers.at(-1) ?? 0, 2));
  // Count and sum for each of girocard, JCB, Mastercard, American Express, Visa, Diners and others.
  const schemes: (MaskedCard['scheme'] | undefined)[] = [
    undefined,
    undefined,
    'Mastercard',
    'Amex',
    'Visa',
    undefined,
    undefined,
  ];
  const totals = schemes.map((scheme) => {
    const mine = journal.filter(
      (made) => made.card.scheme === scheme && made.kind === 'payment' && !made.reversed,
    );
    const approved = mine.filter(({ resultCode }) => resultCode === 0);
    const total = approved.reduce((all, { amountMinor }) => all + amountMinor, 0);
    return concat(Uint8Array.of(approved.length & 0xff), packed(total, 6));
  });
  const data = concat(
    fixedField(0x27, Uint8Array.of(0)),
    fixedField(0x04, packed(Math.max(sum, 0), 6)),
    fixedField(0x49, packed(currency, 2)),
    countedField(0x60, concat(range, ...totals), 3),
  );
  return { control: MESSAGE.statusInformation, data };
}

/** Builds 04 FF, with the timeout in minutes until the next message. */
export function intermediateStatus(code: number, minutes: number = 3): Apdu {
  return { control: MESSAGE.intermediateStatus, data: Uint8Array.of(code, minutes) };
}

/** Builds 06 0F. */
export function completion(data: Uint8Array = new Uint8Array(0)): Apdu {
  return { control: MESSAGE.completion, data };
}

/** Builds the completion of a registration: terminal id, currency and negotiated options. */
export function registrationCompletion(terminalId: string, agreed: Uint8Array | undefined): Apdu {
  return completion(
    concat(
      fixedField(0x19, Uint8Array.of(0)),
      fixedField(0x29, packed(terminalId, 4)),
      fixedField(0x49, packed('0978', 2)),
      ...(agreed ? [containerField(agreed)] : []),
    ),
  );
}

export interface StatusRequest {
  withVersion: boolean;
  withContainer: boolean;
  terminalId: string;
  atMs: number;
}

/** Builds the completion of a status enquiry: `[software version, LLLVAR] status [06 TLV container]` (§2.55). */
export function statusCompletion({ withVersion, withContainer, terminalId, atMs }: StatusRequest): Apdu {
  return completion(
    concat(
      ...(withVersion ? [counted(encodeText(VERSION), 3)] : []),
      Uint8Array.of(STATUS_READY),
      ...(withContainer ? [containerField(deviceContainer(terminalId, atMs))] : []),
    ),
  );
}

/** Encodes terminal id (1F44), device (E4: name, software version, serial number, status), date and time (34). */
function deviceContainer(terminalId: string, atMs: number): Uint8Array {
  const device = concat(
    encodeTlv('1F40', encodeText(DEVICE_NAME)),
    encodeTlv('1F41', encodeText(VERSION)),
    encodeTlv('1F42', fromHex(SERIAL_NUMBER)),
    encodeTlv('1F43', Uint8Array.of(STATUS_READY)),
  );
  const [date = '', time = ''] = new Date(atMs).toISOString().slice(0, 19).split('T');
  const now = concat(
    encodeTlv('1F0E', fromHex(date.replaceAll('-', ''))),
    encodeTlv('1F0F', fromHex(time.replaceAll(':', ''))),
  );
  return concat(encodeTlv('1F44', fromHex(terminalId)), encodeTlv('E4', device), encodeTlv('34', now));
}

/** Builds 06 1E with a result code, and extra data for some commands. */
export function aborted(code: number, more: Uint8Array = new Uint8Array(0)): Apdu {
  return { control: MESSAGE.abort, data: concat(Uint8Array.of(code), more) };
}
