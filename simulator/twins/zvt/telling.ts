import type { Apdu } from '../../../agent/readers/zvt/apdu.ts';
import { bcd, encodeBitmap } from '../../../agent/readers/zvt/bitmaps.ts';
import { encodeText } from '../../../agent/readers/zvt/charset.ts';
import { CONTROL } from '../../../agent/readers/zvt/constants.ts';
import { resultText } from '../../../agent/readers/zvt/results.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import type { MaskedCard } from '../../../protocol/messages/action.messages.ts';
import { VERSION } from '../../../protocol/version.ts';
import { STATUS_READY } from './codes.ts';
import type { Transaction } from './memory.ts';

// What the terminal tells the cash register (PA00P015 §3), each as its command.

/** What the twin calls itself: a driver takes no money with a terminal of another name unless it may. */
const DEVICE_NAME = 'TAPBENCH TWIN';
const SERIAL_NUMBER = '00000001';
const MERCHANT_NUMBER = 'TAPBENCH'.padEnd(15);
const CARD_TYPES: Record<MaskedCard['scheme'], number> = { Mastercard: 6, Amex: 8, Visa: 10 };
const TECHNOLOGIES: Record<MaskedCard['entryMode'], number> = {
  Swipe: 0,
  Contact: 1,
  Contactless: 2,
  Wallet: 2,
};

/** 04 0F: what came of a transaction. */
export function statusInformation(transaction: Transaction, terminalId: string): Apdu {
  const { card, atMs, resultCode } = transaction;
  const time = new Date(atMs).toISOString();
  const name = encodeText(card.applicationLabel ?? card.scheme);
  const text = resultCode === 0 ? '' : resultText(resultCode);
  const data = concat(
    encodeBitmap(0x27, Uint8Array.of(resultCode)),
    encodeBitmap(0x04, bcd(transaction.amountMinor, 6)),
    encodeBitmap(0x49, bcd(transaction.currency, 2)),
    encodeBitmap(0x0b, bcd(transaction.traceNumber, 3)),
    encodeBitmap(0x0c, bcd(time.slice(11, 19).replaceAll(':', ''), 3)),
    encodeBitmap(0x0d, bcd(time.slice(5, 10).replace('-', ''), 2)),
    encodeBitmap(0x0e, bcd(card.expiryYear.slice(2) + card.expiryMonth, 2)),
    encodeBitmap(0x17, bcd(0, 2)),
    encodeBitmap(0x22, maskedNumber(card)),
    encodeBitmap(0x29, bcd(terminalId, 4)),
    encodeBitmap(0x2a, encodeText(MERCHANT_NUMBER)),
    encodeBitmap(0x3b, encodeText(transaction.authorisationCode.padEnd(8))),
    encodeBitmap(0x87, bcd(transaction.receiptNumber, 2)),
    encodeBitmap(0x8a, Uint8Array.of(CARD_TYPES[card.scheme])),
    encodeBitmap(0x8b, concat(name, Uint8Array.of(0))),
    ...(text ? [encodeBitmap(0x3c, encodeText(text))] : []),
    encodeBitmap(0x06, cardContainer(card)),
    encodeBitmap(0x88, bcd(transaction.receiptNumber, 3)),
  );
  return { control: CONTROL.statusInformation, data };
}

/** The number with its middle masked by E, an odd last place filled with F (BMP 22). */
function maskedNumber({ scheme, bin, last4 }: MaskedCard): Uint8Array {
  const length = scheme === 'Amex' ? 15 : 16;
  const number = `${bin}${'E'.repeat(length - 10)}${last4}`;
  return fromHex(number.length % 2 === 0 ? number : `${number}F`);
}

function cardContainer({ entryMode, aid }: MaskedCard): Uint8Array {
  const technology = encodeTlv('1F12', Uint8Array.of(TECHNOLOGIES[entryMode]));
  return aid ? concat(technology, encodeTlv('60', encodeTlv('43', fromHex(aid)))) : technology;
}

/** 04 0F of an end of day: the sum, and the receipts that it closed (BMP 60 begins with the first and last). */
export function endOfDayStatus(sum: number, currency: string, journal: readonly Transaction[]): Apdu {
  const numbers = journal.map(({ receiptNumber }) => receiptNumber);
  const range = concat(bcd(numbers[0] ?? 0, 2), bcd(numbers.at(-1) ?? 0, 2));
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
    return concat(Uint8Array.of(approved.length & 0xff), bcd(total, 6));
  });
  const data = concat(
    encodeBitmap(0x27, Uint8Array.of(0)),
    encodeBitmap(0x04, bcd(Math.max(sum, 0), 6)),
    encodeBitmap(0x49, bcd(currency, 2)),
    encodeBitmap(0x60, concat(range, ...totals)),
  );
  return { control: CONTROL.statusInformation, data };
}

/** 04 FF, with the minutes that it may take until the next. */
export function intermediateStatus(code: number, minutes: number = 3): Apdu {
  return { control: CONTROL.intermediateStatus, data: Uint8Array.of(code, minutes) };
}

/** 06 0F. */
export function completion(data: Uint8Array = new Uint8Array(0)): Apdu {
  return { control: CONTROL.completion, data };
}

/** What the completion of a registration says: which terminal, which currency. */
export function registrationCompletion(terminalId: string): Apdu {
  const bitmaps = concat(
    encodeBitmap(0x19, Uint8Array.of(0)),
    encodeBitmap(0x29, bcd(terminalId, 4)),
    encodeBitmap(0x49, bcd('0978', 2)),
  );
  return completion(bitmaps);
}

export interface StatusAsked {
  withVersion: boolean;
  withContainer: boolean;
  terminalId: string;
  atMs: number;
}

/** What the completion of a status enquiry says: `[software version, LLLVAR] status [06 TLV container]` (§2.55). */
export function statusCompletion({ withVersion, withContainer, terminalId, atMs }: StatusAsked): Apdu {
  const version = encodeText(VERSION);
  const digits = [...String(version.length).padStart(3, '0')].map((digit) => 0xf0 + Number(digit));
  return completion(
    concat(
      ...(withVersion ? [Uint8Array.from(digits), version] : []),
      Uint8Array.of(STATUS_READY),
      ...(withContainer ? [encodeTlv('06', deviceContainer(terminalId, atMs))] : []),
    ),
  );
}

/** Terminal id (1F44), device (E4: name, software version, serial number, state), date and time (34). */
function deviceContainer(terminalId: string, atMs: number): Uint8Array {
  const device = concat(
    encodeTlv('1F40', encodeText(DEVICE_NAME)),
    encodeTlv('1F41', encodeText(VERSION)),
    encodeTlv('1F42', fromHex(SERIAL_NUMBER)),
    encodeTlv('1F43', Uint8Array.of(STATUS_READY)),
  );
  const [date, time] = new Date(atMs).toISOString().slice(0, 19).split('T') as [string, string];
  const now = concat(
    encodeTlv('1F0E', fromHex(date.replaceAll('-', ''))),
    encodeTlv('1F0F', fromHex(time.replaceAll(':', ''))),
  );
  return concat(encodeTlv('1F44', fromHex(terminalId)), encodeTlv('E4', device), encodeTlv('34', now));
}

/** 06 1E. */
export function aborted(code: number): Apdu {
  return { control: CONTROL.aborted, data: Uint8Array.of(code) };
}
