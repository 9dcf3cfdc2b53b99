import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import type { Random } from '../../protocol/ids.ts';
import { CURRENCY_NUMBERS, isCurrency } from '../../protocol/money.ts';
import { createDataStore, type DataStore } from './data-store.ts';
import type { CardTechnology } from './card-connection.ts';

/** Supported applications by AID, with their application version number (9F09). */
export const APPLICATIONS = [
  { scheme: 'Visa', aid: 'A0000000031010', version: '0096' },
  { scheme: 'Visa', aid: 'A0000000032010', version: '0096' },
  { scheme: 'Visa', aid: 'A0000000032020', version: '0096' },
  { scheme: 'Mastercard', aid: 'A0000000041010', version: '0002' },
  { scheme: 'Mastercard', aid: 'A0000000043060', version: '0002' },
  { scheme: 'Amex', aid: 'A00000002501', version: '0001' },
] as const;
type Application = (typeof APPLICATIONS)[number];

/**
 * Returns the supported application that matches a card's AID, which may be longer (partial name; EMV 4.4 Book 1
 * §12.3.1).
 */
export function supportedApplication(aid: Uint8Array): Application | undefined {
  if (aid.length > 16) return undefined;
  return APPLICATIONS.find((application) => toHex(aid).startsWith(application.aid));
}

/** Default reader CVM required limit, in minor units. */
export const CVM_REQUIRED_LIMIT_MINOR = 10_000;

/**
 * Terminal capabilities (EMV 4.4 Book 4 Annex A2). Contact: plaintext and enciphered offline PIN, online PIN,
 * signature, no CVM; SDA, DDA, CDA. Byte 1: IC with contacts. The contactless kernels set other capabilities.
 */
const CONTACT_CAPABILITIES = fromHex('20F8C8');

/** Attended, online only, operated by the merchant (EMV 4.4 Book 4 Annex A1). */
const TERMINAL_TYPE = '21';

/**
 * Terminal action code - denial (EMV 4.4 Book 3 §10.7). All zeros: the terminal itself denies nothing. The codes for
 * online and default would be all ones: everything goes online, and is not approved when it cannot.
 */
export const TERMINAL_ACTION_CODE_DENIAL = new Uint8Array(5);

/** Transaction data from the terminal. */
export interface Transaction {
  type: 'Payment' | 'Refund';
  amountMinor: number;
  currency: string;
  /** Transaction sequence counter of the reader (9F41). */
  sequence: number;
  /** Epoch milliseconds. */
  atMs: number;
  /** ISO 3166-1 numeric (9F1A). */
  countryCode: string;
  technology: CardTechnology;
  /** Reader CVM required limit, for contactless. Minor units. */
  cvmRequiredLimitMinor: number;
}

/** ISO 4217 code 999: no currency. */
const NO_CURRENCY = '0999';

/** EMV 4.4 Book 3 Annex A1, 9C: the first two digits of the ISO 8583 processing code. */
const TRANSACTION_TYPES = { Payment: '00', Refund: '20' } as const;
const ENTRY_MODES = { Contact: '05', Contactless: '07' } as const;

/** Creates the data store of a new transaction with the terminal data; TVR and TSI are all zeros. */
export function terminalData(transaction: Transaction, random: Random): DataStore {
  const { currency } = transaction;
  const at = new Date(transaction.atMs).toISOString();
  const n = (value: number, digits: number) => fromHex(String(value).padStart(digits, '0'));
  return createDataStore([
    ['5F2A', fromHex(isCurrency(currency) ? CURRENCY_NUMBERS[currency] : NO_CURRENCY)],
    ['5F36', fromHex('02')],
    ['95', new Uint8Array(5)],
    ['9A', fromHex(at.slice(2, 10).replaceAll('-', ''))],
    ['9B', new Uint8Array(2)],
    ['9C', fromHex(TRANSACTION_TYPES[transaction.type])],
    ['9F01', new Uint8Array(6)],
    ['9F02', n(transaction.amountMinor, 12)],
    ['9F03', n(0, 12)],
    ['9F15', fromHex('5999')],
    ['9F16', Buffer.from('TAPBENCH       ', 'latin1')],
    ['9F1A', fromHex(transaction.countryCode.padStart(4, '0'))],
    ['9F1B', new Uint8Array(4)],
    ['9F1C', Buffer.from('TAPBENCH', 'latin1')],
    ['9F1E', Buffer.from('TAPBENCH', 'latin1')],
    ['9F21', fromHex(at.slice(11, 19).replaceAll(':', ''))],
    ['9F33', CONTACT_CAPABILITIES],
    ['9F34', fromHex('3F0000')],
    ['9F35', fromHex(TERMINAL_TYPE)],
    ['9F37', Uint8Array.from(random.bytes(4))],
    ['9F39', fromHex(ENTRY_MODES[transaction.technology])],
    ['9F40', fromHex('F000F0A001')],
    ['9F41', n(transaction.sequence % 10_000, 8)],
    ['9F4E', Buffer.from('TAPBENCH', 'latin1')],
    ['9F53', Buffer.from('R', 'latin1')],
  ]);
}

/** Returns whether a payment exceeds the reader CVM required limit (EMV Contactless Book A). */
export function isOverCvmLimit(transaction: Transaction): boolean {
  return transaction.type === 'Payment' && transaction.amountMinor > transaction.cvmRequiredLimitMinor;
}
