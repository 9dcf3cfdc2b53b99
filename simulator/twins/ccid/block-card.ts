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

/** Returns the response of a card to what it receives; undefined when it does not respond. */
export type BlockCard = (sent: Uint8Array) => Promise<Uint8Array | undefined>;

// The longest information field that the card accepts by default (ISO/IEC 7816-3 §11.4.2).
const DEFAULT_FIELD = 0x20;
const R_BLOCK = 0x80;
const REQUESTS = { resynchronise: 0xc0, field: 0xc1, abort: 0xc2 } as const;
const RESPONSE = 0x20;
const MORE = 0x20;

/** A card that speaks T=1: the block protocol (ISO/IEC 7816-3 §11) in front of `answer`, which responds to APDUs. */
export function createBlockCard(answer: BlockCard): BlockCard {
  let ours = 0;
  let theirs = 0;
  let field = DEFAULT_FIELD;
  let command: number[] = [];
  let rest = new Uint8Array(0);
  let sent: Uint8Array | undefined;

  const send = (pcb: number, inf: Uint8Array = new Uint8Array(0)) => {
    sent = writeBlock({ pcb, inf });
    return sent;
  };
  const nextPiece = () => {
    const piece = rest.slice(0, field);
    rest = rest.slice(field);
    const block = send((ours << 6) | (rest.length > 0 ? MORE : 0), piece);
    ours ^= 1;
    return block;
  };
  const handle = async (control: number, data: Uint8Array): Promise<Uint8Array | undefined> => {
    if (control === REQUESTS.field) field = data[0] ?? field;
    if (control === REQUESTS.resynchronise) {
      ours = 0;
      theirs = 0;
      command = [];
    }
    if ((control & 0xe0) === 0xc0) return send(control | RESPONSE, data);
    if ((control & 0xc0) === R_BLOCK) {
      // §11.6.3.2: an R-block with the number of what we send next asks to go on; another one asks again.
      return ((control >> 4) & 1) === ours && rest.length > 0 ? nextPiece() : sent;
    }
    if (((control >> 6) & 1) !== theirs) return sent;
    theirs ^= 1;
    command.push(...data);
    if ((control & MORE) !== 0) return send(R_BLOCK | (theirs << 4));
    const apdu = Uint8Array.from(command);
    command = [];
    const whole = await answer(apdu);
    if (!whole) return undefined;
    rest = Uint8Array.from(whole);
    return nextPiece();
  };
  return async (bytes) => {
    const block = readBlock(bytes);
    // §11.6.3.2, rule 7.1: a damaged block is requested again.
    if (!block) return writeBlock({ pcb: R_BLOCK | (theirs << 4) | 0x01, inf: new Uint8Array(0) });
    return handle(block.pcb, block.inf);
  };
}
