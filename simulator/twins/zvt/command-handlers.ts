import { toHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { openReservations, type TerminalMemory } from '../stand-alone/journal.ts';
import { endOfDayLines, reportLines, type Report } from '../stand-alone/receipts.ts';
import { ENQUIRY_UNVERSIONED, ENQUIRY_WITH_CONTAINER, RESULT, type Apdu } from './apdu.ts';
import { tillOf, type CommandContext, type CommandHandler, type TerminalParts } from './command-context.ts';
import { CHARACTER_SETS, fixedField, packed, type Fields } from './fields.ts';
import * as outgoingMessages from './outgoing-messages.ts';
import type { Registration } from './registration.ts';
import { ecrCapabilities, printMessages, resultCodeOf, serviceByte } from './zvt-language.ts';

/** Handles what the terminal understands in every language. */
export const perform: CommandHandler = async (parts, command) => {
  const [ending, ...before] = (await messagesOf(parts, command)).reverse();
  await sendAll(command, before.reverse());
  return ending!;
};

async function messagesOf({ terminal, language }: TerminalParts, command: CommandContext): Promise<Apdu[]> {
  const decoded = language.decode(command);
  if ('problem' in decoded) return [outgoingMessages.aborted(RESULT.protocolError)];
  return language.encode(await terminal.perform(decoded, tillOf(command)), command);
}

async function sendAll({ ecr }: CommandContext, messages: readonly Apdu[]): Promise<void> {
  for (const message of messages) await ecr.send(message);
}

/** Handles 05 01. Without a service byte it sends its software version, and no TLV container (§2.55). */
export const sendStatus: CommandHandler = async ({ clock, memory }, { fields }) => {
  const service = serviceByte(fields);
  return outgoingMessages.statusCompletion({
    withVersion: !(service & ENQUIRY_UNVERSIONED),
    withContainer: (service & ENQUIRY_WITH_CONTAINER) !== 0,
    terminalId: memory.terminalId,
    atMs: clock.nowMs(),
  });
};

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
  const receipt = command.fields.get(0x87);
  return receipt && toHex(receipt) === WHICH ? openOne(parts.memory) : perform(parts, command);
};

function openOne(memory: TerminalMemory): Apdu {
  const receipt = openReservations(memory)[0]?.receiptNumber ?? WHICH;
  return outgoingMessages.aborted(RESULT.openReservation, fixedField(0x87, packed(receipt, 2)));
}

/** 06 50: totals and report, and the journal begins anew once the ECR has both. */
export const endOfDay: CommandHandler = async (parts, command) => {
  await sendAll(command, await messagesOf(parts, command));
  const { memory, clock, layout, terminal } = parts;
  const lines = endOfDayLines(memory.journal, clock.nowMs(), layout());
  await sendAll(command, printMessages(command, lines, 'administration'));
  await terminal.perform({ type: 'reconcile', closes: true }, tillOf(command));
  return outgoingMessages.completion();
};

/** 06 10: totals alone; nothing is printed or closed. */
export const turnoverTotals: CommandHandler = async (parts, command) => {
  await sendAll(command, await messagesOf(parts, command));
  return outgoingMessages.completion();
};

/** 06 70, 06 93, 06 79, 06 1A: the terminal asks its host, and prints that all is well. */
export function report(name: Report): CommandHandler {
  return async ({ clock, layout }, command) => {
    await tillOf(command).tell('waitingForBank');
    const lines = reportLines(name, clock.nowMs(), layout());
    await sendAll(command, printMessages(command, lines, 'administration'));
    return outgoingMessages.completion();
  };
}

// An ECR that sets no limit waits this long.
const LONGEST_S = 90;

const TLV_CONTAINER = 0x06;

/**
 * 06 C0: the card within the seconds that the first byte says, its number masked. The status information ends it, with a container
 * when the command has one.
 */
export const readCard: CommandHandler = async ({ terminal }, command) => {
  command.setAbortable(true);
  const limitMs = (command.data[0] || LONGEST_S) * 1000;
  const card = await terminal.identifyCard(tillOf(command), limitMs);
  if (typeof card === 'string') return outgoingMessages.aborted(resultCodeOf(card));
  if (!card.readable) return outgoingMessages.aborted(RESULT.cardNotReadable);
  const { characters } = ecrCapabilities(command);
  const containers = command.fields.has(TLV_CONTAINER);
  return outgoingMessages.cardInformation(card.masked(card.entryModes[0]!), { characters, containers });
};

/** 06 1B: the terminal id (BMP 29), which can be changed only when no transaction awaits an end of day. */
export const setTerminalId: CommandHandler = async ({ memory }, { fields }) => {
  const digits = toHex(fields.get(0x29) ?? new Uint8Array(0));
  if (!/^[0-9]{8}$/.test(digits)) return outgoingMessages.aborted(RESULT.protocolError);
  if (memory.journal.length > 0) return outgoingMessages.aborted(RESULT.functionNotPossible);
  memory.terminalId = digits;
  return outgoingMessages.completion();
};

/** 06 18: the terminal restarts, and has no cash register then. What it has booked it keeps. */
export const reset: CommandHandler = async ({ registrations }) => {
  registrations.current = undefined;
  return outgoingMessages.completion();
};

const FIRST_LINE = 0xf1;
const LAST_LINE = 0xf8;

/** 06 E0: the lines that a cash register wants shown (BMP F1 to F8), in ASCII. */
export function displayedLines(fields: Fields): string[] {
  const lines = [...fields].filter(([number]) => number >= FIRST_LINE && number <= LAST_LINE);
  return lines.map(([, text]) => Buffer.from(text).toString('ascii'));
}
