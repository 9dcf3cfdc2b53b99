import type { Tlv } from '../../protocol/emv/tlv.ts';
import { generateAc, OK, statusWordError, send } from './apdu.ts';
import { TSI, TVR } from './bits.ts';
import { CardError, type CardConnection } from './card-connection.ts';
import { unwrapTemplate, parseFromCard, primitivesOf, type DataStore } from './data-store.ts';
import { dolValues } from './dol.ts';
import { verifyCda } from './offline-data-authentication.ts';
import type { PublicKey } from './public-keys.ts';

/** Cryptogram type: declined, approved offline, online authorisation requested (EMV 4.4 Book 3 §9.1). */
export type CryptogramKind = 'AAC' | 'TC' | 'ARQC';

const CONTROL = { AAC: 0x00, TC: 0x40, ARQC: 0x80 } as const;
const WITH_CDA = 0x10;

/** Cryptograms that the card may return for each request (§9.3). */
const ALLOWED: Record<CryptogramKind, CryptogramKind[]> = {
  AAC: ['AAC'],
  ARQC: ['ARQC', 'AAC'],
  TC: ['TC', 'AAC'],
};

interface CryptogramRequest {
  kind: CryptogramKind;
  /** CDOL1 (8C) for the first GENERATE AC, CDOL2 (8D) for the second. */
  list: '8C' | '8D';
  /** Requests a CDA signature. `sent` has the values sent before (PDOL). */
  combined?: { cardKey: PublicKey; sent: Uint8Array[] };
}

export interface Cryptogram {
  kind: CryptogramKind;
  /** Reason code of the card for an AAC, as text for a log; empty when it has none. */
  reason: string;
  /** The CDA signature is missing or wrong: the cryptogram must not be used. */
  signatureFailed: boolean;
}

/** Reasons in the low bits of the cryptogram information data (Book 3 Table 15). */
const REASONS = ['', 'service not allowed', 'PIN try limit exceeded', 'issuer authentication failed'];

/**
 * Sends GENERATE AC and stores the cryptogram with its data (EMV 4.4 Book 3 §6.5.5, §10.8, §10.11). Verifies the CDA
 * signature when `combined` is given.
 * @throws CardError when the response is malformed or its cryptogram type is not allowed.
 */
export async function generateCryptogram(
  connection: CardConnection,
  store: DataStore,
  request: CryptogramRequest,
): Promise<Cryptogram> {
  const values = dolValues(store.need(request.list), store);
  const combined = request.kind === 'AAC' ? undefined : request.combined;
  const command = generateAc(CONTROL[request.kind] | (combined ? WITH_CDA : 0), values);
  const { data, status } = await send(connection, command);
  if (status !== OK) throw statusWordError(command, status);

  const objects = parseResponse(data);
  for (const object of objects) store.putFromCard(object);
  const information = valueOf(objects, '9F27')[0]!;
  valueOf(objects, '9F36');
  const kind = kindOf(information);
  if (!kind || !ALLOWED[request.kind].includes(kind)) {
    throw new CardError(
      'wrong_cryptogram',
      `the card answers a request for ${request.kind} with another kind`,
    );
  }
  store.setBit(TSI.cardRiskManagement);
  const reason = REASONS[information & 0x07] ?? '';
  // §10.8: an AAC is not signed.
  if (!combined || kind === 'AAC') {
    valueOf(objects, '9F26');
    return { kind, reason, signatureFailed: false };
  }
  store.setBit(TSI.dataAuthentication);
  const signed = verifyCda(store, combined.cardKey, {
    sent: [...combined.sent, values],
    answered: objects,
  });
  if (signed) store.put('9F26', signed.cryptogram);
  else store.setBit(TVR.cdaFailed);
  return { kind, reason, signatureFailed: !signed };
}

/** Parses format 1 (template 80, four concatenated values) and format 2 (template 77, data objects) (§6.5.5.4). */
function parseResponse(data: Uint8Array): Tlv[] {
  if (parseFromCard(data)[0]?.tag !== '80') return primitivesOf(unwrapTemplate(data, '77'));
  const value = unwrapTemplate(data, '80');
  if (value.length < 11) throw new CardError('wrong_length', 'GENERATE AC: an answer without cryptogram');
  return [
    { tag: '9F27', value: value.slice(0, 1) },
    { tag: '9F36', value: value.slice(1, 3) },
    { tag: '9F26', value: value.slice(3, 11) },
    ...(value.length > 11 ? [{ tag: '9F10', value: value.slice(11) }] : []),
  ];
}

function valueOf(objects: Tlv[], tag: string): Uint8Array {
  const found = objects.find((object) => object.tag === tag);
  if (!found) throw new CardError('missing_data', `GENERATE AC: the answer has no ${tag}`);
  return found.value;
}

/** Returns the cryptogram type, bits 8 and 7 of the cryptogram information data (Book 3 Table 15). */
export function kindOf(information: number): CryptogramKind | undefined {
  return (['AAC', 'TC', 'ARQC'] as const)[(information & 0xc0) >> 6];
}
