import { Fault } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { PendingReversalStore } from '../pending-reversal-store.ts';
import type { CardRequest, DeviceReceipt } from '../reader.ts';
import * as commands from './commands.ts';
import {
  exchangeCommand,
  awaitCompletion,
  type CommandResult,
  type AbortRequest,
} from './command-exchange.ts';
import { createPendingReversals } from './pending-reversals.ts';
import type { ZvtFrame } from './parser.ts';
import { createReceiptCollector } from './receipt.ts';
import * as resultCodes from './result-codes.ts';
import type { TransactionStatus } from './status-information.ts';
import type { TransportLayer } from './transport-layer.ts';

export type TransactionOutcome =
  | { type: 'approved'; status: TransactionStatus; receipt: DeviceReceipt | undefined }
  | { type: 'declined'; code: number; text: string }
  /** Cancelled at the terminal, timed out there, or aborted by us. */
  | { type: 'aborted' };

// After an unsolicited message, the time to wait for another one.
const UNSOLICITED_QUIET_MS = 10_000;

/** Transactions of one terminal, and their pending reversals. */
export interface Transactions {
  readonly hasPendingReversals: boolean;
  /** Reads the number of the last receipt, on a new connection. */
  syncLastReceipt(transport: TransportLayer): Promise<void>;
  /** Runs a payment or refund. @throws Fault when the outcome is unknown; `reversePending` resolves it later. */
  transact(
    transport: TransportLayer,
    request: CardRequest,
    at: { stop: AbortRequest; terminalId: string | undefined },
  ): Promise<TransactionOutcome>;
  /** Reverses a transaction. @returns the result code if the terminal refuses, undefined if it is reversed. */
  reverse(transport: TransportLayer, receiptNumber: number): Promise<number | undefined>;
  /** Determines the outcome of interrupted transactions and reverses those that were approved. */
  reversePending(transport: TransportLayer, terminalId: string | undefined): Promise<void>;
}

/** @throws Fault `journal` when the stored reversals cannot be read. */
export function createTransactions(log: Log, store: PendingReversalStore): Transactions {
  let lastReceipt: number | undefined;
  // Every receipt has a new number, that of a reversal too.
  const noteReceipt = ({ receiptNumber }: TransactionStatus) => (lastReceipt = receiptNumber ?? lastReceipt);
  const reverse = (transport: TransportLayer, receiptNumber: number) =>
    reverseNow(transport, receiptNumber, noteReceipt);
  const pendingReversals = createPendingReversals({ log, store, reverse, queryLast: queryLastTransaction });

  return {
    get hasPendingReversals() {
      return pendingReversals.hasAny;
    },
    async syncLastReceipt(transport) {
      lastReceipt = (await queryLastTransaction(transport))?.receiptNumber;
    },
    reverse,
    reversePending: pendingReversals.reverseAll,
    async transact(transport, request, { stop, terminalId }) {
      await pendingReversals.reverseAll(transport, terminalId);
      if (stop.requested) return { type: 'aborted' };
      const reversal = pendingReversals.add(request, { terminalId, receiptBefore: lastReceipt });
      let status: TransactionStatus | undefined;
      const prints = createReceiptCollector(transport.characterSet);
      const onStatus = (received: TransactionStatus) => {
        status = received;
        if (received.resultCode === resultCodes.APPROVED) {
          pendingReversals.markApproved(reversal, received.receiptNumber);
        }
        noteReceipt(received);
      };
      const result = await exchangeCommand(
        transport,
        commandOf(request),
        { status: onStatus, print: prints.take },
        stop,
      );
      // Without a response the reversal stays pending, and is resolved when the terminal is back.
      if (result.type === 'noResponse') throw noResponse();
      const outcome = outcomeOf(result, status, prints.receipt());
      const isLate = outcome.type === 'approved' && stop.requested;
      const wrong = outcome.type === 'approved' ? findMismatch(outcome.status, request) : undefined;
      if (isLate || wrong || isUncertain(result, outcome, status))
        await pendingReversals.reverseAll(transport, terminalId);
      else pendingReversals.remove(reversal);
      if (wrong && !isLate) throw new Fault('reader', wrong);
      return isLate ? { type: 'aborted' } : outcome;
    },
  };
}

/** Returns why an approval is invalid: it differs from the request, or could not be reversed. */
function findMismatch(
  { amountMinor, currency, receiptNumber }: TransactionStatus,
  request: CardRequest,
): string | undefined {
  if (amountMinor !== undefined && amountMinor !== request.amountMinor) {
    return 'the terminal approved another amount than requested';
  }
  if (currency !== undefined && currency !== commands.currencyNumber(request.currency)) {
    return 'the terminal approved another currency than requested';
  }
  return receiptNumber === undefined ? 'the terminal approved without a receipt number' : undefined;
}

function commandOf({ type, amountMinor, currency }: CardRequest) {
  return type === 'Refund'
    ? commands.refund(amountMinor, currency)
    : commands.authorisation(amountMinor, currency);
}

/**
 * Handles a command that the terminal, or an earlier agent process, started.
 * @returns the receipt number if it was approved.
 */
export async function followUnsolicited(
  transport: TransportLayer,
  frame: ZvtFrame,
): Promise<number | undefined> {
  await transport.accept(frame);
  let approved: number | undefined;
  const status = ({ resultCode, receiptNumber, amountMinor }: TransactionStatus) => {
    if (resultCode === resultCodes.APPROVED && amountMinor !== undefined) approved = receiptNumber;
  };
  await awaitCompletion(transport, { status }, undefined, UNSOLICITED_QUIET_MS);
  return approved;
}

/**
 * Sends a reversal (06 30).
 * @returns the result code if the terminal refuses, undefined if the transaction is reversed.
 */
async function reverseNow(
  transport: TransportLayer,
  receiptNumber: number,
  onStatus: (status: TransactionStatus) => void,
): Promise<number | undefined> {
  let status: TransactionStatus | undefined;
  const listener = { status: (received: TransactionStatus) => onStatus((status = received)) };
  const result = await exchangeCommand(transport, commands.reversal(receiptNumber), listener);
  if (result.type === 'noResponse') throw noResponse();
  // The outcome is unknown. The next attempt reverses it, or gets 'already reversed'.
  if (result.type === 'completed' && !status) {
    throw new Fault('reader', 'the terminal does not report the outcome of the reversal');
  }
  const code = result.type === 'completed' ? (status?.resultCode ?? resultCodes.APPROVED) : result.code;
  return code === resultCodes.APPROVED || code === resultCodes.ALREADY_REVERSED ? undefined : code;
}

/**
 * Queries the last transaction that the terminal stores (06 20). Returns undefined when it stores none (06 1E with
 * 83). With any other response there may be an approval.
 * @throws Fault `reader` when the terminal does not report its last transaction, `timed_out` without a response.
 */
async function queryLastTransaction(transport: TransportLayer): Promise<TransactionStatus | undefined> {
  let last: TransactionStatus | undefined;
  const result = await exchangeCommand(transport, commands.repeatReceipt(), {
    status: (status) => (last = status),
  });
  if (result.type === 'noResponse') throw noResponse();
  if (last) return last;
  if (result.type === 'aborted' && result.code === resultCodes.FUNCTION_NOT_POSSIBLE) return undefined;
  const why =
    result.type === 'completed' ? 'it sends no status information' : resultCodes.resultText(result.code);
  throw new Fault('reader', `the terminal does not report its last receipt: ${why}`);
}

/** Returns whether the transaction ended without an outcome, or with one that contradicts an earlier status. */
function isUncertain(
  result: CommandResult,
  outcome: TransactionOutcome,
  status: TransactionStatus | undefined,
): boolean {
  if (outcome.type === 'approved') return false;
  const statusCode = status?.resultCode;
  return statusCode === undefined ? result.type === 'completed' : statusCode === resultCodes.APPROVED;
}

function outcomeOf(
  result: Exclude<CommandResult, { type: 'noResponse' }>,
  status: TransactionStatus | undefined,
  receipt: DeviceReceipt | undefined,
): TransactionOutcome {
  const statusCode = status?.resultCode;
  if (result.type === 'completed' && status && statusCode === resultCodes.APPROVED) {
    return { type: 'approved', status, receipt };
  }
  // The code of the status is more exact than that of the abort after it.
  const later = result.type === 'completed' ? undefined : result.code;
  const code =
    statusCode && statusCode !== resultCodes.ABORTED
      ? statusCode
      : (later ?? statusCode ?? resultCodes.PROTOCOL_ERROR);
  if (code === resultCodes.ABORTED) return { type: 'aborted' };
  return { type: 'declined', code, text: resultCodes.resultText(code) };
}

export function noResponse(): Fault {
  return new Fault('timed_out', 'the terminal does not answer');
}
