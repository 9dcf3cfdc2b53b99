import type { Agent } from '../agent/agent.ts';
import type { Printer } from '../agent/lifecycle/receipt.ts';
import type { Clock } from '../protocol/clock.ts';
import type { Log } from '../protocol/log.ts';
import type { BodyOf } from '../protocol/message.ts';
import {
  RECEIPT_LETTERS_MAX,
  RECEIPTS_SHOWN_MAX,
  type PrinterShown,
  type ReceiptPrinterCondition,
} from '../protocol/messages/receipt-printer.messages.ts';
import { failure, type SimulationResult } from './simulation-result.ts';
import type { ReceiptPrinterState } from './terminal-state.ts';
import { useControl } from './twins/device-controls.ts';
import { paperText } from './twins/escpos/paper-text.ts';
import type { EscposPrinter } from './twins/escpos/printer.ts';
import type { Twin } from './twins/twin.ts';

/** Lines of a roll that are counted as a sheet, which is enough for a copy of a receipt. */
const LINES_OF_A_SHEET = 30;

/** A printer outside the terminal: a receipt printer, or its twin. */
export interface OutsidePrinter extends Printer {
  /** The twin that stands there, and what a person can do at it; absent for a real printer. */
  readonly twin?: { printer: EscposPrinter; controls: Twin['controls'] };
  /** Whether a copy is under way, which cannot be exported: a terminal that starts from there prints it again. */
  readonly isPrinting?: boolean;
  /** Called when the terminal has no power any more: what it was sending breaks off. */
  switchOff?(): void;
}

/** Creates the twin of a receipt printer beside a terminal, and what prints there. */
export type CreateTwinPrinter = (parts: {
  clock: Clock;
  log: Log;
  trace: Agent['tracePrinter'];
  /** How another one stood: in that condition it starts. */
  state?: ReceiptPrinterState | undefined;
}) => OutsidePrinter;

/** Returns for how many copies there is paper. */
export function sheetsLeft({ linesLeft }: EscposPrinter): number {
  return Math.ceil(linesLeft / LINES_OF_A_SHEET);
}

/** Puts paper into a twin for so many copies, a whole roll at most, or takes it out with 0. */
export function loadSheets({ twin }: OutsidePrinter, sheets: number): SimulationResult {
  if (!twin) return failure('this terminal has a real printer: put the paper in there');
  const { rollLines } = twin.printer.settings;
  twin.printer.loadPaper(Math.min(sheets * LINES_OF_A_SHEET, rollLines));
  return { ok: true };
}

/** Uses a control of a twin. */
export function controlPrinter(
  { twin }: OutsidePrinter,
  name: string,
  argument: string | undefined,
): SimulationResult {
  if (!twin) return failure('this terminal has a real printer: work it there');
  return useControl('this printer', twin.controls, name, argument);
}

/** Returns how a printer is. */
export function conditionOf({ condition, drawer, linesLeft }: EscposPrinter): ReceiptPrinterCondition {
  const { paper, cover, error } = condition;
  return { paper, linesLeft, cover, error, drawer };
}

/** Returns what is shown of a printer: how it is, and its last receipts. */
export function shownOf(printer: EscposPrinter): BodyOf<typeof PrinterShown> {
  const receipts = printer.receipts.slice(-RECEIPTS_SHOWN_MAX).map((receipt) => {
    const text = paperText(receipt).slice(0, RECEIPT_LETTERS_MAX);
    return { number: receipt.number, end: receipt.end, text };
  });
  return { ...conditionOf(printer), printed: printer.printed, receipts };
}

/** Calls a listener when a twin has changed or has another roll, and when it has printed a receipt. */
export function watchTwin({ twin }: OutsidePrinter, changed: () => void): void {
  twin?.printer.watch(({ what }) => {
    if (what === 'condition' || what === 'loaded' || what === 'receipt') changed();
  });
}

/** Exports how a printer stands: its receipts, and what waits in it, are not in it. */
export function exportPrinter({ settings, memory, pendingFaults }: EscposPrinter): ReceiptPrinterState {
  return { settings, memory, faults: pendingFaults.map((fault) => ({ ...fault })) };
}
