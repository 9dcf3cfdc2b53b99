import type { TwinParts } from '../twin.ts';
import type { Apdu } from './apdu.ts';
import type { Bank } from './bank.ts';
import type { CardholderSide } from './cardholder-side.ts';
import { CHARACTER_SETS, DEFAULT_SET, encodeText, type CharacterSet, type Fields } from './fields.ts';
import type { TerminalMemory, Transaction } from './terminal-memory.ts';
import { receiptLines, type Language, type Layout } from './receipts.ts';
import type { Registration } from './registration.ts';
import * as outgoingMessages from './outgoing-messages.ts';
import type { EcrLink } from './ecr-link.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';

/** Numbers of the copies, in the attribute of the last line (PA00P015 §3.5) and receipt type 1F07 (§3.6). */
const COPY_NUMBERS = { merchant: 1, customer: 2, administration: 3 } as const;
type PrintedCopy = keyof typeof COPY_NUMBERS;

const PRINT_LINE = 0x06d1;
const PRINT_TEXT_BLOCK = 0x06d3;
const LAST_LINE = 0x80;

/** A print command: its control field and data. */
interface PrintCommand {
  control: number;
  data: Uint8Array;
}

/** Builds 06 D1 for each line. The attribute of the last line has the copy. */
export function lineCommands(
  lines: readonly string[],
  copy: PrintedCopy,
  set?: CharacterSet,
): PrintCommand[] {
  return lines.map((line, index) => {
    const isLast = index === lines.length - 1;
    const attribute = isLast ? LAST_LINE | COPY_NUMBERS[copy] : 0;
    return { control: PRINT_LINE, data: concat(Uint8Array.of(attribute), encodeText(line, set)) };
  });
}

/** Builds 06 D3: one container with the receipt type and all lines. */
export function blockCommand(lines: readonly string[], copy: PrintedCopy, set?: CharacterSet): PrintCommand {
  const texts = lines.map((line) => encodeTlv('07', encodeText(line, set)));
  const receipt = concat(
    encodeTlv('1F07', Uint8Array.of(COPY_NUMBERS[copy])),
    encodeTlv('25', concat(...texts)),
  );
  return { control: PRINT_TEXT_BLOCK, data: encodeTlv('06', receipt) };
}

const COLUMNS = 32;

export interface TerminalParts extends TwinParts {
  front: CardholderSide;
  settings: { language: Language };
  bank: Bank;
  memory: TerminalMemory;
}

/** Context of a running command. */
export interface CommandContext {
  ecr: EcrLink;
  /** Data after the length. */
  data: Uint8Array;
  fields: Fields;
  /** The registration of the ECR; undefined before it. */
  registration: Registration | undefined;
  /** Allows or refuses an abort from now on. */
  setAbortable(may: boolean): void;
}

/** Runs a command and returns its completion or abort. */
export type CommandHandler = (parts: TerminalParts, command: CommandContext) => Promise<Apdu>;

/** Returns what the ECR of a command supports. */
export function ecrCapabilities({ registration }: CommandContext): outgoingMessages.EcrCapabilities {
  return {
    characters: CHARACTER_SETS[registration?.characterSet ?? DEFAULT_SET] ?? 'cp437',
    containers: registration?.hasContainer ?? false,
  };
}

/** Sends the status information of a transaction and prints both copies. @returns the completion or abort. */
export async function sendResult(
  parts: TerminalParts,
  command: CommandContext,
  transaction: Transaction,
): Promise<Apdu> {
  await command.ecr.send(
    outgoingMessages.statusInformation(transaction, parts.memory.terminalId, ecrCapabilities(command)),
  );
  await printCopies(parts, command, transaction);
  const { resultCode } = transaction;
  return resultCode === 0 ? outgoingMessages.completion() : outgoingMessages.aborted(resultCode);
}

/** Prints both copies of a transaction. */
export async function printCopies(
  parts: TerminalParts,
  command: CommandContext,
  transaction: Transaction,
): Promise<void> {
  const layout = layoutOf(parts);
  await print(command, receiptLines(transaction, 'merchant', layout), 'merchant');
  await print(command, receiptLines(transaction, 'customer', layout), 'customer');
}

/** Sends lines for printing, if the ECR registered for receipts of this kind. */
export async function print(command: CommandContext, lines: string[], copy: PrintedCopy): Promise<void> {
  const kind = copy === 'administration' ? 'administration' : 'payment';
  const form = command.registration?.receipts[kind] ?? 'none';
  if (form === 'none') return;
  const { characters } = ecrCapabilities(command);
  const commands =
    form === 'blocks' ? [blockCommand(lines, copy, characters)] : lineCommands(lines, copy, characters);
  for (const message of commands) await command.ecr.send(message);
}

/** Returns the layout of receipts of the terminal. */
export function layoutOf({ settings, memory }: TerminalParts): Layout {
  return { language: settings.language, columns: COLUMNS, terminalId: memory.terminalId };
}
