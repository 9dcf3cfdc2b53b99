/** Returns the response of the card to an APDU; undefined when it does not respond. */
type AnswerApdu = (apdu: Uint8Array) => Promise<Uint8Array | undefined>;

/** A card's side of the half-duplex block protocol (ISO/IEC 14443-4 §7): a block in, a block out. */
export type CardBlocks = (block: Uint8Array, answer: AnswerApdu) => Promise<Uint8Array | undefined>;

const RATS = 0xe0;
const PPSS = 0xd0;
// The protocol control byte's fixed and variable bits (§7.1.1).
const I_BLOCK = 0x02;
const R_BLOCK = 0xa2;
const NAK = 0x10;
const S_DESELECT = 0xc2;
const CHAINING = 0x10;
// What fits into a block besides its control byte: FSD 256 less two bytes of CRC.
const LONGEST_INF = 253;

/** `begun`: RATS has been sent already. A reader that sends it itself gets the ATS for it. */
export function createCardBlocks(ats: Uint8Array, begun: boolean): CardBlocks {
  let active = begun;
  let command = new Uint8Array(0);
  let rest = new Uint8Array(0);
  // The block number of the card starts at 1 and follows the reader's (§7.5.3).
  let number = 1;
  let sent: Uint8Array | undefined;

  const nextBlock = () => {
    const inf = rest.slice(0, LONGEST_INF);
    rest = rest.slice(LONGEST_INF);
    return Uint8Array.of(I_BLOCK | number | (rest.length > 0 ? CHAINING : 0), ...inf);
  };
  const take = async (block: Uint8Array, answer: AnswerApdu): Promise<Uint8Array | undefined> => {
    const control = block[0]!;
    number = control & 0x01;
    command = Uint8Array.of(...command, ...block.subarray(1));
    if ((control & CHAINING) !== 0) return Uint8Array.of(R_BLOCK | number);
    const apdu = command;
    command = new Uint8Array(0);
    const whole = await answer(apdu);
    if (!whole) return undefined;
    rest = Uint8Array.from(whole);
    return nextBlock();
  };
  return async (block, answer) => {
    const control = block[0];
    if (control === undefined) return undefined;
    if (control === RATS && block.length === 2) {
      active = true;
      return ats;
    }
    if (!active) return undefined;
    if ((control & 0xf0) === PPSS) return Uint8Array.of(control);
    if ((control & 0xf6) === S_DESELECT) {
      active = false;
      return block;
    }
    if ((control & 0xe6) === R_BLOCK) {
      // §7.5.4: an R-block of our own number asks for our last block again; another one for what follows.
      if ((control & 0x01) === number && sent) return sent;
      if ((control & NAK) !== 0) return Uint8Array.of(R_BLOCK | number);
      number = control & 0x01;
      sent = nextBlock();
      return sent;
    }
    if ((control & 0xe2) !== I_BLOCK) return undefined;
    sent = await take(block, answer);
    return sent;
  };
}
