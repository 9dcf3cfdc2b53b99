import type { Instruction, InstructionTable } from './instruction.ts';

/** Something wrong in what a program sent, with its place. */
export interface Problem {
  /** Bytes of the connection before it. */
  at: number;
  text: string;
}

/** Text, an instruction, or a problem, in the order in which they were sent. */
export type Token =
  | { kind: 'text'; at: number; bytes: Uint8Array }
  | { kind: 'instruction'; at: number; instruction: Instruction; parameters: Uint8Array }
  | { kind: 'problem'; at: number; text: string };

/** An instruction with more bytes than this is skipped: a picture of the whole paper takes 72 bytes for each row. */
export const INSTRUCTION_BYTES_MAX = 1_048_576;

const PREFIXES: Record<number, string> = { 0x10: 'DLE', 0x1b: 'ESC', 0x1c: 'FS', 0x1d: 'GS' };

/** Finds instructions and text in a stream. It never throws, and keeps no more than one instruction. */
export class EscposParser {
  readonly #table: InstructionTable;
  #at = 0;
  #begun: Begun | undefined;
  #skipped: { name: string; at: number; bytes: number; left: number } | undefined;
  #tokens: Token[] = [];

  constructor(table: InstructionTable) {
    this.#table = table;
  }

  /** Takes bytes in pieces of any size. Returns what is whole by then. */
  push(bytes: Uint8Array): Token[] {
    this.#tokens = [];
    let index = 0;
    while (index < bytes.length) {
      const taken = this.#takeMany(bytes, index) || this.#takeOne(bytes[index]!);
      index += taken;
      this.#at += taken;
    }
    return this.#tokens;
  }

  /** What the instruction lacks that has begun and is not whole; undefined for none. */
  get unfinished(): Problem | undefined {
    if (this.#skipped) {
      const { name, at, bytes, left } = this.#skipped;
      return { at, text: `${name} is not whole: ${bytes - left} of ${bytes} bytes came` };
    }
    if (!this.#begun) return undefined;
    const { at, prefix, instruction, parameters, needed } = this.#begun;
    if (!instruction) return { at, text: `${PREFIXES[prefix]} is not followed by its second byte` };
    const came = `${parameters.length} of at least ${needed} bytes came`;
    return { at, text: `${titleOf(instruction)} is not whole: ${came}` };
  }

  /** Takes bytes that are alike: text, what is skipped, or the data of an instruction. Returns how many. */
  #takeMany(bytes: Uint8Array, from: number): number {
    if (this.#skipped) {
      const taken = Math.min(this.#skipped.left, bytes.length - from);
      this.#skipped.left -= taken;
      if (this.#skipped.left === 0) this.#skipped = undefined;
      return taken;
    }
    if (this.#begun) return takeData(this.#begun, bytes, from);
    const length = textLength(bytes, from);
    if (length > 0)
      this.#tokens.push({ kind: 'text', at: this.#at, bytes: bytes.slice(from, from + length) });
    return length;
  }

  #takeOne(byte: number): number {
    if (!this.#begun) this.#begin(byte);
    else if (this.#begun.instruction) this.#begun.parameters.push(byte);
    else this.#name(this.#begun, byte);
    if (this.#begun?.instruction) this.#complete(this.#begun, this.#begun.instruction);
    return 1;
  }

  /** The first byte of an instruction, which may be all of it. */
  #begin(byte: number): void {
    const instruction = this.#table[hex(byte)];
    if (instruction || byte in PREFIXES)
      this.#begun = { at: this.#at, prefix: byte, instruction, parameters: [], needed: 0 };
    // Programs pad with zeros.
    else if (byte !== 0) this.#report(this.#at, `byte ${hex(byte)} is no instruction: it is skipped`);
  }

  /** The second byte, which says which instruction it is. */
  #name(begun: Begun, byte: number): void {
    begun.instruction = this.#table[hex(begun.prefix) + hex(byte)];
    if (begun.instruction) return;
    const name = `${PREFIXES[begun.prefix]} ${byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : hex(byte)}`;
    this.#report(
      begun.at,
      `${name} is no instruction: these two bytes are skipped, and what follows is printed`,
    );
    this.#begun = undefined;
  }

  /** Passes the instruction on once all its bytes are there. */
  #complete(begun: Begun, instruction: Instruction): void {
    const { at, parameters } = begun;
    begun.needed = instruction.parameters(parameters);
    if (begun.needed > INSTRUCTION_BYTES_MAX) {
      const name = titleOf(instruction);
      const most = `the printer takes ${INSTRUCTION_BYTES_MAX} at the most`;
      this.#report(at, `${name} says that ${begun.needed} bytes follow, and ${most}: they are skipped`);
      this.#skipped = { name, at, bytes: begun.needed, left: begun.needed - parameters.length };
      this.#begun = undefined;
      return;
    }
    if (begun.needed > parameters.length) return;
    this.#tokens.push({ kind: 'instruction', at, instruction, parameters: Uint8Array.from(parameters) });
    this.#begun = undefined;
  }

  #report(at: number, text: string): void {
    this.#tokens.push({ kind: 'problem', at, text });
  }
}

interface Begun {
  at: number;
  prefix: number;
  /** Undefined until its second byte is there. */
  instruction: Instruction | undefined;
  parameters: number[];
  needed: number;
}

/** Takes the bytes that are needed anyway, but for the last of them. Returns how many. */
function takeData({ instruction, parameters, needed }: Begun, bytes: Uint8Array, from: number): number {
  if (!instruction) return 0;
  const count = Math.min(Math.max(needed - parameters.length - 1, 0), bytes.length - from);
  for (let index = from; index < from + count; index += 1) parameters.push(bytes[index]!);
  return count;
}

/** Returns how many bytes from there on are letters. */
function textLength(bytes: Uint8Array, from: number): number {
  let end = from;
  while (end < bytes.length && bytes[end]! >= 0x20) end += 1;
  return end - from;
}

const hex = (byte: number) => byte.toString(16).toUpperCase().padStart(2, '0');

const titleOf = ({ name, does }: Instruction) => `${name} (${does})`;
