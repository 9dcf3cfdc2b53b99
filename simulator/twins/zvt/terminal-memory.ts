import type { MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import type { CardTray } from '../twin.ts';
import type { Registration } from './registration.ts';

export type TransactionKind = 'payment' | 'refund' | 'reservation' | 'reversal';

/** A transaction in the terminal's journal, until the next end of day. */
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

/** Memory of a terminal, which survives a power cut and a disconnection. */
export interface TerminalMemory {
  /** Terminal id, eight digits, which 06 1B sets. */
  terminalId: string;
  /** Transactions since the last end of day, in order. */
  journal: Transaction[];
  last: Transaction | undefined;
  nextReceipt: number;
  nextTrace: number;
  /** The last registration, until a log-off. */
  registration: Registration | undefined;
  /** Lines that an ECR displays (06 E0). */
  display: string[];
  /** Whether a command is running, possibly of an ECR that has disconnected. */
  busy: boolean;
  /** PIN tries left, by card. */
  pinTries: Map<string, number>;
}

const FACTORY_TERMINAL_ID = '52500041';

// A twin lives as long as its connection, so the memory belongs to the tray.
const memories = new WeakMap<CardTray, TerminalMemory>();

/** Returns the memory of the terminal with this tray. */
export function memoryOf(tray: CardTray): TerminalMemory {
  const known = memories.get(tray);
  if (known) return known;
  const fresh: TerminalMemory = {
    terminalId: FACTORY_TERMINAL_ID,
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

// They have four and six digits, and restart at 1.
const RECEIPT_MAX = 9_999;
const TRACE_MAX = 999_999;

/** Records a transaction with the next receipt and trace numbers. */
export function record(
  memory: TerminalMemory,
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
