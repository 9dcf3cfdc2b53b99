import { fromHex, toHex } from '../../protocol/emv/hex.ts';
import { CTQ, TSI, TTQ, withBit, type Bit } from './bits.ts';
import { CardError } from './card-connection.ts';
import type { HolderVerification } from './cardholder-verification.ts';
import { CVM } from './cvm-list.ts';
import { putCvmResults } from './cardholder-verification.ts';
import { panFrom, type DataStore } from './data-store.ts';
import { parseDol } from './dol.ts';
import { kindOf, type CryptogramKind } from './generate-ac.ts';
import { verifyFdda } from './offline-data-authentication.ts';
import { initiateProcessing, readApplicationData, requireData } from './read-application-data.ts';
import { isOverCvmLimit, type Transaction } from './terminal.ts';
import type { TapOutcome, TapParts } from './contactless-kernel.ts';

/** Mandatory data objects of an online transaction (EMV Contactless Book C-3 §5.2). */
const MANDATORY = ['57', '82', '9F10', '9F26', '9F36'];

/**
 * Runs kernel 3, Visa (EMV Contactless Book C-3). The response to GET PROCESSING OPTIONS includes the cryptogram.
 * The TVR stays all zeros, as in the data that the card signed.
 */
export async function runVisaKernel(parts: TapParts): Promise<TapOutcome | undefined> {
  const { connection, store, transaction, refusalReason } = parts;
  store.put('9F66', transactionQualifiers(transaction));
  // §5.1: the PDOL must have the terminal transaction qualifiers.
  if (!parseDol(store.get('9F38') ?? new Uint8Array(0)).some(({ tag }) => tag === '9F66')) return undefined;
  if (!(await initiateProcessing(connection, store))) return undefined;
  const signedRecords = await readApplicationData(connection, store);
  requireData(store, MANDATORY);
  storePan(store);
  const refusal = refusalReason(store);
  if (refusal) return { outcome: 'declined', reason: refusal };

  const kind = cryptogramKind(store);
  if (kind === 'TC') throw new CardError('wrong_cryptogram', 'the card approved what was to go online');
  // A refund needs only the card data. Many cards decline it, so an AAC is accepted.
  if (kind === 'AAC' && transaction.type !== 'Refund')
    return { outcome: 'declined', reason: 'the card declined' };
  if (store.get('9F4B') && !passesFdda(store, signedRecords)) {
    return { outcome: 'declined', reason: 'the signature of the card is wrong' };
  }
  const holder = holderVerification(store, transaction);
  if (holder === 'failed')
    return { outcome: 'declined', reason: 'the holder of the card cannot be verified' };
  if (holder === 'onlinePin') putCvmResults(store, { code: CVM.onlinePin, condition: 0x00 }, 'unknown');
  return { outcome: 'online', store, holder, isPhone: store.has(CTQ.consumerDeviceCvmPerformed) };
}

/**
 * Returns the terminal transaction qualifiers (EMV Contactless Book A §5.7): online only, with online PIN and
 * CDCVM.
 */
export function transactionQualifiers(transaction: Transaction): Uint8Array {
  const always: Bit[] = [
    TTQ.emvMode,
    TTQ.onlinePin,
    TTQ.signature,
    TTQ.dataAuthenticationOnline,
    TTQ.onlineCryptogramRequired,
    TTQ.consumerDeviceCvm,
  ];
  const bits = isOverCvmLimit(transaction) ? [...always, TTQ.cvmRequired] : always;
  return bits.reduce((value: Uint8Array, bit) => withBit(value, bit, true), new Uint8Array(4));
}

/** Stores the PAN in 5A for data authentication. A contactless card may have it in track 2 only (§5.4). */
function storePan(store: DataStore): void {
  if (store.get('5A')) return;
  let digits: string;
  try {
    digits = panFrom((tag) => store.get(tag));
  } catch {
    throw new CardError('wrong_format', 'the card has no card number in its track 2 data');
  }
  store.put('5A', fromHex(digits.length % 2 === 0 ? digits : `${digits}F`));
}

/**
 * Returns the cryptogram type from the cryptogram information data, or else the card verification results
 * (§5.4.2).
 */
function cryptogramKind(store: DataStore): CryptogramKind {
  const information = store.get('9F27')?.[0];
  const results = store.need('9F10')[4] ?? 0;
  const kind = kindOf(information ?? (results & 0x30) << 2);
  if (!kind) throw new CardError('wrong_cryptogram', 'the card made a cryptogram of no known kind');
  if (information === undefined) store.put('9F27', Uint8Array.of((results & 0x30) << 2));
  return kind;
}

/** Performs fDDA (§5.6). After a failure the card may allow the transaction to go online. */
function passesFdda(store: DataStore, signedRecords: Uint8Array): boolean {
  store.setBit(TSI.dataAuthentication);
  return verifyFdda(store, signedRecords) || store.has(CTQ.onlineIfDataAuthenticationFails);
}

/** Selects the CVM by the card transaction qualifiers, or by the reader's when the card has none (§5.7). */
export function holderVerification(store: DataStore, transaction: Transaction): HolderVerification['method'] {
  if (transaction.type === 'Refund') return 'none';
  if (store.has(CTQ.onlinePinRequired)) return 'onlinePin';
  if (store.has(CTQ.consumerDeviceCvmPerformed)) return isCtqAuthentic(store) ? 'onDevice' : 'failed';
  if (store.has(CTQ.signatureRequired)) return 'signature';
  if (!isOverCvmLimit(transaction)) return 'none';
  // Without qualifiers the reader uses signature; with them no CVM is left.
  return store.get('9F6C') ? 'failed' : 'signature';
}

/** Compares the qualifiers with the signed ones in bytes 6 and 7 of 9F69, to detect a forged CDCVM (§5.7). */
function isCtqAuthentic(store: DataStore): boolean {
  const related = store.get('9F69');
  if (!related || related.length < 7) return true;
  return toHex(related.subarray(5, 7)) === toHex(store.need('9F6C'));
}
