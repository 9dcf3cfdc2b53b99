import { LINE_DOTS } from './paper.ts';
import type { PrinterCondition, PrinterError } from './status.ts';

/** What kind of printer it is. */
export interface PrinterSettings {
  /** Dots of a line: 576 for 48 letters of font A. */
  dots: number;
  /** Lines of a roll. */
  rollLines: number;
  /** Lines left from which on it reports the end of the roll. */
  nearEndLines: number;
  /** The level of the drawer's pin while it is open, which depends on the drawer. */
  drawerOpenPin: 'high' | 'low';
}

export const USUAL_PRINTER: PrinterSettings = {
  dots: 576,
  rollLines: 2_000,
  nearEndLines: 60,
  drawerOpenPin: 'low',
};

/** How a printer stands, besides what it prints: its paper, cover and drawer, and what has stopped it. */
export interface PrinterMemory {
  /** What is left of the roll. */
  dotsLeft: number;
  /** Whether it says that the roll is near its end, however much is left. */
  reportsNearEnd: boolean;
  cover: PrinterCondition['cover'];
  error: PrinterError;
  drawer: 'open' | 'closed';
  /** How many receipts it has printed. */
  printed: number;
}

/** Returns how a printer stands that is new, with a whole roll. */
export function firstMemory({ rollLines }: PrinterSettings): PrinterMemory {
  return {
    dotsLeft: rollLines * LINE_DOTS,
    reportsNearEnd: false,
    cover: 'closed',
    error: 'none',
    drawer: 'closed',
    printed: 0,
  };
}

/** Returns what a printer reports of itself. */
export function conditionOf(
  { dotsLeft, reportsNearEnd, cover, error, drawer }: PrinterMemory,
  { nearEndLines, drawerOpenPin }: PrinterSettings,
): PrinterCondition {
  const isLow = reportsNearEnd || dotsLeft <= nearEndLines * LINE_DOTS;
  const opensHigh = drawerOpenPin === 'high';
  return {
    paper: dotsLeft <= 0 ? 'out' : isLow ? 'near end' : 'enough',
    cover,
    error,
    drawerPin: (drawer === 'open') === opensHigh ? 'high' : 'low',
  };
}
