export type PrintOutcome = 'printed' | 'noPaper';

/** The receipt printer of a terminal. Resolves when the copy is printed, or cannot be. */
export interface Printer {
  print(copy: 'merchantCopy' | 'customerCopy', text: string): Promise<PrintOutcome>;
}
