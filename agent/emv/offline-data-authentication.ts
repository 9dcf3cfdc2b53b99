import { concat, encodeTlv, type Tlv } from '../../protocol/emv/tlv.ts';
import { toHex } from '../../protocol/emv/hex.ts';
import { requireSuccess, internalAuthenticate, send } from './apdu.ts';
import { AIP, isSet, TSI, TVR } from './bits.ts';
import { cardPublicKey, hashMatches, issuerPublicKey, recover, sha1 } from './certificates.ts';
import { unwrapTemplate, parseFromCard, primitivesOf, type DataStore } from './data-store.ts';
import { dolValues } from './dol.ts';
import { authorityKey, type PublicKey } from './public-keys.ts';
import type { CardConnection } from './card-connection.ts';

type AuthenticationMethod = 'cda' | 'dda' | 'sda' | 'none';

const STATIC_DATA = 0x03;
const DYNAMIC_DATA = 0x05;

/** Default DDOL (EMV 4.4 Book 2 §6.5.1): the unpredictable number. */
const DEFAULT_DDOL = Uint8Array.of(0x9f, 0x37, 0x04);

/** Selects the best method that card and terminal support (EMV 4.4 Book 3 §10.3), by AIP and byte 3 of 9F33. */
function authenticationMethod(store: DataStore): AuthenticationMethod {
  const security = store.need('9F33')[2] ?? 0;
  if ((security & 0x08) !== 0 && store.has(AIP.cda)) return 'cda';
  if ((security & 0x40) !== 0 && store.has(AIP.dda)) return 'dda';
  if ((security & 0x80) !== 0 && store.has(AIP.sda)) return 'sda';
  return 'none';
}

/** Data objects that each method requires (EMV 4.4 Book 3 §7.2, Tables 29 and 30). */
const REQUIRED_TAGS = {
  sda: ['8F', '90', '9F32', '93'],
  dda: ['8F', '90', '9F32', '9F46', '9F47'],
  cda: ['8F', '90', '9F32', '9F46', '9F47'],
} as const;
const FAILED = { sda: TVR.sdaFailed, dda: TVR.ddaFailed, cda: TVR.cdaFailed } as const;

interface Authentication {
  method: AuthenticationMethod;
  /** The ICC public key, if its certificates are valid. CDA verifies the cryptogram with it. */
  cardKey?: PublicKey;
}

/**
 * Performs offline data authentication (EMV 4.4 Book 3 §10.3; Book 2 §5, §6). A failure sets the TVR and does not end
 * the transaction. For CDA only the key is recovered here: the signature comes with the cryptogram.
 * @throws CardError, CardLostError, Fault `reader` from INTERNAL AUTHENTICATE.
 */
export async function authenticateData(
  connection: CardConnection,
  store: DataStore,
  signedRecords: Uint8Array,
): Promise<Authentication> {
  const method = authenticationMethod(store);
  if (method === 'none') {
    store.setBit(TVR.dataAuthenticationNotPerformed);
    return { method };
  }
  if (method === 'sda') store.setBit(TVR.sdaSelected);
  if (method !== 'cda') store.setBit(TSI.dataAuthentication);
  if (REQUIRED_TAGS[method].some((tag) => !store.get(tag))) {
    store.setBit(TVR.cardDataMissing);
    store.setBit(FAILED[method]);
    return { method };
  }
  if (method === 'sda') {
    if (!verifySda(store, signedRecords)) store.setBit(TVR.sdaFailed);
    return { method };
  }
  const cardKey = recoverCardKey(store, signedRecords);
  if (method === 'dda' && !(cardKey && (await verifyDda(connection, store, cardKey)))) {
    store.setBit(TVR.ddaFailed);
  }
  if (method === 'cda' && !cardKey) store.setBit(TVR.cdaFailed);
  return cardKey ? { method, cardKey } : { method };
}

/**
 * Recovers the issuer public key; undefined when the certification authority is unknown or the certificate
 * invalid.
 */
export function recoverIssuerKey(store: DataStore): PublicKey | undefined {
  const authority = authorityKey(store.need('84').subarray(0, 5), store.get('8F')?.[0]);
  return authority && issuerPublicKey(authority, store);
}

/** Recovers the ICC public key; undefined when a certificate is invalid. */
function recoverCardKey(store: DataStore, signedRecords: Uint8Array): PublicKey | undefined {
  const issuer = recoverIssuerKey(store);
  const staticData = staticDataToAuthenticate(store, signedRecords);
  return issuer && staticData && cardPublicKey(issuer, store, staticData);
}

/**
 * Returns the static data to be authenticated: the signed records, and the AIP (82) when the static data
 * authentication tag list (9F4A) has it. Undefined when the list has another tag (Book 2 §5.1.1).
 */
export function staticDataToAuthenticate(
  store: DataStore,
  signedRecords: Uint8Array,
): Uint8Array | undefined {
  const list = store.get('9F4A');
  if (!list) return signedRecords;
  return toHex(list) === '82' ? concat(signedRecords, store.need('82')) : undefined;
}

/** Verifies the signed static application data (SDA; Book 2 §5.4, Table 7). */
function verifySda(store: DataStore, signedRecords: Uint8Array): boolean {
  const issuer = recoverIssuerKey(store);
  const staticData = staticDataToAuthenticate(store, signedRecords);
  const recovered = issuer && recover(issuer, store.need('93'), STATIC_DATA);
  if (!recovered || !staticData || recovered.signed[1] !== 0x01) return false;
  if (!hashMatches(recovered, staticData)) return false;
  store.put('9F45', recovered.signed.slice(2, 4));
  return true;
}

/** Performs DDA: the card signs an unpredictable number (Book 2 §6.5). */
async function verifyDda(connection: CardConnection, store: DataStore, cardKey: PublicKey): Promise<boolean> {
  const list = store.get('9F49') ?? DEFAULT_DDOL;
  const values = dolValues(list, store);
  const command = internalAuthenticate(values);
  const answer = requireSuccess(command, await send(connection, command));
  const first = parseFromCard(answer)[0];
  const signature =
    first?.tag === '80'
      ? unwrapTemplate(answer, '80')
      : primitivesOf(unwrapTemplate(answer, '77')).find(({ tag }) => tag === '9F4B')?.value;
  // §6.5.1: a DDOL without the unpredictable number would allow the replay of an old signature.
  const isFresh = toHex(list).includes('9F3704');
  const signed = signature && recoverDynamicData(cardKey, signature, values);
  if (!signed || !isFresh) return false;
  storeDynamicNumber(store, signed);
  return true;
}

/**
 * Recovers the ICC dynamic data of a signature over it and `terminalData`; undefined when invalid (Book 2 Table
 * 17).
 */
export function recoverDynamicData(
  cardKey: PublicKey,
  signature: Uint8Array,
  terminalData: Uint8Array,
): Uint8Array | undefined {
  const recovered = recover(cardKey, signature, DYNAMIC_DATA);
  if (!recovered || recovered.signed[1] !== 0x01 || !hashMatches(recovered, terminalData)) return undefined;
  const length = recovered.signed[2] ?? 0;
  return recovered.signed.length >= 3 + length ? recovered.signed.slice(3, 3 + length) : undefined;
}

function storeDynamicNumber(store: DataStore, dynamicData: Uint8Array): void {
  const length = dynamicData[0] ?? 0;
  if (length >= 2 && length <= 8) store.put('9F4C', dynamicData.slice(1, 1 + length));
}

/** ICC dynamic data of CDA. */
interface CombinedData {
  dynamicNumber: Uint8Array;
  cryptogramInformation: number;
  cryptogram: Uint8Array;
  transactionHash: Uint8Array;
}

/** Parses the ICC dynamic data of CDA (Book 2 §6.6.2, Table 20). */
export function parseCombinedData(dynamicData: Uint8Array): CombinedData | undefined {
  const at = 1 + (dynamicData[0] ?? 0);
  if (dynamicData.length < at + 29) return undefined;
  return {
    dynamicNumber: dynamicData.slice(1, at),
    cryptogramInformation: dynamicData[at]!,
    cryptogram: dynamicData.slice(at + 1, at + 9),
    transactionHash: dynamicData.slice(at + 9, at + 29),
  };
}

/**
 * Verifies a CDA signature and returns the signed data, cryptogram included; undefined when invalid (Book 2 §6.6.2).
 * `sent` has the values of PDOL, CDOL1 and, for the second GENERATE AC, CDOL2. `answered` has the data objects of
 * the response in order.
 */
export function verifyCda(
  store: DataStore,
  cardKey: PublicKey,
  { sent, answered }: { sent: Uint8Array[]; answered: Tlv[] },
): CombinedData | undefined {
  const signature = answered.find(({ tag }) => tag === '9F4B')?.value;
  const information = answered.find(({ tag }) => tag === '9F27')?.value;
  const dynamicData = signature && recoverDynamicData(cardKey, signature, store.need('9F37'));
  const combined = dynamicData && parseCombinedData(dynamicData);
  if (!combined || combined.cryptogramInformation !== information?.[0]) return undefined;
  const others = answered.filter(({ tag }) => tag !== '9F4B').map(({ tag, value }) => encodeTlv(tag, value));
  if (Buffer.compare(sha1(...sent, ...others), combined.transactionHash) !== 0) return undefined;
  storeDynamicNumber(store, dynamicData);
  return combined;
}

/** The only version of fDDA in use (EMV Contactless Book C-3 Annex C). */
const FDDA_VERSION = 0x01;

/**
 * Verifies the fDDA signature of a contactless Visa card (Book C-3 Annex C). It covers unpredictable number, amount,
 * currency and the card authentication related data (9F69).
 */
export function verifyFdda(store: DataStore, signedRecords: Uint8Array): boolean {
  const [signature, related] = [store.get('9F4B'), store.get('9F69')];
  const cardKey = isSet(store.get('82'), AIP.dda) ? recoverCardKey(store, signedRecords) : undefined;
  if (!signature || related?.[0] !== FDDA_VERSION || !cardKey) return false;
  const terminalData = concat(store.need('9F37'), store.need('9F02'), store.need('5F2A'), related);
  const dynamicData = recoverDynamicData(cardKey, signature, terminalData);
  if (dynamicData) storeDynamicNumber(store, dynamicData);
  return dynamicData !== undefined;
}
