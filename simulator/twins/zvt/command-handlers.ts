import { toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import {
  ENQUIRY_UNVERSIONED,
  ENQUIRY_WITH_CONTAINER,
  PROGRESS,
  REPEAT_UNPRINTED,
  REPEAT_WITH_STATUS,
  RESULT,
} from './apdu.ts';
import {
  ecrCapabilities,
  layoutOf,
  print,
  printCopies,
  sendResult,
  type CommandContext,
  type CommandHandler,
  type TerminalParts,
} from './command-context.ts';
import { CHARACTER_SETS, fixedField, packed, packedNumber, type Fields } from './fields.ts';
import * as outgoingMessages from './outgoing-messages.ts';
import { counts, endOfDayLines, reportLines, sumMinor, type Report } from './receipts.ts';
import type { Registration } from './registration.ts';
import { isTaken, progress, reversalOf, runSale, type SaleRequest } from './sale.ts';
import { record, type TerminalMemory, type Transaction } from './terminal-memory.ts';

const EURO = '0978';

/** Handles 06 01, 06 22 and 06 31. */
export function sale(kind: SaleRequest['kind']): CommandHandler {
  return async (parts, command) => {
    const amountMinor = packedNumber(command.fields.get(0x04));
    const currency = currencyIn(command.fields);
    if (!amountMinor) return outgoingMessages.aborted(RESULT.protocolError);
    if (!isTaken(currency)) return outgoingMessages.aborted(RESULT.wrongCurrency);
    command.setAbortable(true);
    const sendsIntermediateStatus = command.registration?.sendsIntermediateStatus ?? false;
    const committed = () => command.setAbortable(false);
    const made = await runSale(
      { ...parts, ecr: command.ecr, sendsIntermediateStatus, committed },
      { kind, amountMinor, currency },
    );
    return typeof made === 'number' ? outgoingMessages.aborted(made) : sendResult(parts, command, made);
  };
}

function currencyIn(fields: Fields): string {
  const value = fields.get(0x49);
  return value ? toHex(value) : EURO;
}

/** Handles 06 30. */
export const reverse: CommandHandler = async (parts, command) => {
  const number = packedNumber(command.fields.get(0x87));
  const original = parts.memory.journal.find(
    ({ receiptNumber, kind }) => receiptNumber === number && kind !== 'reversal',
  );
  if (!original || original.resultCode !== RESULT.approved)
    return outgoingMessages.aborted(RESULT.reversalNotPossible);
  if (original.reversed) return outgoingMessages.aborted(RESULT.alreadyReversed);
  return sendResult(parts, command, reversalOf(original, parts.memory, parts.clock.nowMs()));
};

/** Handles 06 20. Without a service byte it prints, and sends no status information (§2.20). */
export const repeatReceipt: CommandHandler = async (parts, command) => {
  const { last } = parts.memory;
  if (!last) return outgoingMessages.aborted(RESULT.functionNotPossible);
  const service = serviceByte(command);
  if (service & REPEAT_WITH_STATUS)
    await command.ecr.send(
      outgoingMessages.statusInformation(last, parts.memory.terminalId, ecrCapabilities(command)),
    );
  if (!(service & REPEAT_UNPRINTED)) await printCopies(parts, command, last);
  return outgoingMessages.completion();
};

/** Handles 05 01. Without a service byte it sends its software version, and no TLV container (§2.55). */
export const sendStatus: CommandHandler = async ({ clock, memory }, command) => {
  const service = serviceByte(command);
  return outgoingMessages.statusCompletion({
    withVersion: !(service & ENQUIRY_UNVERSIONED),
    withContainer: (service & ENQUIRY_WITH_CONTAINER) !== 0,
    terminalId: memory.terminalId,
    atMs: clock.nowMs(),
  });
};

const serviceByte = ({ fields }: CommandContext): number => fields.get(0x03)?.[0] ?? 0;

/** Handles 06 00. */
export const register: CommandHandler = async ({ memory }, { registration }) =>
  outgoingMessages.registrationCompletion(memory.terminalId, registration && negotiatedOptions(registration));

/** Encodes the character set in use (14) and the supported ones (27), for an ECR that has sent one (14). */
function negotiatedOptions({ negotiatesCharacterSet, characterSet }: Registration): Uint8Array | undefined {
  if (!negotiatesCharacterSet) return undefined;
  const setObject = (number: number) => encodeTlv('14', Uint8Array.of(number));
  const known = Object.keys(CHARACTER_SETS).map((number) => setObject(Number(number)));
  return concat(setObject(characterSet), encodeTlv('27', concat(...known)));
}

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

/** 06 50: totals and report, and the journal begins anew. */
export const endOfDay: CommandHandler = async (parts, command) => {
  await tellTotals(parts, command);
  const { memory, clock } = parts;
  await print(command, endOfDayLines(memory.journal, clock.nowMs(), layoutOf(parts)), 'administration');
  memory.journal = [];
  return outgoingMessages.completion();
};

/** 06 10: totals alone; nothing is printed or closed. */
export const turnoverTotals: CommandHandler = async (parts, command) => {
  await tellTotals(parts, command);
  return outgoingMessages.completion();
};

async function tellTotals({ memory }: TerminalParts, { ecr }: CommandContext): Promise<void> {
  const { journal } = memory;
  const currency = journal.find(counts)?.currency ?? EURO;
  await ecr.send(outgoingMessages.totalsStatus(sumMinor(journal, currency), currency, journal));
}

/** 06 70, 06 93, 06 79, 06 1A: the terminal asks its host, and prints that all is well. */
export function report(name: Report): CommandHandler {
  return async (parts, command) => {
    const sendsIntermediateStatus = command.registration?.sendsIntermediateStatus ?? false;
    await progress({ ecr: command.ecr, sendsIntermediateStatus }, PROGRESS.waitingForHost);
    await print(command, reportLines(name, parts.clock.nowMs(), layoutOf(parts)), 'administration');
    return outgoingMessages.completion();
  };
}

/** 06 1B: the terminal id (BMP 29), which can be changed only when no transaction awaits an end of day. */
export const setTerminalId: CommandHandler = async ({ memory }, { fields }) => {
  const digits = toHex(fields.get(0x29) ?? new Uint8Array(0));
  if (!/^[0-9]{8}$/.test(digits)) return outgoingMessages.aborted(RESULT.protocolError);
  if (memory.journal.length > 0) return outgoingMessages.aborted(RESULT.functionNotPossible);
  memory.terminalId = digits;
  return outgoingMessages.completion();
};

/** 06 18: the terminal restarts, and has no cash register then. What it has booked it keeps. */
export const reset: CommandHandler = async ({ memory }) => {
  memory.registration = undefined;
  return outgoingMessages.completion();
};

const FIRST_LINE = 0xf1;
const LAST_LINE = 0xf8;

/** 06 E0: the lines that a cash register wants shown (BMP F1 to F8), in ASCII. */
export function displayedLines(fields: Fields): string[] {
  const lines = [...fields].filter(([number]) => number >= FIRST_LINE && number <= LAST_LINE);
  return lines.map(([, text]) => Buffer.from(text).toString('ascii'));
}
