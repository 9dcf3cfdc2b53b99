import { timingSafeEqual } from 'node:crypto';
import { commonSessionKey } from '../../../protocol/cryptography/card-keys.ts';
import { macAlgorithm3 } from '../../../protocol/cryptography/des.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat } from '../../../protocol/emv/tlv.ts';
import { OK, status, SW, type Command } from './apdu.ts';
import type { ChipMemory, CommandHandler } from './chip-state.ts';
import { counterBytes } from './cryptogram.ts';

const MAC_BYTES = 8;

/**
 * Computes the MAC of an issuer script command (EMV 4.4 Book 2 §9.2) over header, transaction counter, cryptogram and
 * data, with a session key from that cryptogram (Annex A1.3.1). The test issuer has one master key, so the card key
 * is used here too.
 */
export function scriptMac(
  cardKey: Uint8Array,
  {
    header,
    counter,
    arqc,
    data,
  }: { header: Uint8Array; counter: Uint8Array; arqc: Uint8Array; data: Uint8Array },
): Uint8Array {
  return macAlgorithm3(commonSessionKey(cardKey, arqc), concat(header, counter, arqc, data), '80');
}

/** APPLICATION BLOCK (EMV 4.4 Book 3 §6.5.1). */
export const blockApplication = script((memory) => {
  memory.applicationBlocked = true;
});

/** APPLICATION UNBLOCK (§6.5.2). */
export const unblockApplication = script((memory) => {
  memory.applicationBlocked = false;
});

/** CARD BLOCK (§6.5.3). */
export const blockCard = script((memory) => {
  memory.cardBlocked = true;
});

/** PIN CHANGE/UNBLOCK (§6.5.10), only unblocking: P2 is 00. */
export const unblockPin = script((memory, tries) => {
  memory.pinTriesLeft = tries;
});

/** Creates the handler of an issuer script command, which is valid after an ARQC and with a correct MAC. */
function script(apply: (memory: ChipMemory, pinTries: number) => void): CommandHandler {
  return ({ chip, transaction }, command) => {
    if (command.p1 !== 0 || command.p2 !== 0) return status(SW.wrongParameters);
    if (command.data.length < MAC_BYTES) return status(SW.wrongLength);
    const { arqc } = transaction ?? {};
    if (!arqc) return status(SW.notNow);
    const expected = scriptMac(fromHex(chip.issued.cardKey), {
      header: headerOf(command),
      counter: counterBytes(chip),
      arqc,
      data: command.data.subarray(0, -MAC_BYTES),
    });
    if (!timingSafeEqual(command.data.subarray(-MAC_BYTES), expected)) return status(SW.secureMessagingWrong);
    apply(chip.memory, chip.profile.pin?.tries ?? 0);
    return OK;
  };
}

function headerOf({ cla, ins, p1, p2, data }: Command): Uint8Array {
  return Uint8Array.of(cla, ins, p1, p2, data.length);
}
