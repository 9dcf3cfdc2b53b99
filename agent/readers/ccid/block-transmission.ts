import { concat } from '../../../protocol/emv/tlv.ts';
import { CardLostError } from '../card-slot.ts';
import { computeLrc } from './frame.ts';

/** Sends a block to the card and returns the card's block; `factor` multiplies the waiting time (WTX). */
type TransmitBlock = (block: Uint8Array, factor: number) => Promise<Uint8Array>;

// Bits of the protocol control byte (ISO/IEC 7816-3 §11.3.2.2).
const R_BLOCK = 0x80;
const S_BLOCK = 0xc0;
const RESPONSE = 0x20;
const MORE = 0x20;
const S = { resynchronise: 0, field: 1, abort: 2, time: 3 } as const;
// Our information field size, IFSD (§11.4.2).
const OUR_FIELD = 0xfe;
// Attempts to send a block before the card counts as lost (§11.6.3.2).
const TRIES = 3;
// Limit of blocks in one exchange, for a card that requests time or sends without end.
const BLOCKS_MAX = 400;

interface Block {
  control: number;
  data: Uint8Array;
}

interface BlockTransmission {
  /** Negotiates the information field size, once after reset. */
  begin(): Promise<void>;
  /** Exchanges an APDU. @throws CardLostError on a protocol error of the card. */
  transceive(apdu: Uint8Array): Promise<Uint8Array>;
}

/** Creates the reader's side of T=1 (ISO/IEC 7816-3 §11), with LRC, chaining and retransmission. */
export function createBlockTransmission(transmitBlock: TransmitBlock, cardField: number): BlockTransmission {
  let ours = 0;
  let theirs = 0;
  let field = Math.min(cardField, OUR_FIELD);

  /** Sends a block and returns the card's block, after waiting time extensions and retransmissions. */
  const exchange = async (first: Block): Promise<Block> => {
    let next = first;
    let factor = 1;
    let failures = 0;
    for (let blocks = 0; blocks < BLOCKS_MAX; blocks += 1) {
      const answer = parseBlock(await transmitBlock(encodeBlock(next), factor));
      factor = 1;
      const repeats = !answer || requestsRetransmission(first, answer);
      if (repeats && ++failures >= TRIES) break;
      // §11.6.3.2, rules 7.1 and 7.2: request a corrupt block again, retransmit a lost one.
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
  /** Whether the card requests the block again: an R-block with its number. */
  const requestsRetransmission = (sent: Block, { control }: Block) =>
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
  return Uint8Array.of(...covered, computeLrc(covered));
}

/** Returns undefined for a block with a wrong length or LRC. */
function parseBlock(bytes: Uint8Array): Block | undefined {
  if (bytes.length < 4 || bytes.length !== bytes[2]! + 4 || computeLrc(bytes) !== 0) return undefined;
  return { control: bytes[1]!, data: bytes.slice(3, -1) };
}

function isRequest({ control }: Block, what: number): boolean {
  return control === (S_BLOCK | what);
}
