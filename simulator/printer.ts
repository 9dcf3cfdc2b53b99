import type { Printer } from '../agent/lifecycle/receipt.ts';
import type { PrinterState } from './terminal-state.ts';

export const SHEETS_PER_ROLL = 1000;

// Copies of the last two receipts; older ones are dropped to bound memory.
const KEPT_COPIES = 4;

export interface PrintedCopy {
  copy: 'merchantCopy' | 'customerCopy';
  text: string;
}

/** A receipt printer with a limited roll: one sheet for each copy. It prints at once. */
export interface SimulatedPrinter extends Printer {
  readonly sheets: number;
  /** The last printed copies, newest last. */
  readonly printed: readonly PrintedCopy[];
  /** Sets the number of sheets; 0 removes the roll. */
  load(sheets: number): void;
  exportState(): PrinterState;
}

/** Creates a printer with a number of sheets, or in an exported state. */
export function createSimulatedPrinter(
  sheetsAtFirst: number = SHEETS_PER_ROLL,
  state?: PrinterState,
): SimulatedPrinter {
  let { sheets, printed }: PrinterState = state ?? { sheets: sheetsAtFirst, printed: [] };
  return {
    get sheets() {
      return sheets;
    },
    get printed() {
      return printed;
    },
    load: (count) => void (sheets = count),
    exportState: () => ({ sheets, printed }),
    async print(copy, text) {
      if (sheets === 0) return 'noPaper';
      sheets -= 1;
      printed = [...printed, { copy, text }].slice(-KEPT_COPIES);
      return 'printed';
    },
  };
}
