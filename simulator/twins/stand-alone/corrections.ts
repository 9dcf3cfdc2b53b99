import { openReservations, record, type TerminalMemory, type Transaction } from './journal.ts';
import type { TerminalReport } from './terminal-language.ts';

/**
 * Marks a transaction as reversed and records the reversal: that with this receipt number, or the last one. A part of its
 * amount is recorded as a refund, and the transaction stands.
 */
export function reverseTransaction(
  memory: TerminalMemory,
  { receiptNumber, amountMinor }: { receiptNumber?: number | undefined; amountMinor?: number | undefined },
  atMs: number,
): TerminalReport {
  const original =
    receiptNumber === undefined
      ? memory.last
      : memory.journal.find((made) => made.receiptNumber === receiptNumber && made.kind !== 'reversal');
  if (!original || original.kind === 'reversal' || original.resultCode !== 0)
    return { type: 'refused', reason: 'notReversible' };
  if (original.reversed) return { type: 'refused', reason: 'alreadyReversed' };
  const partMinor = amountMinor ?? original.amountMinor;
  if (partMinor > original.amountMinor) return { type: 'refused', reason: 'badAmount' };
  if (partMinor < original.amountMinor)
    return {
      type: 'result',
      transaction: follow(memory, original, { kind: 'refund', amountMinor: partMinor, atMs }),
    };
  original.reversed = true;
  return { type: 'result', transaction: follow(memory, original, { kind: 'reversal', atMs }) };
}

/** Books a reservation, for all or part of its amount, and releases the rest. */
export function bookReservation(
  memory: TerminalMemory,
  asked: { receiptNumber: number | undefined; amountMinor: number | undefined },
  atMs: number,
): TerminalReport {
  const reservation = openReservations(memory).find(
    ({ receiptNumber }) => receiptNumber === asked.receiptNumber,
  );
  const amountMinor = asked.amountMinor ?? reservation?.amountMinor;
  if (!reservation || !amountMinor || amountMinor > reservation.amountMinor)
    return { type: 'refused', reason: 'reservationWrong' };
  // A booked reservation holds no money, like a reversed one.
  reservation.reversed = true;
  return { type: 'result', transaction: follow(memory, reservation, { kind: 'payment', amountMinor, atMs }) };
}

/** Adds an amount to a reservation, which keeps its receipt number. */
export function extendReservation(
  memory: TerminalMemory,
  { receiptNumber, amountMinor }: { receiptNumber: number; amountMinor: number },
  atMs: number,
): TerminalReport {
  const reservation = openReservations(memory).find((made) => made.receiptNumber === receiptNumber);
  if (!reservation || !(amountMinor > 0)) return { type: 'refused', reason: 'reservationWrong' };
  reservation.amountMinor += amountMinor;
  return { type: 'result', transaction: { ...reservation, amountMinor, atMs } };
}

/** Records an approved transaction with the card and authorisation of another. */
function follow(
  memory: TerminalMemory,
  { amountMinor, currency, card, authorisationCode }: Transaction,
  made: Pick<Transaction, 'kind' | 'atMs'> & Partial<Transaction>,
): Transaction {
  return record(memory, { amountMinor, currency, card, authorisationCode, resultCode: 0, ...made });
}
