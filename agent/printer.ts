export type PrintOutcome = 'printed' | 'noPaper';

/** The receipt printer of a terminal. Resolves when the copy is printed, or cannot be. */
export interface Printer {
  /** Sheets of paper left; absent when the printer cannot count them. */
  readonly sheets?: number;
  print(copy: 'merchantCopy' | 'customerCopy', text: string): Promise<PrintOutcome>;
}
