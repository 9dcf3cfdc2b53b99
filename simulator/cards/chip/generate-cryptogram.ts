import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { readDolValues, respondWith, status, SW, type ResponseApdu } from './apdu.ts';
import type { Chip, CommandHandler, CryptogramType, PoweredChip, Transaction } from './chip-state.ts';
import { CID, counterBytes, issuerApplicationData, responseCodeOf, signTransaction } from './cryptogram.ts';
import { iccDynamicNumber, sha1, signDynamicData } from './dynamic-authentication.ts';
import { authenticateIssuer } from './issuer-commands.ts';

/** P1 (EMV 4.4 Book 3 §6.5.5.2, table 12). */
const REQUESTS: Record<number, CryptogramType> = { 0x00: 'AAC', 0x40: 'TC', 0x80: 'ARQC' };
const COMBINED = 0x10;

/** GENERATE AC, the first and the second of a transaction (EMV 4.4 Book 3 §6.5.5, §9.3). */
export const generateCryptogram: CommandHandler = (powered, { p1, p2, data }) => {
  const { image, transaction } = powered;
  const requested = REQUESTS[p1 & ~COMBINED];
  if (image.facts.cdol1 === undefined) return status(SW.unknownInstruction);
  if (!requested || p2 !== 0) return status(SW.wrongParameters);
  if (!transaction || transaction.stage === 'ended') return status(SW.notNow);
  const request = { requested, combined: (p1 & COMBINED) !== 0, data };
  return transaction.stage === 'started'
    ? first(powered, transaction, request)
    : second(powered, transaction, request);
};

interface Request {
  requested: CryptogramType;
  combined: boolean;
  data: Uint8Array;
}

/** The first GENERATE AC. A card may return a lower cryptogram than requested, never a higher one (§9.3). */
function first(powered: PoweredChip, transaction: Transaction, request: Request): ResponseApdu {
  const { chip, image } = powered;
  const values = readDolValues(fromHex(image.facts.cdol1!), request.data);
  if (!values) return status(SW.wrongLength);
  for (const [tag, value] of values) transaction.values.set(tag, value);
  transaction.cdol1Data = request.data;
  transaction.first = chip.profile.chip.behaviour?.declinesOffline ? 'AAC' : request.requested;
  transaction.stage = transaction.first === 'ARQC' ? 'awaitingIssuer' : 'ended';
  const combined = request.combined && transaction.first !== 'AAC';
  const iad = issuerApplicationData(chip, transaction, { first: transaction.first, combined });
  const cryptogram = signTransaction(powered, transaction, iad);
  if (transaction.first === 'ARQC') transaction.arqc = cryptogram;
  const sent = concat(transaction.pdolData, transaction.cdol1Data);
  const unpredictable = transaction.values.get('9F37')!;
  return answer(powered, { type: transaction.first, cryptogram, iad, combined, sent, unpredictable });
}

/**
 * The second GENERATE AC. Returns a TC when the issuer was authenticated and approved (§10.11, Book 2 §8.2), or when
 * the terminal could not go online and the profile allows that.
 */
function second(powered: PoweredChip, transaction: Transaction, request: Request): ResponseApdu {
  const { chip, image } = powered;
  if (request.requested === 'ARQC') return status(SW.notNow);
  const values = readDolValues(fromHex(image.facts.cdol2!), request.data);
  if (!values) return status(SW.wrongLength);
  for (const [tag, value] of values) transaction.values.set(tag, value);
  const issuerData = values.get('91');
  // Without data from the issuer the terminal sends zeros (§5.4).
  if (issuerData?.some((byte) => byte !== 0)) authenticateIssuer(powered, transaction, issuerData);
  const approved = transaction.issuer === 'approved';
  const agrees = request.requested === 'TC' && (approved || approvesOffline(chip, transaction));
  const type = agrees ? 'TC' : 'AAC';
  transaction.stage = 'ended';
  if (agrees && approved) chip.memory.lastOnlineCounter = chip.memory.transactionCounter;
  const combined = request.combined && agrees;
  const iad = issuerApplicationData(chip, transaction, { first: 'ARQC', second: type, combined });
  const cryptogram = signTransaction(powered, transaction, iad);
  const sent = concat(transaction.pdolData, transaction.cdol1Data, request.data);
  const unpredictable = transaction.values.get('9F37')!;
  return answer(powered, { type, cryptogram, iad, combined, sent, unpredictable });
}

/** Unable to go online, offline approved (EMV 4.4 Book 4 Annex A6). */
const OFFLINE_APPROVED = 'Y3';

function approvesOffline({ profile }: Chip, transaction: Transaction): boolean {
  const allowed = profile.chip.approvesOffline === true && transaction.issuer === 'notReceived';
  return allowed && responseCodeOf(transaction) === OFFLINE_APPROVED;
}

interface Made {
  type: CryptogramType;
  cryptogram: Uint8Array;
  iad: Uint8Array;
  combined: boolean;
  /** All list data of the terminal in this transaction. */
  sent: Uint8Array;
  /** 9F37, as the terminal sent it last. */
  unpredictable: Uint8Array;
}

/** §6.5.5.4: format 1 with a plain cryptogram on a contact Visa or Amex, else format 2. */
function answer({ chip, technology }: PoweredChip, made: Made): ResponseApdu {
  const { type, cryptogram, iad, combined, sent, unpredictable } = made;
  const cid = Uint8Array.of(CID[type]);
  const counter = counterBytes(chip);
  if (!combined && technology === 'Contact' && chip.profile.scheme !== 'Mastercard') {
    return respondWith(encodeTlv('80', concat(cid, counter, cryptogram, iad)));
  }
  const before = concat(encodeTlv('9F27', cid), encodeTlv('9F36', counter));
  const after = encodeTlv('9F10', iad);
  if (!combined) return respondWith(encodeTlv('77', concat(before, encodeTlv('9F26', cryptogram), after)));
  // Book 2 §6.6.1, table 19: the signature contains the cryptogram and a hash of all transaction data.
  const hash = sha1(sent, before, after);
  const dynamicData = concat(iccDynamicNumber(chip), cid, cryptogram, hash);
  const signature = signDynamicData(chip.issued.iccKey, dynamicData, unpredictable);
  return respondWith(encodeTlv('77', concat(before, encodeTlv('9F4B', signature), after)));
}
