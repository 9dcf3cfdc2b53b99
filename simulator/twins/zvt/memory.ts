import type { MaskedCard } from '../../../protocol/messages/action.messages.ts';
import type { CardTray } from '../card-tray.ts';
import type { Registration } from './registration.ts';

export type TransactionKind = 'payment' | 'refund' | 'reservation' | 'reversal';

/** A transaction as the terminal keeps it until its end of day. */
export interface Transaction {
  kind: TransactionKind;
  receiptNumber: number;
  traceNumber: number;
  amountMinor: number;
  /** BMP 49, four digits. */
  currency: string;
  card: MaskedCard;
  authorisationCode: string;
  resultCode: number;
  atMs: number;
  reversed: boolean;
}

/** What a terminal remembers through a power cut and a pulled cable. */
export interface Memory {
  /** Since the last end of day, in their order. */
  journal: Transaction[];
  last: Transaction | undefined;
  nextReceipt: number;
  nextTrace: number;
  /** Of the cash register that registered last; it holds until that logs off. */
  registration: Registration | undefined;
  /** What a cash register has it show (06 E0). */
  display: string[];
  /** It works on a command, maybe of a cash register that is gone. */
  busy: boolean;
  /** PIN tries left, by card. */
  pinTries: Map<string, number>;
}

// A twin lives as long as its line; the device that it stands for is known by its tray.
const memories = new WeakMap<CardTray, Memory>();

export function memoryOf(tray: CardTray): Memory {
  const known = memories.get(tray);
  if (known) return known;
  const fresh: Memory = {
    journal: [],
    last: undefined,
    nextReceipt: 1,
    nextTrace: 1,
    registration: undefined,
    display: [],
    busy: false,
    pinTries: new Map(),
  };
  memories.set(tray, fresh);
  return fresh;
}

// Both are counted in four and six digits, and begin anew.
const RECEIPT_MAX = 9_999;
const TRACE_MAX = 999_999;

/** Keeps a transaction under the next numbers. */
export function record(
  memory: Memory,
  made: Omit<Transaction, 'receiptNumber' | 'traceNumber' | 'reversed'>,
): Transaction {
  const { nextReceipt: receiptNumber, nextTrace: traceNumber } = memory;
  const transaction = { ...made, receiptNumber, traceNumber, reversed: false };
  memory.nextReceipt = (receiptNumber % RECEIPT_MAX) + 1;
  memory.nextTrace = (traceNumber % TRACE_MAX) + 1;
  memory.journal.push(transaction);
  memory.last = transaction;
  return transaction;
}
