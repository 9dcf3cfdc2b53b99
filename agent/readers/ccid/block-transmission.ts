import { concat } from '../../../protocol/emv/tlv.ts';
import { CardLostError } from '../card-slot.ts';
import { exclusiveOr } from './frame.ts';

/** Carries one block to the card and the card's block back; `factor` multiplies the card's waiting time. */
type CarryBlock = (block: Uint8Array, factor: number) => Promise<Uint8Array>;

// Bits of the protocol control byte (ISO/IEC 7816-3 §11.3.2.2).
const R_BLOCK = 0x80;
const S_BLOCK = 0xc0;
const RESPONSE = 0x20;
const MORE = 0x20;
const S = { resynchronise: 0, field: 1, abort: 2, time: 3 } as const;
// The longest information field that we take, and offer (§11.4.2).
const OUR_FIELD = 0xfe;
// §11.6.3.2: how often a block is tried again before the card is given up.
const TRIES = 3;
// A card that keeps asking for time, or sends without end, is stopped some time.
const BLOCKS_MAX = 400;

interface Block {
  control: number;
  data: Uint8Array;
}

interface BlockTransmission {
  /** Agrees on the longest field; done once, after reset. */
  begin(): Promise<void>;
  /** @throws CardLostError when the card does not keep to the protocol. */
  transceive(apdu: Uint8Array): Promise<Uint8Array>;
}

/** The reader's side of T=1 (ISO/IEC 7816-3 §11): blocks with LRC, numbered, chained, tried again. */
export function createBlockTransmission(carry: CarryBlock, cardField: number): BlockTransmission {
  let ours = 0;
  let theirs = 0;
  let field = Math.min(cardField, OUR_FIELD);

  /** Sends a block and returns the card's, having granted time and repeated what came broken. */
  const exchange = async (first: Block): Promise<Block> => {
    let next = first;
    let factor = 1;
    let failures = 0;
    for (let blocks = 0; blocks < BLOCKS_MAX; blocks += 1) {
      const answer = parseBlock(await carry(encodeBlock(next), factor));
      factor = 1;
      const repeats = !answer || asksAgain(first, answer);
      if (repeats && ++failures >= TRIES) break;
      // §11.6.3.2, rules 7.1 and 7.2: what came broken is asked for again, what did not arrive is repeated.
      if (!answer) next = { control: R_BLOCK | (theirs << 4) | 0x01, data: new Uint8Array(0) };
      else if (repeats) next = first;
      else if (isRequest(answer, S.time)) {
        factor = answer.data[0] ?? 1;
        next = { control: answer.control | RESPONSE, data: answer.data };
      } else if (isRequest(answer, S.field)) {
        field = Math.min(answer.data[0] ?? field, OUR_FIELD);
        next = { control: answer.control | RESPONSE, data: answer.data };
      } else return answer;
    }
    throw new CardLostError('the card breaks its protocol');
  };
  /** Whether the card says that it did not get the block: an R-block that still wants its number. */
  const asksAgain = (sent: Block, { control }: Block) =>
    (control & 0xc0) === R_BLOCK &&
    ((sent.control & 0x80) !== 0 || ((control >> 4) & 1) === ((sent.control >> 6) & 1));

  const sendPieces = async (apdu: Uint8Array): Promise<Block> => {
    for (let at = 0; ; at += field) {
      const more = apdu.length > at + field;
      const control = (ours << 6) | (more ? MORE : 0);
      const answer = await exchange({ control, data: apdu.slice(at, at + field) });
      ours ^= 1;
      if (!more) return answer;
      if ((answer.control & 0xc0) !== R_BLOCK) throw new CardLostError('the card breaks its protocol');
    }
  };
  return {
    async begin() {
      const answer = await exchange({ control: S_BLOCK | S.field, data: Uint8Array.of(OUR_FIELD) });
      if (answer.control !== (S_BLOCK | RESPONSE | S.field))
        throw new CardLostError('the card breaks its protocol');
    },
    async transceive(apdu) {
      let answer = await sendPieces(apdu);
      let whole = new Uint8Array(0);
      for (;;) {
        if ((answer.control & 0x80) !== 0 || ((answer.control >> 6) & 1) !== theirs) {
          throw new CardLostError('the card breaks its protocol');
        }
        theirs ^= 1;
        whole = concat(whole, answer.data);
        if ((answer.control & MORE) === 0) return whole;
        answer = await exchange({ control: R_BLOCK | (theirs << 4), data: new Uint8Array(0) });
      }
    },
  };
}

function encodeBlock({ control, data }: Block): Uint8Array {
  const covered = Uint8Array.of(0x00, control, data.length, ...data);
  return Uint8Array.of(...covered, exclusiveOr(covered));
}

/** A block that came whole; undefined otherwise. */
function parseBlock(bytes: Uint8Array): Block | undefined {
  if (bytes.length < 4 || bytes.length !== bytes[2]! + 4 || exclusiveOr(bytes) !== 0) return undefined;
  return { control: bytes[1]!, data: bytes.slice(3, -1) };
}

function isRequest({ control }: Block, what: number): boolean {
  return control === (S_BLOCK | what);
}
