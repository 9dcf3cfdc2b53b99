import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { Fault } from '../../../protocol/failures.ts';
import { CURRENCY_CODES, CURRENCY_NUMBERS, isCurrency } from '../../../protocol/money.ts';
import { bcd, encodeBitmap } from './bitmaps.ts';
import { CODE_PAGE_437 } from './charset.ts';
import { CONTROL, type Apdu } from './frame.ts';

// Commands from the ECR to the terminal (PA00P015 §2).

/**
 * Config byte of the registration (PA00P015 §2.1): the ECR prints receipts of payments (02) and of administration
 * (04), receives intermediate statuses (08), controls payments (10) and administration (20), so that only the ECR
 * can start them, and receives receipts in print commands (80). Without 80 a terminal sends no receipt, and the ECR
 * would have to build it from the status information.
 */
const CONFIG_BYTE = 0x02 | 0x04 | 0x08 | 0x10 | 0x20 | 0x80;

/** Service byte (BMP 03) of repeat-receipt (PA00P015 §2.20): send the status information. */
const REPEAT_STATUS = 0x01;

/** Print on neither side. */
const REPEAT_NO_PRINT = 0x02;

/** Service byte of status-enquiry (PA00P015 §2.55): omit the software version before the status. */
const ENQUIRY_NO_VERSION = 0x02;

/** Include a TLV container, which has the device name. */
const ENQUIRY_CONTAINER = 0x04;

/** Factory default password (PA00P015 §1.2). It protects no money, since a reversal needs it too. */
const PASSWORD = '000000';

const password = bcd(PASSWORD, 3);

/** Returns the ISO 4217 number of a currency, as in BMP 49. @throws Fault `reader` for an unknown currency. */
export function currencyNumber(currency: string): string {
  if (!isCurrency(currency)) throw new Fault('reader', `the terminal does not take ${currency}`);
  return CURRENCY_NUMBERS[currency];
}

/** ISO 4217: no currency. */
const NO_CURRENCY = 'XXX';

/** Returns the currency of an ISO 4217 number; `XXX` for one that is not accepted here. */
export function currencyOf(number: string): string {
  return CURRENCY_CODES.find((code) => CURRENCY_NUMBERS[code] === number) ?? NO_CURRENCY;
}

const amount = (amountMinor: number) => encodeBitmap(0x04, bcd(amountMinor, 6));
const inCurrency = (currency: string) => encodeBitmap(0x49, bcd(currencyNumber(currency), 2));
const receipt = (receiptNumber: number) => encodeBitmap(0x87, bcd(receiptNumber, 2));

/**
 * Builds 06 00 Registration: which side controls payments and prints, with EUR as the default currency. A terminal
 * sends text blocks only if tag 26 lists them. Lines are better on a serial line, where resending one costs less.
 */
export function registration({ columns, textBlocks }: { columns: number; textBlocks: boolean }): Apdu {
  const permitted = [
    CONTROL.statusInformation,
    CONTROL.intermediateStatus,
    CONTROL.completion,
    CONTROL.aborted,
    CONTROL.printLine,
    ...(textBlocks ? [CONTROL.printTextBlock] : []),
  ];
  // Receipt width in packed BCD (12), character set (14) and permitted commands of the terminal (26).
  const container = concat(
    encodeTlv('12', bcd(columns, 1)),
    encodeTlv('14', Uint8Array.of(CODE_PAGE_437)),
    encodeTlv(
      '26',
      concat(...permitted.map((control) => encodeTlv('0A', Uint8Array.of(control >> 8, control & 0xff)))),
    ),
  );
  const euro = bcd(CURRENCY_NUMBERS.EUR, 2);
  return {
    control: CONTROL.registration,
    data: concat(password, Uint8Array.of(CONFIG_BYTE), euro, encodeBitmap(0x06, container)),
  };
}

/** Builds 06 01 Authorisation, a payment. Amount in minor units. */
export function authorisation(amountMinor: number, currency: string): Apdu {
  return { control: CONTROL.authorisation, data: concat(amount(amountMinor), inCurrency(currency)) };
}

/** Builds 06 22 Pre-Authorisation, a payment whose final amount is booked later. */
export function preAuthorisation(amountMinor: number, currency: string): Apdu {
  return { control: CONTROL.preAuthorisation, data: concat(amount(amountMinor), inCurrency(currency)) };
}

/** Builds 06 31 Refund, to any card. */
export function refund(amountMinor: number, currency: string): Apdu {
  const data = concat(password, amount(amountMinor), inCurrency(currency));
  return { control: CONTROL.refund, data };
}

/** Builds 06 30 Reversal of a transaction by its receipt number. Possible until the next end of day. */
export function reversal(receiptNumber: number): Apdu {
  return { control: CONTROL.reversal, data: concat(password, receipt(receiptNumber)) };
}

/** Builds 06 20 Repeat Receipt, for the status information of the last transaction without printing (PA00P015 §2.20). */
export function repeatReceipt(): Apdu {
  const service = encodeBitmap(0x03, Uint8Array.of(REPEAT_STATUS | REPEAT_NO_PRINT));
  return { control: CONTROL.repeatReceipt, data: concat(password, service) };
}

/** Builds 06 50 End-of-Day, which closes the batch and sends it to the bank. */
export function endOfDay(): Apdu {
  return { control: CONTROL.endOfDay, data: password };
}

/** Builds 05 01 Status-Enquiry, for the status and device name of the terminal (PA00P015 §2.55). */
export function statusEnquiry(): Apdu {
  const service = encodeBitmap(0x03, Uint8Array.of(ENQUIRY_NO_VERSION | ENQUIRY_CONTAINER));
  return { control: CONTROL.statusEnquiry, data: concat(password, service) };
}

/** 06 B0 Abort: aborts the command in progress. */
export const abort: Apdu = { control: CONTROL.abort, data: new Uint8Array(0) };
