import type { Log } from '../../../protocol/log.ts';
import type { CardRequest } from '../reader.ts';
import { currencyNumber } from './commands.ts';
import { APPROVED } from './result-codes.ts';
import type { TransactionStatus } from './status-information.ts';

// Receipt numbers have four digits and start again after 9999.
const RECEIPT_NUMBERS = 10_000;
const REMEMBERED_RECEIPTS = 1_000;

/** Receipts that the terminal reported for earlier transactions. */
interface EarlierReceipts {
  /** Number of the last receipt, if the terminal reported one. */
  readonly last: number | undefined;
  /** Notes the receipt of a transaction that has ended. */
  add(status: TransactionStatus): void;
  /** Notes a receipt that is not the last one. */
  addOlder(status: TransactionStatus): void;
  /** Returns whether a status repeats an earlier receipt: the same number, and the same time where both have one. */
  includes(status: TransactionStatus): boolean;
}

export function createEarlierReceipts(): EarlierReceipts {
  const times = new Map<number, string | undefined>();
  let last: number | undefined;
  const addOlder = ({ receiptNumber, time }: TransactionStatus) => {
    if (receiptNumber === undefined) return;
    times.delete(receiptNumber);
    times.set(receiptNumber, time);
    if (times.size > REMEMBERED_RECEIPTS) times.delete(times.keys().next().value!);
  };
  return {
    get last() {
      return last;
    },
    add(status) {
      last = status.receiptNumber ?? last;
      addOlder(status);
    },
    addOlder,
    includes({ receiptNumber, time }) {
      if (receiptNumber === undefined || !times.has(receiptNumber)) return false;
      const known = times.get(receiptNumber);
      return known === undefined || time === undefined || known === time;
    },
  };
}

/** Returns why a status is not one of the request; undefined when it may be. A member that is missing may match. */
export function findMismatch(
  { amountMinor, currency }: TransactionStatus,
  request: Pick<CardRequest, 'amountMinor' | 'currency'>,
): 'amount' | 'currency' | undefined {
  if (amountMinor !== undefined && amountMinor !== request.amountMinor) return 'amount';
  if (currency !== undefined && currency !== currencyNumber(request.currency)) return 'currency';
  return undefined;
}

/** The status information of the transaction that runs, chosen among all that the terminal sends meanwhile. */
interface OwnStatus {
  readonly status: TransactionStatus | undefined;
  /** Takes a status that arrived. Returns the status of the transaction as it is known now. */
  take(received: TransactionStatus): TransactionStatus | undefined;
  /** Notes all receipts as earlier ones, when the transaction has ended. */
  end(): void;
}

/**
 * Chooses the status of a transaction. A terminal may send that of another one again at any time: one with an earlier
 * receipt is logged and ignored. Of two new receipts the one with the requested amount and currency belongs to the
 * transaction, then the later one.
 * @param request undefined for a reversal, whose amount the terminal knows.
 */
export function createOwnStatus({
  request,
  receipts,
  log,
}: {
  request: Pick<CardRequest, 'amountMinor' | 'currency'> | undefined;
  receipts: EarlierReceipts;
  log: Log;
}): OwnStatus {
  const others: TransactionStatus[] = [];
  let own: TransactionStatus | undefined;
  const matches = (status: TransactionStatus) => !request || findMismatch(status, request) === undefined;
  const ignore = (status: TransactionStatus) => {
    others.push(status);
    const { receiptNumber, amountMinor } = status;
    log.warn({ receiptNumber, amountMinor }, 'the terminal sent the status of another transaction');
  };
  return {
    get status() {
      return own;
    },
    take(received) {
      if (receipts.includes(received)) ignore(received);
      else if (!own || isSameTransaction(own, received)) own = received;
      else {
        const isOwn = matches(received) === matches(own) ? isLater(received, own) : matches(received);
        ignore(isOwn ? own : received);
        if (isOwn) own = received;
      }
      return own;
    },
    end() {
      for (const other of others) receipts.addOlder(other);
      if (own) receipts.add(own);
    },
  };
}

/** Whether two statuses are of one transaction: the same receipt, or no receipt and no other amount. */
function isSameTransaction(one: TransactionStatus, other: TransactionStatus): boolean {
  if (one.receiptNumber !== undefined && other.receiptNumber !== undefined)
    return one.receiptNumber === other.receiptNumber;
  const isRefused = one.resultCode !== APPROVED || other.resultCode !== APPROVED;
  return isRefused || (one.amountMinor ?? other.amountMinor) === (other.amountMinor ?? one.amountMinor);
}

function isLater(received: TransactionStatus, own: TransactionStatus): boolean {
  if (received.time !== undefined && own.time !== undefined && received.time !== own.time)
    return received.time > own.time;
  const ahead = (received.receiptNumber ?? 0) - (own.receiptNumber ?? 0);
  return (ahead + RECEIPT_NUMBERS) % RECEIPT_NUMBERS < RECEIPT_NUMBERS / 2;
}
