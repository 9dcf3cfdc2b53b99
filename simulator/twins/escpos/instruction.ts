import type { Sheet } from './sheet.ts';

/** What instructions do to the device besides printing. */
export interface Mechanism {
  /** Sends bytes to the program that prints. */
  reply(bytes: Uint8Array): void;
  /** Sends a status by the number of its request. Returns false for a number that asks for nothing. */
  sendStatus(request: 'DLE EOT' | 'GS r' | 'GS I', number: number): boolean;
  /** Sets which changes are reported by themselves, and reports the status if there are any. */
  reportChanges(kinds: number): void;
  pulseDrawer(pin: 2 | 5, onMs: number): void;
  cut(end: 'full cut' | 'partial cut'): void;
  /** Ends an error that a request can end; with `clear`, forgets what waited for that. */
  recover(clear: boolean): void;
  /** Forgets what waits to be printed. */
  clear(): void;
  /** Whether it takes anything but real-time instructions and its selection (`ESC =`). */
  select(selected: boolean): void;
}

/** A row of a table of instructions. */
export interface Instruction {
  /** As manuals name it: `ESC a`. */
  name: string;
  /** What it does, in words. */
  does: string;
  /** Returns how many bytes follow, as far as those that came say. Called again once they are there. */
  parameters(given: readonly number[]): number;
  /** Carried out as soon as it comes, also while the printer is offline. */
  realTime?: true;
  /** Carries it out. Returns what is wrong with its parameters, in words, if anything is. */
  run(sheet: Sheet, parameters: Uint8Array, mechanism: Mechanism): string | undefined | void;
}

/** Instructions by their first two bytes in hexadecimal: `1B61`. Those of one byte have two digits. */
export type InstructionTable = Readonly<Record<string, Instruction>>;

/** So many bytes follow. */
export const exactly = (count: number) => () => count;

/** Some bytes follow, which say how many more do. */
export const counted =
  (head: number, more: (given: readonly number[]) => number) => (given: readonly number[]) =>
    given.length < head ? head : head + more(given);

/** Bytes follow up to and with a zero, `most` at the most. */
export const untilZero = (most: number) => (given: readonly number[]) =>
  given.at(-1) === 0 || given.length === most ? given.length : given.length + 1;

/** Returns a number of two bytes, the lower one first. */
export function littleEndian(bytes: ArrayLike<number>, at: number): number {
  return bytes[at]! + bytes[at + 1]! * 0x100;
}

/** Returns a digit that is sent as a number or as its letter: 1 for 01 and for 31. */
export function digitOf(value: number): number {
  return value >= 0x30 && value <= 0x39 ? value - 0x30 : value;
}

/** An instruction that is accepted and changes nothing that can be seen on the paper. */
export function accepted(name: string, does: string, parameters: Instruction['parameters']): Instruction {
  return { name, does, parameters, run: () => {} };
}
