import { fromHex } from '../../protocol/emv/hex.ts';
import { parseTlv, type Tlv } from '../../protocol/emv/tlv.ts';
import { externalAuthenticate, OK, send } from './apdu.ts';
import { AIP, TSI, TVR } from './bits.ts';
import type { DataStore } from './data-store.ts';
import type { CardConnection } from './card-connection.ts';
import type { IssuerAnswer } from './issuer-answer.ts';

/**
 * Authorisation response codes (ISO 8583 field 39) when the issuer sends none; Z3 when it is unreachable (EMV 4.4
 * Book 4 Annex A6).
 */
const RESPONSE_CODES = { approved: '00', declined: '05', unreachable: 'Z3' } as const;

/** Issuer scripts of an answer, before and after the second GENERATE AC. */
interface IssuerData {
  scriptsBefore: Uint8Array[];
  scriptsAfter: Uint8Array[];
}

/**
 * Stores the authorisation response code (8A) and the issuer authentication data (91), which are sent to the card in
 * EXTERNAL AUTHENTICATE or the second GENERATE AC (EMV 4.4 Book 3 §10.9). Returns the issuer scripts.
 */
export function storeIssuerAnswer(store: DataStore, answer: IssuerAnswer | undefined): IssuerData {
  const objects = answer ? objectsOf(answer) : [];
  const valuesOf = (tag: string) => objects.filter((object) => object.tag === tag).map(({ value }) => value);
  const code = valuesOf('8A')[0];
  const fallback = Buffer.from(RESPONSE_CODES[answer?.outcome ?? 'unreachable'], 'latin1');
  store.put('8A', code?.length === 2 ? code : fallback);
  const authentication = valuesOf('91')[0];
  if (authentication && authentication.length >= 8 && authentication.length <= 16) {
    store.put('91', authentication);
  }
  return { scriptsBefore: valuesOf('71'), scriptsAfter: valuesOf('72') };
}

/** Parses the data for the card. An answer with malformed data has none; its outcome still counts. */
function objectsOf({ chip }: IssuerAnswer): Tlv[] {
  try {
    return chip ? parseTlv(fromHex(chip.emv)) : [];
  } catch {
    return [];
  }
}

/** Sends EXTERNAL AUTHENTICATE when the AIP requires it. A failure sets the TVR and does not end the transaction. */
export async function authenticateIssuer(connection: CardConnection, store: DataStore): Promise<void> {
  const data = store.get('91');
  if (!data || !store.has(AIP.issuerAuthentication)) return;
  const { status } = await send(connection, externalAuthenticate(data));
  store.setBit(TSI.issuerAuthentication);
  if (status !== OK) store.setBit(TVR.issuerAuthenticationFailed);
}
