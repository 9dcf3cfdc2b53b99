import { concat } from '../../../protocol/emv/tlv.ts';

/** Tracks 1 and 2 with their sentinels (ISO/IEC 7813); an empty text for a track that was not read. */
export interface Tracks {
  track1: string;
  track2: string;
}

const STX = 0x02;
const ETX = 0x03;
/** Card encoding: ISO 7813. */
const BANK_CARD = 0x80;
/** A serial number of the reader follows the tracks. */
const HAS_SERIAL_NUMBER = 0x80;
const SERIAL_NUMBER = 'TWIN000001';

/**
 * Encodes the tracks as the reader formats them in DFEE23: STX, length (low byte first), card encoding, track status, a length of
 * each track, two bytes that list what follows, the tracks with their check characters, the serial number, XOR and sum of
 * what lies between the length and them, ETX.
 */
export function formattedTracks(
  { track1, track2 }: Tracks,
  serialNumber: string = SERIAL_NUMBER,
): Uint8Array {
  const first = withCheckCharacter(track1, { offset: 0x20, mask: 0x3f });
  const second = withCheckCharacter(track2, { offset: 0x30, mask: 0x0f });
  const present = (first ? 1 : 0) | (second ? 2 : 0);
  // Bits 0 to 2: decoded, also a track that the card does not have; bits 3 and 4: the track has data.
  const status = 0x07 | (present << 3);
  const body = concat(
    Uint8Array.of(BANK_CARD, status, first.length, second.length, 0, HAS_SERIAL_NUMBER | present, 0),
    Buffer.from(first + second + serialNumber, 'latin1'),
  );
  const xor = body.reduce((all, byte) => all ^ byte, 0);
  const sum = body.reduce((all, byte) => all + byte, 0);
  const length = Uint8Array.of(body.length & 0xff, body.length >> 8);
  return concat(Uint8Array.of(STX), length, body, Uint8Array.of(xor, sum & 0xff, ETX));
}

/** Longitudinal redundancy check of a track (ISO/IEC 7811), as a character of its alphabet. */
function withCheckCharacter(track: string, { offset, mask }: { offset: number; mask: number }): string {
  if (track === '') return '';
  const check = [...track].reduce((all, letter) => all ^ ((letter.charCodeAt(0) - offset) & mask), 0);
  return track + String.fromCharCode(check + offset);
}

/** Encodes DFEF4C: the lengths of the tracks of DFEF4D, a byte each, of the card number, and two reserved bytes. */
export function trackLengths({ track1, track2 }: Tracks): Uint8Array {
  return Uint8Array.of(track1.length, track2.length, 0, 0, 0, 0);
}

/** Masks all but the first six and last four digits of the number, and what follows the service code. */
export function maskedTracks({ track1, track2 }: Tracks): Tracks {
  return { track1: masked(track1, '^'), track2: masked(track2, '=') };
}

function masked(track: string, separator: string): string {
  const parts = track.slice(0, -1).split(separator);
  const number = /\d+$/.exec(parts[0] ?? '')?.[0] ?? '';
  const hidden = number.slice(0, 6) + '*'.repeat(Math.max(number.length - 10, 0)) + number.slice(-4);
  const last = parts.at(-1) ?? '';
  const kept = last.slice(0, 7) + '*'.repeat(Math.max(last.length - 7, 0));
  return track === ''
    ? ''
    : [parts[0]!.replace(number, hidden), ...parts.slice(1, -1), kept].join(separator) + '?';
}
