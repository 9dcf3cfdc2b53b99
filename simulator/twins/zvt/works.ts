import type { Apdu } from '../../../agent/readers/zvt/apdu.ts';
import { numberOf, type Bitmaps } from '../../../agent/readers/zvt/bitmaps.ts';
import * as results from '../../../agent/readers/zvt/results.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import type { TwinParts } from '../twin.ts';
import type { Bank } from './bank.ts';
import type { CardholderSide } from './cardholder-side.ts';
import * as codes from './codes.ts';
import type { Memory, Transaction } from './memory.ts';
import { blockCommand, lineCommands, type PrintedCopy } from './printing.ts';
import { counts, endOfDayLines, receiptLines, sumMinor, type Language, type Layout } from './receipts.ts';
import { type Registration } from './registration.ts';
import { isTaken, reversalOf, sell, type SaleRequest } from './sale.ts';
import * as telling from './telling.ts';
import type { Till } from './till.ts';

export const TERMINAL_ID = '52500041';
const COLUMNS = 32;
const EURO = '0978';

export interface WorkParts extends TwinParts {
  front: CardholderSide;
  settings: { language: Language };
  bank: Bank;
  memory: Memory;
}

/** A command under way. */
export interface Job {
  till: Till;
  bitmaps: Bitmaps;
  /** How the cash register registered; undefined before it did. */
  registration: Registration | undefined;
  /** Whether the cash register may abort at present. */
  setAbortable(may: boolean): void;
}

/** What the terminal does for a command, up to its last word. */
export type Work = (parts: WorkParts, job: Job) => Promise<Apdu>;

/** 06 01, 06 22, 06 31. */
export function sale(kind: SaleRequest['kind']): Work {
  return async (parts, job) => {
    const amountMinor = numberOf(job.bitmaps.get(0x04));
    const currency = currencyIn(job.bitmaps);
    if (!amountMinor) return telling.aborted(results.PROTOCOL_ERROR);
    if (!isTaken(currency)) return telling.aborted(results.WRONG_CURRENCY);
    job.setAbortable(true);
    const tellsProgress = job.registration?.tellsProgress ?? false;
    const committed = () => job.setAbortable(false);
    const made = await sell(
      { ...parts, till: job.till, tellsProgress, committed },
      { kind, amountMinor, currency },
    );
    return typeof made === 'number' ? telling.aborted(made) : tellResult(parts, job, made);
  };
}

function currencyIn(bitmaps: Bitmaps): string {
  const value = bitmaps.get(0x49);
  return value ? toHex(value) : EURO;
}

/** 06 30. */
export const reverse: Work = async (parts, job) => {
  const number = numberOf(job.bitmaps.get(0x87));
  const original = parts.memory.journal.find(
    ({ receiptNumber, kind }) => receiptNumber === number && kind !== 'reversal',
  );
  if (!original || original.resultCode !== results.APPROVED)
    return telling.aborted(results.REVERSAL_NOT_POSSIBLE);
  if (original.reversed) return telling.aborted(results.ALREADY_REVERSED);
  return tellResult(parts, job, reversalOf(original, parts.memory, parts.clock.nowMs()));
};

/** 06 20. Without a service byte it prints, and sends no status information (§2.20). */
export const repeat: Work = async (parts, job) => {
  const { last } = parts.memory;
  if (!last) return telling.aborted(results.FUNCTION_NOT_POSSIBLE);
  const service = serviceByte(job);
  if (service & codes.REPEAT_WITH_STATUS) await job.till.tell(telling.statusInformation(last, TERMINAL_ID));
  if (!(service & codes.REPEAT_UNPRINTED)) await printCopies(parts, job, last);
  return telling.completion();
};

/** 06 50. */
export const endOfDay: Work = async (parts, job) => {
  const { journal } = parts.memory;
  const currency = journal.find(counts)?.currency ?? EURO;
  await job.till.tell(telling.endOfDayStatus(sumMinor(journal, currency), currency, journal));
  await print(job, endOfDayLines(journal, parts.clock.nowMs(), layoutOf(parts)), 'administration');
  parts.memory.journal = [];
  return telling.completion();
};

/** 05 01. Without a service byte it sends its software version, and no TLV container (§2.55). */
export const enquire: Work = async ({ clock }, job) => {
  const service = serviceByte(job);
  return telling.statusCompletion({
    withVersion: !(service & codes.ENQUIRY_UNVERSIONED),
    withContainer: (service & codes.ENQUIRY_WITH_CONTAINER) !== 0,
    terminalId: TERMINAL_ID,
    atMs: clock.nowMs(),
  });
};

const serviceByte = ({ bitmaps }: Job): number => bitmaps.get(0x03)?.[0] ?? 0;

/** 06 00. */
export const register: Work = async () => telling.registrationCompletion(TERMINAL_ID);

async function tellResult(parts: WorkParts, job: Job, transaction: Transaction): Promise<Apdu> {
  await job.till.tell(telling.statusInformation(transaction, TERMINAL_ID));
  await printCopies(parts, job, transaction);
  const { resultCode } = transaction;
  return resultCode === results.APPROVED ? telling.completion() : telling.aborted(resultCode);
}

async function printCopies(parts: WorkParts, job: Job, transaction: Transaction): Promise<void> {
  const layout = layoutOf(parts);
  await print(job, receiptLines(transaction, 'merchant', layout), 'merchant');
  await print(job, receiptLines(transaction, 'customer', layout), 'customer');
}

async function print({ till, registration }: Job, lines: string[], copy: PrintedCopy): Promise<void> {
  const form = registration?.receipts[copy === 'administration' ? 'administration' : 'payment'] ?? 'none';
  if (form === 'none') return;
  const commands = form === 'blocks' ? [blockCommand(lines, copy)] : lineCommands(lines, copy);
  for (const command of commands) await till.tell(command);
}

function layoutOf({ settings }: WorkParts): Layout {
  return { language: settings.language, columns: COLUMNS, terminalId: TERMINAL_ID };
}
