import { timingSafeEqual } from 'node:crypto';
import { macAlgorithm3 } from '../../../protocol/cryptography/block-ciphers.ts';
import { commonSessionKey } from '../../../protocol/cryptography/card-keys.ts';
import {
  arpcMethod1,
  arpcMethod2,
  CRYPTOGRAM_VERSIONS,
} from '../../../protocol/cryptography/cryptogram-versions.ts';
import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat } from '../../../protocol/emv/tlv.ts';
import { OK, status, SW, type Command } from './apdu.ts';
import type { ChipMemory, CommandHandler, PoweredChip, Transaction } from './chip-state.ts';
import { counterBytes, transactionKey } from './cryptogram.ts';

/** In byte 1 of the AIP: issuer authentication by EXTERNAL AUTHENTICATE (EMV 4.4 Book 3 Annex C1). */
const BY_COMMAND = 0x04;

/** EXTERNAL AUTHENTICATE: verifies the issuer's response, once in a transaction (Book 3 §6.5.4). */
export const externalAuthenticate: CommandHandler = (powered, { p1, p2, data }) => {
  const { image, transaction } = powered;
  if ((Number.parseInt(image.facts.aip.slice(0, 2), 16) & BY_COMMAND) === 0) {
    return status(SW.unknownInstruction);
  }
  if (p1 !== 0 || p2 !== 0) return status(SW.wrongParameters);
  if (data.length < 8 || data.length > 16) return status(SW.wrongLength);
  if (transaction?.stage !== 'awaitingIssuer' || transaction.issuer !== 'notReceived')
    return status(SW.notNow);
  return authenticateIssuer(powered, transaction, data) ? OK : status(SW.authenticationFailed);
};

/** Decision of an issuer with a valid ARPC. */
type IssuerDecision = 'approved' | 'declined';

/** ISO 8583 field 39 in an ARPC: approved, partially approved, approved (VIP). */
const APPROVALS = ['00', '10', '11'];
/** Byte 2 of the card status update: the issuer approves (EMV 4.4 CCD part, Book 3 Annex C10). */
const CSU_APPROVES = 0x80;

/**
 * Verifies issuer authentication data (tag 91) from either command (EMV 4.4 Book 2 §8.2). Returns whether it is
 * valid.
 */
export function authenticateIssuer(
  { chip }: PoweredChip,
  transaction: Transaction,
  data: Uint8Array,
): boolean {
  const { arpcMethod } = CRYPTOGRAM_VERSIONS[chip.profile.chip.cryptogramVersion];
  const verdict = (arpcMethod === 1 ? method1 : method2)(transactionKey(chip), transaction.arqc!, data);
  transaction.issuer = verdict ?? 'invalid';
  return verdict !== undefined;
}

/** Method 1: the ARPC and its response code (§8.2.1). */
function method1(key: Uint8Array, arqc: Uint8Array, data: Uint8Array): IssuerDecision | undefined {
  if (data.length < 10) return undefined;
  const code = data.subarray(8, 10);
  if (!timingSafeEqual(data.subarray(0, 8), arpcMethod1(key, arqc, code))) return undefined;
  return APPROVALS.includes(Buffer.from(code).toString('latin1')) ? 'approved' : 'declined';
}

/** Method 2: 4 bytes of ARPC, the card status update, proprietary data (§8.2.2). */
function method2(key: Uint8Array, arqc: Uint8Array, data: Uint8Array): IssuerDecision | undefined {
  if (data.length < 8) return undefined;
  const update = data.subarray(4, 8);
  const expected = arpcMethod2(key, arqc, update, data.subarray(8));
  if (!timingSafeEqual(data.subarray(0, 4), expected)) return undefined;
  return update[1]! & CSU_APPROVES ? 'approved' : 'declined';
}

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
