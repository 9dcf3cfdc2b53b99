import { RESULT } from './codes.ts';
import { fixedField, packed, packedNumber } from './fields.ts';
import { sendResult, type CommandHandler } from './command-context.ts';
import { record, type TerminalMemory, type Transaction } from './terminal-memory.ts';
import * as outgoingMessages from './outgoing-messages.ts';

/** Receipt number FFFF queries the open reservations. In the response it means that there is none. */
const WHICH = 'FFFF';

/**
 * Handles 06 23 and 06 24: books a reservation, for all or part of its amount, and releases the rest. With receipt
 * number FFFF it returns an open reservation (06 1E with B8).
 */
export const book: CommandHandler = async (parts, command) => {
  const { memory, clock } = parts;
  const receipt = command.fields.get(0x87);
  if (receipt && Buffer.from(receipt).toString('hex').toUpperCase() === WHICH) return openOne(memory);
  const number = packedNumber(receipt);
  const reservation = open(memory).find(({ receiptNumber }) => receiptNumber === number);
  const amountMinor = packedNumber(command.fields.get(0x04)) ?? reservation?.amountMinor;
  if (!reservation || !amountMinor || amountMinor > reservation.amountMinor) {
    return outgoingMessages.aborted(RESULT.reservationWrong);
  }
  // A booked reservation holds no money, like a reversed one.
  reservation.reversed = true;
  const { currency, card, authorisationCode } = reservation;
  const made = { kind: 'payment' as const, amountMinor, currency, card, authorisationCode };
  return sendResult(
    parts,
    command,
    record(memory, { ...made, resultCode: RESULT.approved, atMs: clock.nowMs() }),
  );
};

function open({ journal }: TerminalMemory): Transaction[] {
  return journal.filter(
    ({ kind, reversed, resultCode }) => kind === 'reservation' && !reversed && resultCode === RESULT.approved,
  );
}

function openOne(memory: TerminalMemory): ReturnType<typeof outgoingMessages.aborted> {
  const receipt = open(memory)[0]?.receiptNumber ?? WHICH;
  return outgoingMessages.aborted(RESULT.openReservation, fixedField(0x87, packed(receipt, 2)));
}
