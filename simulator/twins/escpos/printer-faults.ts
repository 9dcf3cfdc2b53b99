import type { PrinterError } from './status.ts';

/** What a person can do to a printer, and what can break in it. */
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

/** The states that are errors. */
export const ERRORS_BY_STATE = {
  'cutter-error': 'cutter',
  'mechanical-error': 'mechanical',
  'head-hot': 'head hot',
  'unrecoverable-error': 'unrecoverable',
} as const satisfies Partial<Record<PrinterState, PrinterError>>;

/** What a fault can come after: a printed line, a cut, or an opening of the drawer. */
const FAULT_POINTS = ['line', 'cut', 'drawer'] as const;
export type FaultPoint = (typeof FAULT_POINTS)[number];

/** Puts a printer into a state just after it did something for the so manieth time. */
export interface PrinterFault {
  state: PrinterState;
  point: FaultPoint;
  /** Counts from 1. */
  nth: number;
}

const FAULT = /^([a-z-]+) after ([a-z]+) ([1-9]\d{0,5})$/;

/** Reads a fault such as `paper-out after cut 1`; a text that is none returns what it must be. */
export function parsePrinterFault(text: string): PrinterFault | { problem: string } {
  const [, stateText, pointText, nth] = FAULT.exec(text.trim()) ?? [];
  const state = PRINTER_STATES.find((known) => known === stateText);
  const point = FAULT_POINTS.find((known) => known === pointText);
  if (state && point) return { state, point, nth: Number(nth) };
  return {
    problem: `must be such as 'paper-out after cut 1', with a state of ${PRINTER_STATES.join(', ')} after a ${FAULT_POINTS.join(', ')}`,
  };
}

/** Counts what a printer does. Returns the states that it is put into by it. */
export function createFaultCounter(faults: readonly PrinterFault[]): (point: FaultPoint) => PrinterState[] {
  const counts: Record<FaultPoint, number> = { line: 0, cut: 0, drawer: 0 };
  return (done) => {
    counts[done] += 1;
    return faults
      .filter(({ point, nth }) => point === done && nth === counts[done])
      .map(({ state }) => state);
  };
}
