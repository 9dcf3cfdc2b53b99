import { status, SW, type ResponseApdu, type Command } from './apdu.ts';
import type { CommandHandler, PoweredChip } from './chip-state.ts';
import { generateCryptogram } from './generate-cryptogram.ts';
import { getChallenge, getData } from './get-data.ts';
import { internalAuthenticate } from './internal-authenticate.ts';
import { externalAuthenticate } from './issuer-authentication.ts';
import { blockApplication, blockCard, unblockApplication, unblockPin } from './issuer-scripts.ts';
import { getProcessingOptions } from './processing-options.ts';
import { readRecord } from './records.ts';
import { select } from './select.ts';
import { verify } from './verify.ts';

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
