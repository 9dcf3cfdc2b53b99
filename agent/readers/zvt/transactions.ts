import { Fault } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { DebtStore } from '../debt-store.ts';
import type { CardRequest, DeviceReceipt } from '../reader.ts';
import * as commands from './commands.ts';
import { converse, follow, type Ending, type Stop } from './command-exchange.ts';
import { createDebts } from './pending-reversals.ts';
import type { ZvtFrame } from './parser.ts';
import { createReceiptCollector } from './receipt.ts';
import * as results from './results.ts';
import type { TransactionStatus } from './status-information.ts';
import type { Talk } from './transport-layer.ts';

export type TransactionOutcome =
  | { type: 'approved'; status: TransactionStatus; receipt: DeviceReceipt | undefined }
  | { type: 'declined'; code: number; text: string }
  /** Somebody pressed cancel at the terminal, its own time was up, or we aborted it. */
  | { type: 'aborted' };

// After something unasked, whether more of it comes.
const UNASKED_QUIET_MS = 10_000;

/** The transactions at one terminal, and what is still to be taken back there. */
export interface Transactions {
  readonly owesSomething: boolean;
  /** Learns which receipt was the last one, on a line that was just opened. */
  meet(talk: Talk): Promise<void>;
  /** @throws Fault when the outcome is not known; `settle` finds it out. */
  transact(
    talk: Talk,
    request: CardRequest,
    at: { stop: Stop; terminalId: string | undefined },
  ): Promise<TransactionOutcome>;
  /** Takes a transaction back. @returns the code with which the terminal refuses, if it does. */
  reverse(talk: Talk, receiptNumber: number): Promise<number | undefined>;
  /** Finds out what interrupted transactions came to, and takes back what nobody waits for. */
  settle(talk: Talk, terminalId: string | undefined): Promise<void>;
}

export function createTransactions(log: Log, store: DebtStore): Transactions {
  let lastReceipt: number | undefined;
  // Every receipt moves the number on, that of a reversal too.
  const noteReceipt = ({ receiptNumber }: TransactionStatus) => (lastReceipt = receiptNumber ?? lastReceipt);
  const reverse = (talk: Talk, receiptNumber: number) => reverseNow(talk, receiptNumber, noteReceipt);
  const debts = createDebts({ log, store, reverse, askLast: askLastTransaction });

  return {
    get owesSomething() {
      return debts.any;
    },
    async meet(talk) {
      lastReceipt = (await askLastTransaction(talk))?.receiptNumber;
    },
    reverse,
    settle: debts.settle,
    async transact(talk, request, { stop, terminalId }) {
      await debts.settle(talk, terminalId);
      if (stop.asked) return { type: 'aborted' };
      const debt = debts.owe(request, { terminalId, receiptBefore: lastReceipt });
      let status: TransactionStatus | undefined;
      const prints = createReceiptCollector(talk.characterSet);
      const hear = (told: TransactionStatus) => {
        status = told;
        if (told.resultCode === results.APPROVED) debts.approved(debt, told.receiptNumber);
        noteReceipt(told);
      };
      const ending = await converse(talk, commandOf(request), { status: hear, print: prints.take }, stop);
      // Silence leaves the debt: what the terminal did is found out when it speaks again.
      if (ending.type === 'silent') throw silent();
      const outcome = outcomeOf(ending, status, prints.receipt());
      const isLate = outcome.type === 'approved' && stop.asked;
      const wrong = outcome.type === 'approved' ? wrongWith(outcome.status, request) : undefined;
      if (isLate || wrong || isInDoubt(ending, outcome, status)) await debts.settle(talk, terminalId);
      else debts.forget(debt);
      if (wrong && !isLate) throw new Fault('reader', wrong);
      return isLate ? { type: 'aborted' } : outcome;
    },
  };
}

/** Why an approval may not stand: it is not of what was asked for, or could never be taken back. */
function wrongWith(
  { amountMinor, currency, receiptNumber }: TransactionStatus,
  request: CardRequest,
): string | undefined {
  if (amountMinor !== undefined && amountMinor !== request.amountMinor) {
    return 'the terminal approved another amount than it was asked for';
  }
  if (currency !== undefined && currency !== commands.currencyNumber(request.currency)) {
    return 'the terminal approved another currency than it was asked for';
  }
  return receiptNumber === undefined ? 'the terminal approved without a receipt number' : undefined;
}

function commandOf({ type, amountMinor, currency }: CardRequest) {
  return type === 'Refund'
    ? commands.refund(amountMinor, currency)
    : commands.authorisation(amountMinor, currency);
}

/**
 * Something that the terminal began by itself, or that an agent before us began.
 * @returns the receipt number of what it approved.
 */
export async function hearUnasked(talk: Talk, frame: ZvtFrame): Promise<number | undefined> {
  await talk.heard(frame);
  let approved: number | undefined;
  const status = ({ resultCode, receiptNumber, amountMinor }: TransactionStatus) => {
    if (resultCode === results.APPROVED && amountMinor !== undefined) approved = receiptNumber;
  };
  await follow(talk, { status }, undefined, UNASKED_QUIET_MS);
  return approved;
}

/**
 * Takes a transaction back (06 30).
 * @returns the code with which the terminal refuses, if it does.
 */
async function reverseNow(
  talk: Talk,
  receiptNumber: number,
  hear: (status: TransactionStatus) => void,
): Promise<number | undefined> {
  let status: TransactionStatus | undefined;
  const listener = { status: (heard: TransactionStatus) => hear((status = heard)) };
  const ending = await converse(talk, commands.reversal(receiptNumber), listener);
  if (ending.type === 'silent') throw silent();
  // It may be taken back or not: the next try is answered with 'already reversed', or done.
  if (ending.type === 'completed' && !status) {
    throw new Fault('reader', 'the terminal does not say what became of the reversal');
  }
  const code = ending.type === 'completed' ? (status?.resultCode ?? results.APPROVED) : ending.code;
  return code === results.APPROVED || code === results.ALREADY_REVERSED ? undefined : code;
}

/**
 * The last transaction that the terminal remembers (06 20); undefined when it says that it remembers none (06 1E
 * with 83). Whatever else it says, an approval may be behind it.
 * @throws Fault `reader` when the terminal does not say what its last transaction was, `timed_out` on silence.
 */
async function askLastTransaction(talk: Talk): Promise<TransactionStatus | undefined> {
  let last: TransactionStatus | undefined;
  const ending = await converse(talk, commands.repeatReceipt(), { status: (status) => (last = status) });
  if (ending.type === 'silent') throw silent();
  if (last) return last;
  if (ending.type === 'aborted' && ending.code === results.FUNCTION_NOT_POSSIBLE) return undefined;
  const why =
    ending.type === 'completed' ? 'it sends no status information' : results.resultText(ending.code);
  throw new Fault('reader', `the terminal does not report its last receipt: ${why}`);
}

/** It is over, but whether it took money was not heard, or was heard otherwise before. */
function isInDoubt(
  ending: Ending,
  outcome: TransactionOutcome,
  status: TransactionStatus | undefined,
): boolean {
  if (outcome.type === 'approved') return false;
  const told = status?.resultCode;
  return told === undefined ? ending.type === 'completed' : told === results.APPROVED;
}

function outcomeOf(
  ending: Exclude<Ending, { type: 'silent' }>,
  status: TransactionStatus | undefined,
  receipt: DeviceReceipt | undefined,
): TransactionOutcome {
  const told = status?.resultCode;
  if (ending.type === 'completed' && status && told === results.APPROVED) {
    return { type: 'approved', status, receipt };
  }
  // The status says it more exactly than the abort that follows it.
  const later = ending.type === 'completed' ? undefined : ending.code;
  const code = told && told !== results.ABORTED_BY_HAND ? told : (later ?? told ?? results.PROTOCOL_ERROR);
  if (code === results.ABORTED_BY_HAND) return { type: 'aborted' };
  return { type: 'declined', code, text: results.resultText(code) };
}

export function silent(): Fault {
  return new Fault('timed_out', 'the terminal does not answer');
}
