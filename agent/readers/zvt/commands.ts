import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { Fault } from '../../../protocol/failures.ts';
import { CURRENCY_NUMBERS, type Currency } from '../../../protocol/money.ts';
import type { Apdu } from './apdu.ts';
import { bcd, encodeBitmap } from './bitmaps.ts';
import { CODE_PAGE_437 } from './charset.ts';
import {
  CONFIG_BYTE,
  CONTROL,
  ENQUIRY_CONTAINER,
  ENQUIRY_NO_VERSION,
  PASSWORD,
  REPEAT_NO_PRINT,
  REPEAT_STATUS,
} from './constants.ts';

// What the cash register asks of the terminal (PA00P015 §2), each as its command.

const password = bcd(PASSWORD, 3);

/** The currency as BMP 49 carries it. @throws Fault `reader` for one that no terminal would know. */
export function currencyNumber(currency: string): string {
  const number = CURRENCY_NUMBERS[currency as Currency];
  if (!number) throw new Fault('reader', `the terminal does not take ${currency}`);
  return number;
}

const amount = (amountMinor: number) => encodeBitmap(0x04, bcd(amountMinor, 6));
const inCurrency = (currency: string) => encodeBitmap(0x49, bcd(currencyNumber(currency), 2));
const receipt = (receiptNumber: number) => encodeBitmap(0x87, bcd(receiptNumber, 2));

/**
 * 06 00: who controls payments, who prints; EUR until a payment says otherwise. A terminal prints in text blocks
 * only where tag 26 lists them; they are best, but not over a serial line, where a short line is sent again sooner
 * than a long block.
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
  // How wide our paper is (12), in packed digits, the character set (14), and what the terminal may send (26).
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

/** 06 01: a payment. */
export function authorisation(amountMinor: number, currency: string): Apdu {
  return { control: CONTROL.authorisation, data: concat(amount(amountMinor), inCurrency(currency)) };
}

/** 06 22: a payment whose amount is settled later. */
export function preAuthorisation(amountMinor: number, currency: string): Apdu {
  return { control: CONTROL.preAuthorisation, data: concat(amount(amountMinor), inCurrency(currency)) };
}

/** 06 31: money back to any card. */
export function refund(amountMinor: number, currency: string): Apdu {
  const data = concat(password, amount(amountMinor), inCurrency(currency));
  return { control: CONTROL.refund, data };
}

/** 06 30: takes a transaction back by its receipt number, until the end of day has closed it. */
export function reversal(receiptNumber: number): Apdu {
  return { control: CONTROL.reversal, data: concat(password, receipt(receiptNumber)) };
}

/** 06 20: asks for the status information of the last transaction, without printing (PA00P015 §2.20). */
export function repeatReceipt(): Apdu {
  const service = encodeBitmap(0x03, Uint8Array.of(REPEAT_STATUS | REPEAT_NO_PRINT));
  return { control: CONTROL.repeatReceipt, data: concat(password, service) };
}

/** 06 50: closes the batch and sends it to the bank. */
export function endOfDay(): Apdu {
  return { control: CONTROL.endOfDay, data: password };
}

/** 05 01: asks whether the terminal is ready, and which device it is (PA00P015 §2.55). */
export function statusEnquiry(): Apdu {
  const service = encodeBitmap(0x03, Uint8Array.of(ENQUIRY_NO_VERSION | ENQUIRY_CONTAINER));
  return { control: CONTROL.statusEnquiry, data: concat(password, service) };
}

/** 06 B0: gives up what runs. */
export const abort: Apdu = { control: CONTROL.abort, data: new Uint8Array(0) };
