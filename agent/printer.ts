export type PrintOutcome = 'printed' | 'noPaper';

/** The terminal's receipt printer. Resolves when the copy is out, or cannot be. */
export interface Printer {
  print(copy: 'merchantCopy' | 'customerCopy', text: string): Promise<PrintOutcome>;
}
