import type { TwinParts } from '../twin.ts';
import type { Apdu } from './apdu.ts';
import type { Bank } from './bank.ts';
import type { CardholderSide } from './cardholder-side.ts';
import { CHARACTER_SETS, DEFAULT_SET } from './charset.ts';
import type { Fields } from './fields.ts';
import type { Memory, Transaction } from './memory.ts';
import { blockCommand, lineCommands, type PrintedCopy } from './printing.ts';
import { receiptLines, type Language, type Layout } from './receipts.ts';
import type { Registration } from './registration.ts';
import * as telling from './outgoing-messages.ts';
import type { Till } from './ecr-link.ts';

export const TERMINAL_ID = '52500041';
const COLUMNS = 32;

export interface WorkParts extends TwinParts {
  front: CardholderSide;
  settings: { language: Language };
  bank: Bank;
  memory: Memory;
}

/** A command under way. */
export interface Job {
  till: Till;
  /** All that came after the length. */
  data: Uint8Array;
  fields: Fields;
  /** How the cash register registered; undefined before it did. */
  registration: Registration | undefined;
  /** Whether the cash register may abort at present. */
  setAbortable(may: boolean): void;
}

/** What the terminal does for a command, up to its last word. */
export type Work = (parts: WorkParts, job: Job) => Promise<Apdu>;

/** How the cash register of a job takes what it is sent. */
export function spokenIn({ registration }: Job): telling.Spoken {
  return {
    characters: CHARACTER_SETS[registration?.characterSet ?? DEFAULT_SET] ?? 'cp437',
    containers: registration?.hasContainer ?? false,
  };
}

/** Reports a transaction and prints both copies. @returns the completion, or the abort with the reason. */
export async function tellResult(parts: WorkParts, job: Job, transaction: Transaction): Promise<Apdu> {
  await job.till.tell(telling.statusInformation(transaction, TERMINAL_ID, spokenIn(job)));
  await printCopies(parts, job, transaction);
  const { resultCode } = transaction;
  return resultCode === 0 ? telling.completion() : telling.aborted(resultCode);
}

export async function printCopies(parts: WorkParts, job: Job, transaction: Transaction): Promise<void> {
  const layout = layoutOf(parts);
  await print(job, receiptLines(transaction, 'merchant', layout), 'merchant');
  await print(job, receiptLines(transaction, 'customer', layout), 'customer');
}

/** Has the cash register print, if it registered for receipts of this kind. */
export async function print(job: Job, lines: string[], copy: PrintedCopy): Promise<void> {
  const kind = copy === 'administration' ? 'administration' : 'payment';
  const form = job.registration?.receipts[kind] ?? 'none';
  if (form === 'none') return;
  const { characters } = spokenIn(job);
  const commands =
    form === 'blocks' ? [blockCommand(lines, copy, characters)] : lineCommands(lines, copy, characters);
  for (const command of commands) await job.till.tell(command);
}

export function layoutOf({ settings }: WorkParts): Layout {
  return { language: settings.language, columns: COLUMNS, terminalId: TERMINAL_ID };
}
