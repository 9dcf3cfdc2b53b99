import type { Fields } from './fields.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { PROGRESS, RESULT } from './codes.ts';
import {
  layoutOf,
  print,
  type CommandContext,
  type CommandHandler,
  type TerminalParts,
} from './command-context.ts';
import { counts, endOfDayLines, reportLines, sumMinor, type Report } from './receipts.ts';
import { progress } from './sale.ts';
import * as outgoingMessages from './outgoing-messages.ts';

const EURO = '0978';

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
