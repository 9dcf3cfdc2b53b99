import { Fault } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { PendingReversal, PendingReversalStore } from '../pending-reversal-store.ts';
import type { CardRequest, DeviceReceipt, DeviceReversal } from '../reader.ts';
import * as commands from './commands.ts';
import {
  exchangeCommand,
  awaitCompletion,
  type CommandResult,
  type AbortRequest,
} from './command-exchange.ts';
import type { ZvtFrame } from './frame.ts';
import { createEarlierReceipts, createOwnStatus, findMismatch } from './own-status.ts';
import { createPendingReversals } from './pending-reversals.ts';
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
  /** Reads the number of the last receipt, on a new connection; undefined when the terminal stores none. */
  syncLastReceipt(transport: TransportLayer): Promise<number | undefined>;
  /** Runs a payment or refund. @throws Fault when the outcome is unknown; `reversePending` resolves it later. */
  transact(
    transport: TransportLayer,
    request: CardRequest,
    at: { stop: AbortRequest; terminalId: string | undefined },
  ): Promise<TransactionOutcome>;
  /** Reverses a transaction. @returns the result code if the terminal refuses, undefined if it is reversed. */
  reverse(transport: TransportLayer, receiptNumber: number): Promise<number | undefined>;
  /**
   * Handles a status that arrives outside a transaction. An approval is reversed if it is of an interrupted
   * transaction, else only logged: it may be of a payment that was captured, or of one that was started at the terminal.
   */
  takeUnsolicited(
    transport: TransportLayer,
    frame: ZvtFrame,
    at: { terminalId: string | undefined; readOnly: boolean },
  ): Promise<void>;
  /** Determines the outcome of interrupted transactions and reverses those that were approved. */
  reversePending(transport: TransportLayer, terminalId: string | undefined): Promise<void>;
}

/** @throws Fault `journal` when the stored reversals cannot be read. */
export function createTransactions(
  log: Log,
  store: PendingReversalStore,
  onReversal?: (reversal: DeviceReversal) => void,
): Transactions {
  const receipts = createEarlierReceipts();
  const reverse = (transport: TransportLayer, receiptNumber: number) =>
    reverseNow(transport, receiptNumber, createOwnStatus({ request: undefined, receipts, log }));
  const pendingReversals = createPendingReversals({ log, store, reverse, queryLast, onReversal });

  return {
    get hasPendingReversals() {
      return pendingReversals.hasAny;
    },
    async syncLastReceipt(transport) {
      const last = await queryLast(transport);
      if (last) receipts.add(last);
      return last?.receiptNumber;
    },
    reverse,
    reversePending: pendingReversals.reverseAll,
    async takeUnsolicited(transport, frame, { terminalId, readOnly }) {
      const approval = await followUnsolicited(transport, frame);
      if (!approval || readOnly) return;
      const { receiptNumber, amountMinor } = approval;
      const isEarlier = receipts.includes(approval);
      const reversal = isEarlier ? undefined : pendingReversals.find(approval, terminalId);
      if (!isEarlier) receipts.add(approval);
      if (!reversal) {
        log.warn(
          { receiptNumber, amountMinor },
          'the terminal reported an approval that no action requested',
        );
        return;
      }
      pendingReversals.markApproved(reversal, { receiptNumber, otherAmount: undefined });
      await pendingReversals.reverseAll(transport, terminalId);
    },
    async transact(transport, request, { stop, terminalId }) {
      await pendingReversals.reverseAll(transport, terminalId);
      if (stop.requested) return { type: 'aborted' };
      const reversal = pendingReversals.add(request, { terminalId, receiptBefore: receipts.last });
      const own = createOwnStatus({ request, receipts, log });
      const prints = createReceiptCollector(transport.characterSet);
      const onStatus = (received: TransactionStatus) => {
        const status = own.take(received);
        if (status?.resultCode !== resultCodes.APPROVED) return;
        const otherAmount = otherAmountOf(status, request);
        pendingReversals.markApproved(reversal, { receiptNumber: status.receiptNumber, otherAmount });
      };
      const result = await exchangeCommand(
        transport,
        commandOf(request),
        { status: onStatus, print: prints.take },
        stop,
      ).finally(() => own.end());
      // Without a response the reversal stays pending, and is resolved when the terminal is back.
      if (result.type === 'noResponse') throw noResponse();
      const { status } = own;
      const outcome = outcomeOf(result, status, prints.receipt());
      const isLate = outcome.type === 'approved' && stop.requested;
      const wrong = outcome.type === 'approved' ? invalidApproval(outcome.status, request) : undefined;
      if (isLate || wrong || isUncertain(result, outcome, status))
        await pendingReversals.reverseAll(transport, terminalId);
      else pendingReversals.remove(reversal);
      if (wrong && !isLate) throw new Fault('reader', wrong);
      return isLate ? { type: 'aborted' } : outcome;
    },
  };
}

/** Returns why an approval is invalid: it differs from the request, or could not be reversed. */
function invalidApproval(status: TransactionStatus, request: CardRequest): string | undefined {
  const mismatch = findMismatch(status, request);
  if (mismatch) return `the terminal approved another ${mismatch} than requested`;
  return status.receiptNumber === undefined ? 'the terminal approved without a receipt number' : undefined;
}

/** Returns what was approved instead of what was requested; undefined when that is the same. */
function otherAmountOf(status: TransactionStatus, request: CardRequest): PendingReversal['otherAmount'] {
  if (findMismatch(status, request) === undefined) return undefined;
  const { amountMinor = request.amountMinor, currency } = status;
  return { amountMinor, currency: currency === undefined ? request.currency : commands.currencyOf(currency) };
}

function commandOf({ type, amountMinor, currency }: CardRequest) {
  return type === 'Refund'
    ? commands.refund(amountMinor, currency)
    : commands.authorisation(amountMinor, currency);
}

/**
 * Handles a command that the terminal, or an earlier agent process, started.
 * @returns its status if it was approved.
 */
async function followUnsolicited(
  transport: TransportLayer,
  frame: ZvtFrame,
): Promise<TransactionStatus | undefined> {
  await transport.accept(frame);
  let approved: TransactionStatus | undefined;
  const status = (received: TransactionStatus) => {
    if (received.resultCode === resultCodes.APPROVED && received.amountMinor !== undefined)
      approved = received;
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
  own: ReturnType<typeof createOwnStatus>,
): Promise<number | undefined> {
  const listener = { status: (received: TransactionStatus) => void own.take(received) };
  const result = await exchangeCommand(transport, commands.reversal(receiptNumber), listener).finally(() =>
    own.end(),
  );
  const { status } = own;
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
async function queryLast(transport: TransportLayer): Promise<TransactionStatus | undefined> {
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
  if (statusCode !== undefined) return statusCode === resultCodes.APPROVED;
  // So a terminal without a receipt also ends the question for it, and that may be what came again.
  const mayBeEarlier = result.type === 'aborted' && result.code === resultCodes.FUNCTION_NOT_POSSIBLE;
  return result.type === 'completed' || mayBeEarlier;
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
