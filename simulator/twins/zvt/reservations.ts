import { RESULT } from './codes.ts';
import { fixedField, packed, packedNumber } from './fields.ts';
import { tellResult, type Work } from './job.ts';
import { record, type Memory, type Transaction } from './memory.ts';
import * as telling from './outgoing-messages.ts';

/** Receipt number FFFF: the cash register asks which reservations are open, and is answered FFFF for none. */
const WHICH = 'FFFF';

/**
 * 06 23, 06 24: books a reservation, for its amount or a part of it; the rest is the cardholder's again. With receipt
 * number FFFF it reports an open one (06 1E with B8).
 */
export const book: Work = async (parts, job) => {
  const { memory, clock } = parts;
  const receipt = job.fields.get(0x87);
  if (receipt && Buffer.from(receipt).toString('hex').toUpperCase() === WHICH) return openOne(memory);
  const number = packedNumber(receipt);
  const reservation = open(memory).find(({ receiptNumber }) => receiptNumber === number);
  const amountMinor = packedNumber(job.fields.get(0x04)) ?? reservation?.amountMinor;
  if (!reservation || !amountMinor || amountMinor > reservation.amountMinor) {
    return telling.aborted(RESULT.reservationWrong);
  }
  // It holds no money any more, as one that is reversed.
  reservation.reversed = true;
  const { currency, card, authorisationCode } = reservation;
  const made = { kind: 'payment' as const, amountMinor, currency, card, authorisationCode };
  return tellResult(
    parts,
    job,
    record(memory, { ...made, resultCode: RESULT.approved, atMs: clock.nowMs() }),
  );
};

function open({ journal }: Memory): Transaction[] {
  return journal.filter(
    ({ kind, reversed, resultCode }) => kind === 'reservation' && !reversed && resultCode === RESULT.approved,
  );
}

function openOne(memory: Memory): ReturnType<typeof telling.aborted> {
  const receipt = open(memory)[0]?.receiptNumber ?? WHICH;
  return telling.aborted(RESULT.openReservation, fixedField(0x87, packed(receipt, 2)));
}
