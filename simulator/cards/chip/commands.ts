import { status, SW, type ResponseApdu, type Command, respondWith, OK } from './apdu.ts';
import type { CommandHandler, PoweredChip, Chip } from './chip-state.ts';
import { internalAuthenticate } from './dynamic-authentication.ts';
import { generateCryptogram } from './generate-cryptogram.ts';
import {
  blockApplication,
  blockCard,
  externalAuthenticate,
  unblockApplication,
  unblockPin,
} from './issuer-commands.ts';
import { getProcessingOptions } from './processing-options.ts';
import { select, DIRECTORY_SFI, directoryRecord } from './select.ts';
import { verify } from './verify.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { encodeTlv } from '../../../protocol/emv/tlv.ts';
import { counterBytes } from './cryptogram.ts';
import { record } from './application.ts';

/** READ RECORD (EMV 4.4 Book 3 §6.5.11). */
const readRecord: CommandHandler = (powered, { p1, p2 }) => {
  const { chip, image, selected, technology, transaction } = powered;
  const sfi = p2 >> 3;
  if ((p2 & 0x07) !== 0x04 || p1 === 0 || sfi === 0 || sfi > 30) return status(SW.wrongParameters);
  if (selected === 'directory' && technology === 'Contact') {
    if (sfi !== DIRECTORY_SFI) return status(SW.notFound);
    return p1 === 1 ? respondWith(directoryRecord(chip)) : status(SW.recordNotFound);
  }
  if (!transaction) return status(SW.notNow);
  const file = image.files.get(sfi);
  if (!file) return status(SW.notFound);
  const found = file[p1 - 1];
  if (!found) return status(SW.recordNotFound);
  if (found !== 'relatedData') return respondWith(found);
  if (!transaction.relatedData) return status(SW.recordNotFound);
  return respondWith(record(encodeTlv('9F69', transaction.relatedData)));
};

/** Fields of a log entry: date, amount, currency, counter. */
const LOG_FORMAT = fromHex('9A039F02065F2A029F3602');

/** The primitive data objects a terminal may ask for (EMV 4.4 Book 3 §6.5.7 and §7.3). */
const READABLE: Record<string, (chip: Chip) => Uint8Array | undefined> = {
  '9F36': counterBytes,
  '9F13': ({ memory }) => Uint8Array.of(memory.lastOnlineCounter >> 8, memory.lastOnlineCounter & 0xff),
  '9F17': ({ memory, profile }) => (profile.pin ? Uint8Array.of(memory.pinTriesLeft) : undefined),
  '9F4F': () => LOG_FORMAT,
};

const getData: CommandHandler = ({ chip, selected }, { p1, p2 }) => {
  if (!selected || selected === 'directory') return status(SW.notNow);
  const tag = ((p1 << 8) | p2).toString(16).toUpperCase().padStart(4, '0');
  const value = Object.hasOwn(READABLE, tag) ? READABLE[tag]!(chip) : undefined;
  return value ? respondWith(encodeTlv(tag, value)) : status(SW.dataNotFound);
};

const CHALLENGE_BYTES = 8;

/** GET CHALLENGE: the challenge is valid for the next command (Book 3 §6.5.6). */
const getChallenge: CommandHandler = (powered, { p1, p2, data }) => {
  if (p1 !== 0 || p2 !== 0) return status(SW.wrongParameters);
  if (data.length > 0) return status(SW.wrongLength);
  if (!powered.transaction) return status(SW.notNow);
  powered.challenge = powered.chip.random.bytes(CHALLENGE_BYTES).slice();
  return { ...OK, data: powered.challenge };
};

/** Class and instruction (EMV 4.4 Book 3 §6.3.2, table 7; SELECT from Book 1 §11.3). */
const COMMANDS: Record<string, CommandHandler> = {
  '00A4': select,
  '00B2': readRecord,
  '0020': verify,
  '0082': externalAuthenticate,
  '0084': getChallenge,
  '0088': internalAuthenticate,
  '80A8': getProcessingOptions,
  '80AE': generateCryptogram,
  '80CA': getData,
  '8416': blockCard,
  '8418': unblockApplication,
  '841E': blockApplication,
  '8424': unblockPin,
};
const CLASSES = new Set(Object.keys(COMMANDS).map((key) => key.slice(0, 2)));

/** Executes a command. An unknown instruction changes nothing. */
export function execute(powered: PoweredChip, command: Command): ResponseApdu {
  const cla = twoDigits(command.cla);
  if (!CLASSES.has(cla)) return status(SW.unknownClass);
  const handler = COMMANDS[cla + twoDigits(command.ins)];
  if (!handler) return status(SW.unknownInstruction);
  const { challenge } = powered;
  const answer = handler(powered, command);
  if (powered.challenge === challenge) powered.challenge = undefined;
  return answer;
}

function twoDigits(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
