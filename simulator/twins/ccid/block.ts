/** A block of T=1 without its node address and check (ISO/IEC 7816-3 §11.3). */
interface Block {
  /** PCB, the protocol control byte. */
  pcb: number;
  /** INF, the information field. */
  inf: Uint8Array;
}

const PROLOGUE_BYTES = 3;
const NODE_ADDRESS = 0x00;

/** NAD, PCB, LEN, INF, and the exclusive or of these bytes. */
export function writeBlock({ pcb, inf }: Block): Uint8Array {
  const block = new Uint8Array(PROLOGUE_BYTES + inf.length + 1);
  block.set([NODE_ADDRESS, pcb, inf.length]);
  block.set(inf, PROLOGUE_BYTES);
  block[block.length - 1] = exclusiveOr(block);
  return block;
}

/** Returns undefined for a block of a wrong length or check. */
export function readBlock(bytes: Uint8Array): Block | undefined {
  const [, pcb, length] = bytes;
  if (pcb === undefined || length === undefined) return undefined;
  if (bytes.length !== PROLOGUE_BYTES + length + 1 || exclusiveOr(bytes) !== 0) return undefined;
  return { pcb, inf: Uint8Array.from(bytes.subarray(PROLOGUE_BYTES, -1)) };
}

function exclusiveOr(bytes: Uint8Array): number {
  let result = 0;
  for (const byte of bytes) result ^= byte;
  return result;
}
