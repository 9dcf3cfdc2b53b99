import {
  FAULT_POINTS,
  PRINTER_STATES,
  type FaultPoint,
  type PrinterState,
} from '../../../protocol/receipt-printer.ts';
import type { PrinterError } from './status.ts';

/** The states that are errors. */
export const ERRORS_BY_STATE = {
  'cutter-error': 'cutter',
  'mechanical-error': 'mechanical',
  'head-hot': 'head hot',
  'unrecoverable-error': 'unrecoverable',
} as const satisfies Partial<Record<PrinterState, PrinterError>>;

/** Puts a printer into a state just after it did something for the so manieth time from then on. */
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

/** The faults that are still to come, each with how often its point is still to be reached. */
export class PendingFaults {
  #pending: readonly PrinterFault[] = [];

  constructor(faults: readonly PrinterFault[]) {
    this.#pending = faults;
  }

  get pending(): readonly PrinterFault[] {
    return this.#pending;
  }

  /** Adds a fault, which counts from now on. Drops the oldest of too many. */
  add(fault: PrinterFault): void {
    this.#pending = [...this.#pending, fault].slice(-FAULTS_MAX);
  }

  /** Counts what the printer has done. Returns the states that it is put into by it. */
  count(done: FaultPoint): PrinterState[] {
    if (this.#pending.length === 0) return [];
    const counted = this.#pending.map((fault) =>
      fault.point === done ? { ...fault, nth: fault.nth - 1 } : fault,
    );
    this.#pending = counted.filter(({ nth }) => nth > 0);
    return counted.filter(({ nth }) => nth <= 0).map(({ state }) => state);
  }
}

const FAULTS_MAX = 100;
