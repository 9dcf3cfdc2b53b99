import { diagnosePrinter } from '../../agent/printers/diagnose-printer.ts';
import { maskedReceipt } from '../../agent/readers/frame-mask.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import type { Values } from '../command-line/option.ts';
import { closedWhenInterrupted, withFrames, type ExaminedStep } from './examine-reader.ts';
import type { PRINTER_LINE_OPTIONS } from './receipt-printer-options.ts';
import { printerPlace } from './receipt-printer.ts';

/**
 * Tests the receipt printer at a port, with a test page, and closes the port. Stops after the first step that fails, and
 * when the command is interrupted.
 * @throws Fault `bad_setting` for an address that is none.
 */
export function examinePrinter(
  { clock, interrupted }: CommandContext,
  path: string,
  options: Values<typeof PRINTER_LINE_OPTIONS>,
): AsyncGenerator<ExaminedStep> {
  const { open, ...place } = printerPlace(path, options);
  return withFrames(
    (trace) => diagnosePrinter({ ...place, open: closedWhenInterrupted(open, interrupted), clock, trace }),
    { in: maskedReceipt, out: maskedReceipt },
  );
}
