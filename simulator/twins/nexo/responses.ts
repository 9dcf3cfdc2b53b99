import type { EntryMode, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import type { TerminalMemory, Transaction } from '../stand-alone/journal.ts';
import { receiptLines, type Layout } from '../stand-alone/receipts.ts';
import type { Ending, RefusedCommand } from '../stand-alone/terminal-language.ts';
import type { Header } from './messages.ts';

export type Json = Record<string, unknown>;

/** Why a request fails. */
type ErrorCondition =
  | 'Aborted'
  | 'Busy'
  | 'Cancel'
  | 'DeviceOut'
  | 'InProgress'
  | 'InvalidCard'
  | 'MessageFormat'
  | 'NotAllowed'
  | 'NotFound'
  | 'Refusal'
  | 'UnavailableService'
  | 'WrongPIN';

/** Encodes pairs for `AdditionalResponse`. */
export function pairsText(pairs: Record<string, string>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&');
}

export function success(more?: Record<string, string>): Json {
  return { Result: 'Success', ...(more && { AdditionalResponse: pairsText(more) }) };
}

export function failure(condition: ErrorCondition, more: Record<string, string>): Json {
  return { Result: 'Failure', ErrorCondition: condition, AdditionalResponse: pairsText(more) };
}

/** Wraps the body of a response: the header of the request comes back. */
export function responseTo(header: Header, body: Json): Json {
  const { MessageCategory: category } = header;
  return { MessageHeader: { ...header, MessageType: 'Response' }, [`${category}Response`]: body };
}

/** What each early end and each refusal is for the till. */
export const CONDITIONS: Record<Ending | RefusedCommand, { condition: ErrorCondition; message: string }> = {
  tillCancelled: { condition: 'Aborted', message: '104 Merchant cancelled' },
  cardholderCancelled: { condition: 'Cancel', message: '108 Shopper cancelled' },
  timedOut: { condition: 'Cancel', message: '109 No card was presented' },
  cardUnreadable: { condition: 'InvalidCard', message: '110 The card cannot be read' },
  busy: { condition: 'Busy', message: 'Another transaction runs' },
  badAmount: { condition: 'MessageFormat', message: 'The amount is not positive' },
  wrongCurrency: { condition: 'NotAllowed', message: 'The terminal does not take this currency' },
  noTransaction: { condition: 'NotFound', message: 'There is no transaction' },
  notReversible: { condition: 'NotFound', message: 'No transaction that can be reversed has this id' },
  alreadyReversed: { condition: 'NotAllowed', message: 'The transaction is reversed already' },
  reservationWrong: { condition: 'NotFound', message: 'There is no such reservation' },
};

/** Declines of the bank (ISO 8583) that the till hears of more exactly. */
const DECLINES: Record<number, { condition: ErrorCondition; reason: string } | undefined> = {
  51: { condition: 'Refusal', reason: '210 Not enough balance' },
  54: { condition: 'Refusal', reason: '228 Card expired' },
  62: { condition: 'Refusal', reason: '199 Card blocked' },
  75: { condition: 'WrongPIN', reason: '129 Invalid online PIN' },
};

/** The response about a transaction that the bank has refused. */
export function declined({ resultCode }: Transaction): Json {
  const known = DECLINES[resultCode] ?? { condition: 'Refusal', reason: `214 Declined (${resultCode})` };
  return failure(known.condition, { message: 'Declined', refusalReason: known.reason });
}

/** The id of a transaction: that of the terminal, a dot, and that of the acquirer. */
export function transactionIdOf({ atMs, receiptNumber, traceNumber }: Transaction): string {
  const tender = `TB${String(receiptNumber).padStart(4, '0')}${atMs}`;
  return `${tender}.${String(traceNumber).padStart(16, '8')}`;
}

export function poiData(transaction: Transaction, atMs: number): Json {
  return {
    POITransactionID: { TransactionID: transactionIdOf(transaction), TimeStamp: timeOf(transaction.atMs) },
    POIReconciliationID: String(Math.floor(atMs / 86_400_000)),
  };
}

export const timeOf = (atMs: number): string => new Date(atMs).toISOString();
const MINOR_UNITS = 100;
export const amountOf = (minor: number): number => minor / MINOR_UNITS;
export const minorOf = (amount: number): number => Math.round(amount * MINOR_UNITS);

const ENTRY_MODES: Record<EntryMode, string> = {
  Contact: 'ICC',
  Contactless: 'Contactless',
  Wallet: 'Contactless',
  Swipe: 'MagStripe',
};

/** What was paid, with the card by its first six and last four digits. */
export function paymentResult(
  transaction: Transaction,
  currency: string,
  { terminalId }: TerminalMemory,
): Json {
  const { card, amountMinor, authorisationCode, kind, atMs } = transaction;
  return {
    PaymentType: kind === 'refund' ? 'Refund' : 'Normal',
    AmountsResp: { AuthorizedAmount: amountOf(amountMinor), Currency: currency },
    OnlineFlag: true,
    PaymentAcquirerData: {
      MerchantID: 'TAPBENCH',
      AcquirerPOIID: terminalId,
      AcquirerTransactionID: {
        TransactionID: transactionIdOf(transaction).split('.')[1],
        TimeStamp: timeOf(atMs),
      },
      ApprovalCode: authorisationCode,
    },
    PaymentInstrumentData: { PaymentInstrumentType: 'Card', CardData: cardData(card) },
  };
}

function cardData({ bin, last4, scheme, entryMode, expiryMonth, expiryYear }: MaskedCard): Json {
  return {
    EntryMode: [ENTRY_MODES[entryMode ?? 'Contact']],
    MaskedPan: `${bin} **** ${last4}`,
    PaymentBrand: scheme === 'Mastercard' ? 'mc' : scheme.toLowerCase(),
    SensitiveCardData: { ExpiryDate: `${expiryMonth}${expiryYear.slice(2)}` },
  };
}

/** Both copies of a receipt, each line as a name and a value. */
export function paymentReceipts(transaction: Transaction, layout: Layout): Json[] {
  const copies = [
    ['CashierReceipt', 'merchant'],
    ['CustomerReceipt', 'customer'],
  ] as const;
  return copies.map(([qualifier, copy]) => ({
    DocumentQualifier: qualifier,
    RequiredSignatureFlag: false,
    OutputContent: {
      OutputFormat: 'Text',
      OutputText: receiptLines(transaction, copy, layout).map((line) => ({
        Text: lineText(line),
        EndOfLineFlag: true,
      })),
    },
  }));
}

/** A label and its value are at the two sides of a line of paper. */
function lineText(line: string): string {
  const [name = '', value] = line.trim().split(/ {2,}/);
  return pairsText(value === undefined ? { name } : { name, value });
}
