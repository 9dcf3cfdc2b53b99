/**
 * What the note of a frame on the line of the receipt printer begins with. It tells these frames from those of the reader, in
 * `reader.traced`.
 */
export const PRINTER_NOTE = 'receipt printer, ';

/** What a person can do to a simulated receipt printer, and what can break in it. */
export const PRINTER_STATES = [
  'paper-out',
  'near-end',
  'cover-open',
  'cutter-error',
  'mechanical-error',
  'head-hot',
  'unrecoverable-error',
  'unplugged',
] as const;
export type PrinterState = (typeof PRINTER_STATES)[number];

/** What a fault of such a printer can come after: a printed line, a cut, or an opening of the drawer. */
export const FAULT_POINTS = ['line', 'cut', 'drawer'] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];
