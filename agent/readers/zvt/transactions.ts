import { Fault } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { CardRequest, DeviceReceipt } from '../reader.ts';
import * as commands from './commands.ts';
import { converse, follow, type Ending, type Stop } from './conversation.ts';
import type { ZvtFrame } from './parser.ts';
import { createReceiptCollector } from './receipt.ts';
import * as results from './results.ts';
import type { TransactionStatus } from './status-information.ts';
import type { Talk } from './talk.ts';

export type TransactionOutcome =
  | { type: 'approved'; status: TransactionStatus; receipt: DeviceReceipt | undefined }
  | { type: 'declined'; code: number; text: string }
  /** Somebody pressed cancel at the terminal, its own time was up, or we aborted it. */
  | { type: 'aborted' };

/**
 * A transaction of which nobody knows whether it took money, or which took money that nobody wants. It is taken
 * back as soon as the terminal can be asked.
 */
interface Debt {
  request: CardRequest;
  receiptNumber: number | undefined;
  /** The last receipt before it, by which its own is told. */
  receiptBefore: number | undefined;
}

// After something unasked, whether more of it comes.
const UNASKED_QUIET_MS = 10_000;

/** The transactions at one terminal, and what is still to be taken back there. */
export interface Transactions {
  readonly owesSomething: boolean;
  /** Learns which receipt was the last one, on a line that was just opened. */
  meet(talk: Talk): Promise<void>;
  /** @throws Fault when the outcome is not known; `settle` finds it out. */
  transact(talk: Talk, request: CardRequest, stop: Stop): Promise<TransactionOutcome>;
  /** Takes a transaction back. @returns the code with which the terminal refuses, if it does. */
  reverse(talk: Talk, receiptNumber: number): Promise<number | undefined>;
  /** Finds out what interrupted transactions came to, and takes back what nobody waits for. */
  settle(talk: Talk): Promise<void>;
}

export function createTransactions(log: Log): Transactions {
  const debts: Debt[] = [];
  let lastReceipt: number | undefined;

  // Every receipt moves the number on, that of a reversal too.
  const noteReceipt = ({ receiptNumber }: TransactionStatus) => (lastReceipt = receiptNumber ?? lastReceipt);
  const reverse = (talk: Talk, receiptNumber: number) => reverseNow(talk, receiptNumber, noteReceipt);

  /** The receipt of an interrupted transaction: a new one, approved, for its amount. */
  const findReceipt = async (talk: Talk, debt: Debt): Promise<number | undefined> => {
    const last = await askLastTransaction(talk);
    if (last?.resultCode !== results.APPROVED || last.amountMinor !== debt.request.amountMinor)
      return undefined;
    return last.receiptNumber === debt.receiptBefore ? undefined : last.receiptNumber;
  };

  /** Whether a debt is settled, or never can be. */
  const settleOne = async (talk: Talk, debt: Debt): Promise<boolean> => {
    const { actionId } = debt.request;
    debt.receiptNumber ??= await findReceipt(talk, debt);
    const { receiptNumber } = debt;
    if (receiptNumber === undefined) {
      log.info({ actionId }, 'the interrupted transaction took no money');
      return true;
    }
    const refused = await reverse(talk, receiptNumber);
    if (refused === undefined) {
      log.warn({ actionId, receiptNumber }, 'a transaction that nobody waits for was taken back');
      return true;
    }
    const reason = results.resultText(refused);
    log.error({ actionId, receiptNumber, reason }, 'a transaction that nobody waits for was not taken back');
    return refused === results.REVERSAL_NOT_POSSIBLE;
  };

  const settle = async (talk: Talk): Promise<void> => {
    const open = debts.splice(0);
    while (open.length > 0) {
      const debt = open[0]!;
      // What is not settled, or not before the line goes, is owed on.
      debts.push(debt);
      if (await settleOne(talk, debt)) debts.splice(debts.indexOf(debt), 1);
      open.shift();
    }
  };

  return {
    get owesSomething() {
      return debts.length > 0;
    },
    async meet(talk) {
      lastReceipt = (await askLastTransaction(talk))?.receiptNumber;
    },
    reverse,
    settle,
    async transact(talk, request, stop) {
      await settle(talk);
      if (stop.asked) return { type: 'aborted' };
      const debt: Debt = { request, receiptNumber: undefined, receiptBefore: lastReceipt };
      debts.push(debt);
      let status: TransactionStatus | undefined;
      const prints = createReceiptCollector();
      const hear = (told: TransactionStatus) => {
        status = told;
        if (told.resultCode === results.APPROVED) debt.receiptNumber = told.receiptNumber;
        noteReceipt(told);
      };
      const ending = await converse(talk, commandOf(request), { status: hear, print: prints.take }, stop);
      // Silence leaves the debt: what the terminal did is found out when it speaks again.
      if (ending.type === 'silent') throw silent();
      const outcome = outcomeOf(ending, status, prints.receipt());
      const isLate = outcome.type === 'approved' && stop.asked;
      if (isLate || isInDoubt(ending, outcome, status)) await settle(talk);
      else debts.splice(debts.indexOf(debt), 1);
      return isLate ? { type: 'aborted' } : outcome;
    },
  };
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
  let told: number | undefined;
  const status = (heard: TransactionStatus) => {
    told = heard.resultCode;
    hear(heard);
  };
  const ending = await converse(talk, commands.reversal(receiptNumber), { status });
  if (ending.type === 'silent') throw silent();
  const code = ending.type === 'completed' ? (told ?? results.APPROVED) : ending.code;
  return code === results.APPROVED || code === results.ALREADY_REVERSED ? undefined : code;
}

/** What became of the last transaction (06 20), if the terminal remembers one. */
async function askLastTransaction(talk: Talk): Promise<TransactionStatus | undefined> {
  let last: TransactionStatus | undefined;
  const ending = await converse(talk, commands.repeatReceipt(), { status: (status) => (last = status) });
  if (ending.type === 'silent') throw silent();
  return last;
}

/** It is over, but whether it took money was not heard, or was heard otherwise before. */
function isInDoubt(
  ending: Ending,
  outcome: TransactionOutcome,
  status: TransactionStatus | undefined,
): boolean {
  if (outcome.type === 'approved') return false;
  return status ? status.resultCode === results.APPROVED : ending.type === 'completed';
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
