import { messageOf } from '../../../protocol/failures.ts';
import type { Log } from '../../../protocol/log.ts';
import type { PendingReversal, PendingReversalStore } from '../pending-reversal-store.ts';
import type { CardRequest, DeviceReversal } from '../reader.ts';
import { findMismatch } from './own-status.ts';
import * as resultCodes from './result-codes.ts';
import { referenceOf, type TransactionStatus } from './status-information.ts';
import type { TransportLayer } from './transport-layer.ts';

interface PendingReversalsParts {
  log: Log;
  store: PendingReversalStore;
  /** Reverses a transaction. @returns the result code if the terminal refuses, undefined if it is reversed. */
  reverse(transport: TransportLayer, receiptNumber: number): Promise<number | undefined>;
  /** Queries the last transaction that the terminal stores. */
  queryLast(transport: TransportLayer): Promise<TransactionStatus | undefined>;
  onReversal?: ((reversal: DeviceReversal) => void) | undefined;
}

/** Transactions of a terminal that must be reversed, or whose outcome must be determined first. */
interface PendingReversals {
  readonly hasAny: boolean;
  /** Stores a transaction before it starts. @throws Fault `journal`; the transaction must not start then. */
  add(
    request: CardRequest,
    before: { terminalId: string | undefined; receiptBefore: number | undefined },
  ): PendingReversal;
  /** Notes an approval. One of another amount is reversed only if it is the last receipt of the terminal. */
  markApproved(
    reversal: PendingReversal,
    approval: { receiptNumber: number | undefined; otherAmount: PendingReversal['otherAmount'] },
  ): void;
  /** Returns the transaction that an unrequested approval may belong to: of the same amount, and not one before it. */
  find(approval: TransactionStatus, terminalId: string | undefined): PendingReversal | undefined;
  remove(reversal: PendingReversal): void;
  /** Resolves all pending reversals of this terminal. One that is refused or fails stays pending. @throws Fault. */
  reverseAll(transport: TransportLayer, terminalId: string | undefined): Promise<void>;
}

/** @throws Fault `journal` when the stored reversals cannot be read. */
export function createPendingReversals({
  log,
  store,
  reverse,
  queryLast,
  onReversal,
}: PendingReversalsParts): PendingReversals {
  const pendingReversals = store.load();
  /** Saves after a change. The transaction has happened by then, so a failure is only logged. */
  const save = () => {
    try {
      store.save(pendingReversals);
    } catch (error) {
      log.error({ reason: messageOf(error) }, 'the pending reversals could not be saved');
    }
  };
  const remove = (reversal: PendingReversal) => {
    pendingReversals.splice(pendingReversals.indexOf(reversal), 1);
    save();
  };

  /** Returns those of a terminal; a terminal without an id may have any. */
  const at = (terminalId: string | undefined) =>
    pendingReversals.filter((reversal) => (reversal.terminalId ?? terminalId) === terminalId);

  /** Returns whether a transaction is resolved, or can never be. */
  const resolveOne = async (transport: TransportLayer, reversal: PendingReversal): Promise<boolean> => {
    const receiptNumber = reversal.receiptNumber ?? findReceipt(await queryLast(transport), reversal);
    if (receiptNumber === undefined) {
      reportWithoutReceipt({ log, onReversal }, reversal);
      return true;
    }
    // Saved before the reversal, whose own receipt replaces this one as the last.
    reversal.receiptNumber = receiptNumber;
    save();
    const refused = await reverse(transport, receiptNumber);
    // Before it is removed, so that it is reported also if the power is cut in between: a second reversal is answered as
    // done.
    reportOutcome({ log, onReversal }, reversal, { receiptNumber, refused });
    return refused === undefined || refused === resultCodes.REVERSAL_NOT_POSSIBLE;
  };

  return {
    get hasAny() {
      return pendingReversals.length > 0;
    },
    add({ actionId, type, amountMinor, currency }, { terminalId, receiptBefore }) {
      const reversal: PendingReversal = {
        request: { actionId, type, amountMinor, currency },
        ...(terminalId !== undefined && { terminalId }),
        ...(receiptBefore !== undefined && { receiptBefore }),
      };
      store.save([...pendingReversals, reversal]);
      pendingReversals.push(reversal);
      return reversal;
    },
    markApproved(reversal, approval) {
      noteApproval(reversal, approval);
      save();
    },
    find: (approval, terminalId) => at(terminalId).find((reversal) => mayBeOf(approval, reversal)),
    remove,
    async reverseAll(transport, terminalId) {
      for (const reversal of at(terminalId)) {
        if (await resolveOne(transport, reversal)) remove(reversal);
      }
    },
  };
}

type Listeners = Pick<PendingReversalsParts, 'log' | 'onReversal'>;

/** @param outcome.refused result code of the terminal when it refuses, undefined when it has reversed */
function reportOutcome(
  { log, onReversal }: Listeners,
  reversal: PendingReversal,
  { receiptNumber, refused }: { receiptNumber: number; refused: number | undefined },
): void {
  const { actionId } = reversal.request;
  const reference = referenceOf(receiptNumber, reversal.terminalId);
  const transaction = { ...transactionOf(reversal), reference };
  if (refused === undefined) {
    log.warn({ actionId, receiptNumber }, 'an interrupted transaction was reversed');
    return onReversal?.({ ...transaction, outcome: 'Reversed' });
  }
  const reason = resultCodes.resultText(refused);
  log.error({ actionId, receiptNumber, reason }, 'an interrupted transaction could not be reversed');
  onReversal?.({ ...transaction, outcome: 'NotReversed', reason });
}

function reportWithoutReceipt({ log, onReversal }: Listeners, reversal: PendingReversal): void {
  const { actionId } = reversal.request;
  if (!reversal.approved) return log.info({ actionId }, 'the interrupted transaction was not approved');
  log.error({ actionId }, 'an approval without a receipt number cannot be reversed');
  const reason = 'the terminal approved without a receipt number';
  onReversal?.({ ...transactionOf(reversal), outcome: 'NotReversed', reason });
}

/** Returns the transaction of a pending reversal, as the terminal approved it. */
function transactionOf({ request, otherAmount }: PendingReversal) {
  const { actionId, amountMinor, currency } = request;
  return { actionId, amountMinor, currency, ...otherAmount };
}

function noteApproval(
  reversal: PendingReversal,
  { receiptNumber, otherAmount }: Parameters<PendingReversals['markApproved']>[1],
): void {
  reversal.approved = true;
  delete reversal.receiptNumber;
  delete reversal.otherAmountReceipt;
  delete reversal.otherAmount;
  if (otherAmount) reversal.otherAmount = otherAmount;
  if (receiptNumber !== undefined)
    reversal[otherAmount ? 'otherAmountReceipt' : 'receiptNumber'] = receiptNumber;
}

/** Returns whether an approval may be of an interrupted transaction: a new receipt of the same amount and currency. */
function mayBeOf(approval: TransactionStatus, reversal: PendingReversal): boolean {
  const { receiptNumber } = approval;
  const isNew = reversal.receiptBefore !== receiptNumber;
  const isSame = (reversal.receiptNumber ?? receiptNumber) === receiptNumber;
  return isNew && isSame && findMismatch(approval, reversal.request) === undefined;
}

/**
 * Returns the receipt number of an interrupted transaction if `last` is its receipt: new, approved, and of the same
 * amount or reported during the transaction.
 */
function findReceipt(last: TransactionStatus | undefined, reversal: PendingReversal): number | undefined {
  const isOld = last?.receiptNumber !== undefined && last.receiptNumber === reversal.receiptBefore;
  if (!last || isOld) return undefined;
  if (last.receiptNumber !== undefined && last.receiptNumber === reversal.otherAmountReceipt)
    return last.receiptNumber;
  // A field that the terminal omits is taken as matching: it refuses a reversal of what it did not approve.
  const isApproved = (last.resultCode ?? resultCodes.APPROVED) === resultCodes.APPROVED;
  const amountMinor = last.amountMinor ?? reversal.request.amountMinor;
  if (!isApproved || amountMinor !== reversal.request.amountMinor) return undefined;
  reversal.approved = true;
  return last.receiptNumber;
}
