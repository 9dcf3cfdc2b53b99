import type { Transaction } from './journal.ts';

/** What a till asks of a terminal, in whichever language. Currencies are ISO 4217 numbers of four digits. */
export type TillCommand =
  | SaleCommand
  /** Undoes a transaction, or pays back a part of it: the last one where the till names none. */
  | { type: 'reverse'; receiptNumber?: number | undefined; amountMinor?: number | undefined }
  /** Takes the money of a reservation, all or part of it, and releases the rest. */
  | { type: 'book'; receiptNumber: number | undefined; amountMinor: number | undefined }
  /** Adds an amount to a reservation. */
  | { type: 'extend'; receiptNumber: number; amountMinor: number }
  /** Stops what runs, while no money has moved. */
  | { type: 'cancel' }
  | { type: 'status' }
  | { type: 'lastResult' }
  /** Prints the receipts of the last transaction again. */
  | { type: 'print' }
  /** Sends the totals, and begins a new journal where it closes the day. */
  | { type: 'reconcile'; closes: boolean };

/** A command for which a card is presented. */
export interface SaleCommand {
  type: 'pay' | 'refund' | 'reserve';
  amountMinor: number;
  currency: string;
  /** Whether the bank may approve less than the amount. */
  mayBePartial?: boolean;
}

/** What the terminal does while a card command runs. */
export type Progress = 'insertCard' | 'watchPinPad' | 'incorrectPin' | 'waitingForBank';

/** Why a card command ended before the bank was asked. */
export type Ending = 'tillCancelled' | 'cardholderCancelled' | 'timedOut' | 'cardUnreadable';

/** Why a command was not run. */
export type RefusedCommand =
  | 'busy'
  | 'badAmount'
  | 'wrongCurrency'
  | 'noTransaction'
  | 'notReversible'
  | 'alreadyReversed'
  | 'reservationWrong';

/** What the terminal reports of a command, for the language to encode. */
export type TerminalReport =
  | { type: 'result'; transaction: Transaction }
  | { type: 'ended'; reason: Ending }
  | { type: 'refused'; reason: RefusedCommand }
  | { type: 'status'; busy: boolean; hasPaper: boolean }
  | { type: 'printed'; transaction: Transaction }
  | { type: 'totals'; journal: readonly Transaction[] };

/** A message that asks nothing of the terminal, because it breaks a rule of its language. */
export interface MessageProblem {
  /** Such as `payment request, position 24 (amount): eight digits are expected`. */
  problem: string;
}

/**
 * The adapter of one language at the door of a terminal. What it is given and what it makes are whole messages: lines,
 * check bytes and acknowledgements are the matter of its session.
 */
export interface TerminalLanguage<Request, Message> {
  /** The command that a message of the till is, or what is wrong with it. */
  decode(request: Request): TillCommand | MessageProblem;
  /** What is sent to the till, in order, about the command of a message. */
  encode(report: TerminalReport, request: Request): Message[];
}

/** The till during a command, as the session of its language sees it. */
export interface Till {
  /** Whether the till has asked to stop. */
  readonly cancelRequested: boolean;
  /** Allows or refuses a cancel from now on. */
  setCancellable(may: boolean): void;
  /** Tells the till what the terminal does. @throws Fault `reader` when the till is gone. */
  tell(step: Progress): Promise<void>;
  /**
   * Waits for something at the terminal, at most `limitMs`, and no longer than until a cancel of the till.
   * @throws Fault `reader` when the till is gone.
   */
  waitFor(happens: Promise<unknown>, limitMs: number): Promise<'happened' | 'cancelRequested' | 'timeout'>;
  /** Whether the terminal prints the receipts; otherwise they are for the till. */
  readonly terminalPrints: boolean;
}
