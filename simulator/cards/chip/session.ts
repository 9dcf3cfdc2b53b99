import { createHash } from 'node:crypto';
import type { CardTechnology } from '../../../agent/emv/card-connection.ts';
import { delay, type Clock } from '../../../protocol/clock.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat } from '../../../protocol/emv/tlv.ts';
import type { ChipSession } from '../chip-card.ts';
import { encodeResponse, parseCommand, status, SW, type Command, type ResponseApdu } from './apdu.ts';
import type { Chip, PoweredChip } from './chip-state.ts';
import { execute } from './commands.ts';

/** ISO/IEC 7816-4 §8.1.1: compact TLV, of which one object: pre-issuing data, eight characters. */
const HISTORICAL = concat(fromHex('8068'), Buffer.from('TAPBENCH'));

/**
 * Answer to reset, T=0 alone (EMV 4.4 Book 1 §8.3, table 15): TB1 and TC1 are there, and no check character, which
 * ISO/IEC 7816-3 §8.2.5 leaves out for T=0.
 */
export const ATR = concat(Uint8Array.of(0x3b, 0x60 | HISTORICAL.length, 0x00, 0x00), HISTORICAL);

/** SENS_RES: one size of number, no collision yet (EMV Contactless Book D §5.3). */
export const ATQA = Uint8Array.of(0x00, 0x04);
/** SEL_RES: ISO/IEC 14443-4 is understood (Book D §5.4.3). */
export const SAK = 0x20;

/** Answer to select (Book D §5.7.2): frames of 256 bytes, 106 kbit/s, a frame waiting time of 39 ms, CID. */
export const ATS = concat(Uint8Array.of(5 + HISTORICAL.length, 0x78, 0x80, 0x70, 0x02), HISTORICAL);

/** Four bytes that begin with 08, as the number of a payment card does that hides who it is (ISO/IEC 14443-3 §6.5.4). */
export function uidOf(name: string): Uint8Array {
  return concat(Uint8Array.of(0x08), createHash('sha256').update(name).digest().subarray(0, 3));
}

/** Starts a session of a chip, from reset to power off. */
export function openChipSession(chip: Chip, technology: CardTechnology, clock: Clock): ChipSession {
  const image = chip.images[technology];
  const { answerAfterMs, answersOnly = Infinity } = chip.profile.chip.behaviour ?? {};
  const answer =
    image &&
    createProcessor({
      chip,
      technology,
      image,
      selected: undefined,
      transaction: undefined,
      challenge: undefined,
    });
  let answersLeft = answer ? answersOnly : 0;
  return {
    async transceive(command) {
      if (answersLeft <= 0) return undefined;
      if (answerAfterMs) await delay(clock, answerAfterMs);
      const response = answer!(command);
      // T=0 procedure responses do not count.
      if (!isT0Procedure(response)) answersLeft -= 1;
      return response;
    },
  };
}

function isT0Procedure(response: Uint8Array): boolean {
  const sw1 = response[response.length - 2];
  return sw1 === 0x61 || sw1 === 0x6c;
}

function createProcessor(powered: PoweredChip): (bytes: Uint8Array) => Uint8Array {
  if (powered.technology === 'Contact') return t0Transport((command) => execute(powered, command));
  return (bytes) => {
    const command = parseCommand(bytes);
    return encodeResponse(command ? execute(powered, command) : status(SW.wrongLength));
  };
}

const GET_RESPONSE = 0xc0;

/**
 * Wraps command processing in the T=0 protocol (EMV 4.4 Book 1 §9.3.1, Annex A). After a command with data the card
 * reports the response length (61xx) for GET RESPONSE; after one without data it reports the correct length (6Cxx)
 * when another one was expected.
 */
function t0Transport(run: (command: Command) => ResponseApdu): (bytes: Uint8Array) => Uint8Array {
  let waiting: ResponseApdu | undefined;
  const hand = (answer: ResponseApdu, le: number | undefined): ResponseApdu => {
    const length = answer.data?.length ?? 0;
    if (length === 0) return answer;
    waiting = answer;
    if (le === undefined) return status(0x6100 | (length & 0xff));
    if (le !== length) return status(0x6c00 | (length & 0xff));
    waiting = undefined;
    return answer;
  };
  let asked: Uint8Array | undefined;
  return (bytes) => {
    const command = parseCommand(bytes);
    if (!command) return encodeResponse(status(SW.wrongLength));
    const again = waiting && sameBut(bytes, asked);
    asked = bytes.slice();
    if (command.cla === 0x00 && command.ins === GET_RESPONSE) {
      return encodeResponse(waiting ? hand(waiting, command.le) : status(SW.notNow));
    }
    // A repeat with the correct length is not executed again.
    const answer = again ? waiting! : run(command);
    waiting = undefined;
    return encodeResponse(hand(answer, command.data.length > 0 ? undefined : command.le));
  };
}

/** Returns whether a command without data was repeated with another expected length. */
function sameBut(bytes: Uint8Array, before: Uint8Array | undefined): boolean {
  if (bytes.length !== 5 || before?.length !== 5) return false;
  return Buffer.from(bytes.subarray(0, 4)).equals(before.subarray(0, 4));
}
