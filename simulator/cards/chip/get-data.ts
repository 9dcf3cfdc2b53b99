import { fromHex } from '../../../protocol/emv/hex.ts';
import { encodeTlv } from '../../../protocol/emv/tlv.ts';
import { respondWith, OK, status, SW } from './apdu.ts';
import type { Chip, CommandHandler } from './chip-state.ts';
import { counterBytes } from './cryptogram.ts';

/** Fields of a log entry: date, amount, currency, counter. */
const LOG_FORMAT = fromHex('9A039F02065F2A029F3602');

/** The primitive data objects a terminal may ask for (EMV 4.4 Book 3 §6.5.7 and §7.3). */
const READABLE: Record<string, (chip: Chip) => Uint8Array | undefined> = {
  '9F36': counterBytes,
  '9F13': ({ memory }) => Uint8Array.of(memory.lastOnlineCounter >> 8, memory.lastOnlineCounter & 0xff),
  '9F17': ({ memory, profile }) => (profile.pin ? Uint8Array.of(memory.pinTriesLeft) : undefined),
  '9F4F': () => LOG_FORMAT,
};

export const getData: CommandHandler = ({ chip, selected }, { p1, p2 }) => {
  if (!selected || selected === 'directory') return status(SW.notNow);
  const tag = ((p1 << 8) | p2).toString(16).toUpperCase().padStart(4, '0');
  const value = Object.hasOwn(READABLE, tag) ? READABLE[tag]!(chip) : undefined;
  return value ? respondWith(encodeTlv(tag, value)) : status(SW.dataNotFound);
};

const CHALLENGE_BYTES = 8;

/** GET CHALLENGE: the challenge is valid for the next command (Book 3 §6.5.6). */
export const getChallenge: CommandHandler = (powered, { p1, p2, data }) => {
  if (p1 !== 0 || p2 !== 0) return status(SW.wrongParameters);
  if (data.length > 0) return status(SW.wrongLength);
  if (!powered.transaction) return status(SW.notNow);
  powered.challenge = powered.chip.random.bytes(CHALLENGE_BYTES).slice();
  return { ...OK, data: powered.challenge };
};
