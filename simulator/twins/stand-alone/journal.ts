import type { MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import type { MessageFault } from '../../../protocol/line-faults.ts';
import type { CardTray } from '../twin.ts';

/** The languages of receipts. */
export type Language = 'de' | 'en' | 'fr' | 'it';

export type TransactionKind = 'payment' | 'refund' | 'reservation' | 'reversal';

/** A transaction in the terminal's journal, until the till closes the day. */
export interface Transaction {
  kind: TransactionKind;
  receiptNumber: number;
  traceNumber: number;
  amountMinor: number;
  /** ISO 4217 number, four digits. */
  currency: string;
  card: MaskedCard;
  authorisationCode: string;
  /** 0 for an approval, or the code of the bank (ISO 8583). */
  resultCode: number;
  atMs: number;
  reversed: boolean;
}

/** A step of the terminal's machine. */
interface TimelineEntry {
  atMs: number;
  event: string;
  state: string;
}

/** What the terminal has answered to a message of the till, as its language has it. */
interface KeptResponse {
  atMs: number;
  response: Record<string, unknown>;
}

/** An action of the till, with its number at this terminal. */
export interface NumberedAction {
  actionId: string;
  number: number;
}

/** Memory of a terminal, which survives a power cut and a disconnection. */
export interface TerminalMemory {
  /** Terminal id, eight digits. */
  terminalId: string;
  /** Transactions since the day was closed last, in order. */
  journal: Transaction[];
  last: Transaction | undefined;
  nextReceipt: number;
  nextTrace: number;
  /** The latest actions of the till beside it, oldest first, each with a number of its own. */
  numbered: NumberedAction[];
  /** What the bank approves of the next payment that may be partial, minor units. */
  approvesOnlyMinor?: number | undefined;
  /** Stops what runs, as the operator does, and returns whether it does; undefined while nothing runs. */
  stop?: (() => boolean) | undefined;
  /** The language of receipts that a person has chosen. */
  language?: Language;
  /** Lines that a till displays. */
  display: string[];
  /** Whether a command is running, possibly of a till that has disconnected. */
  busy: boolean;
  /** PIN tries left, by card. */
  pinTries: Map<string, number>;
  /** Whether the printer has paper. */
  hasPaper: boolean;
  /** Receipts that the terminal has printed, oldest first. */
  printed: string[][];
  /** Receipts that wait for paper. */
  unprinted: string[][];
  /** Responses by the message of the till that they answer, oldest first, in a language in which it can ask for them. */
  responses: Map<string, KeptResponse>;
  /** The messages about the last result, as they were sent, in a language in which a till can ask for them. */
  lastResult: string[];
  /** The latest steps of the machine, oldest first. */
  timeline: TimelineEntry[];
  /**
   * What is to happen to a message of the terminal: to the next one, and to the first after the bank has approved.
   */
  faults: {
    next?: MessageFault | undefined;
    afterApproval?: MessageFault | undefined;
  };
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
    numbered: [],
    display: [],
    busy: false,
    pinTries: new Map(),
    hasPaper: true,
    printed: [],
    unprinted: [],
    responses: new Map(),
    lastResult: [],
    timeline: [],
    faults: {},
  };
  memories.set(tray, fresh);
  return fresh;
}

/** What a terminal remembers, as JSON: what runs, its till, and the faults that it is to have are not in it. */
type KeptMemory = Omit<
  TerminalMemory,
  | 'last'
  | 'stop'
  | 'busy'
  | 'pinTries'
  | 'responses'
  | 'faults'
  | 'approvesOnlyMinor'
  | 'numbered'
  | 'lastResult'
> & {
  last: Transaction | null;
  /** Absent in what an older version has exported. */
  numbered?: NumberedAction[];
  lastResult?: string[];
  pinTries: Record<string, number>;
  /** Absent in what an older version has exported. */
  responses?: (KeptResponse & { message: string })[];
};

/** Exports what a terminal remembers. */
export function exportMemory(memory: TerminalMemory): KeptMemory {
  const { stop: _stop, busy: _busy, faults: _faults, approvesOnlyMinor: _, ...rest } = memory;
  const { last, pinTries, responses, ...kept } = rest;
  return {
    ...kept,
    last: last ?? null,
    pinTries: Object.fromEntries(pinTries),
    responses: [...responses].map(([message, answered]) => ({ message, ...answered })),
  };
}

/** Returns the memory of the terminal with this tray, with what another one remembered. */
export function restoreMemory(tray: CardTray, kept?: KeptMemory): TerminalMemory {
  const memory = memoryOf(tray);
  if (!kept) return memory;
  const { last, pinTries, responses = [], ...plain } = kept;
  return Object.assign(memory, plain, {
    last: last ?? undefined,
    pinTries: new Map(Object.entries(pinTries)),
    responses: new Map(responses.map(({ message, ...answered }) => [message, answered])),
  });
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

/** Returns whether a transaction is an approved payment or refund that was not reversed. */
export function counts({ resultCode, reversed, kind }: Transaction): boolean {
  return resultCode === 0 && !reversed && (kind === 'payment' || kind === 'refund');
}

/** Returns the sum of payments less refunds, in minor units. */
export function sumMinor(journal: readonly Transaction[], currency: string): number {
  return journal
    .filter((transaction) => counts(transaction) && transaction.currency === currency)
    .reduce((sum, { kind, amountMinor }) => sum + (kind === 'refund' ? -amountMinor : amountMinor), 0);
}

/** Returns the reservations that were neither booked nor reversed. */
export function openReservations({ journal }: TerminalMemory): Transaction[] {
  return journal.filter(
    ({ kind, reversed, resultCode }) => kind === 'reservation' && !reversed && resultCode === 0,
  );
}

const PAPER_MAX = 100;
const TIMELINE_MAX = 200;

/** Prints a receipt, or keeps it until there is paper again. */
export function printReceipt(memory: TerminalMemory, lines: string[]): void {
  const target = memory.hasPaper ? memory.printed : memory.unprinted;
  target.push(lines);
  if (target.length > PAPER_MAX) target.shift();
}

/** Takes the paper out, or puts it in: what waited is printed then. */
export function setPaper(memory: TerminalMemory, hasPaper: boolean): void {
  memory.hasPaper = hasPaper;
  if (!hasPaper) return;
  const waiting = memory.unprinted;
  memory.unprinted = [];
  for (const lines of waiting) printReceipt(memory, lines);
}

/** Adds a step of the machine, and drops the oldest of too many. */
export function recordStep(memory: TerminalMemory, step: TimelineEntry): void {
  memory.timeline.push(step);
  if (memory.timeline.length > TIMELINE_MAX) memory.timeline.shift();
}
