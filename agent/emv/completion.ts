import { fromHex } from '../../protocol/emv/hex.ts';
import { concat, parseTlv, type Tlv } from '../../protocol/emv/tlv.ts';
import type { ChipResponse } from '../../protocol/messages/card-data.schema.ts';
import { externalAuthenticate, OK, send } from './apdu.ts';
import { AIP, TSI, TVR, type Bit } from './bits.ts';
import type { CardConnection } from './card-connection.ts';
import { parseFromCard, type DataStore } from './data-store.ts';
import { generateCryptogram } from './generate-ac.ts';

/** The issuer's authorisation response, with the data for the card. */
export interface IssuerAnswer {
  outcome: 'approved' | 'declined';
  chip?: ChipResponse;
}

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
function storeIssuerAnswer(store: DataStore, answer: IssuerAnswer | undefined): IssuerData {
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
async function authenticateIssuer(connection: CardConnection, store: DataStore): Promise<void> {
  const data = store.get('91');
  if (!data || !store.has(AIP.issuerAuthentication)) return;
  const { status } = await send(connection, externalAuthenticate(data));
  store.setBit(TSI.issuerAuthentication);
  if (status !== OK) store.setBit(TVR.issuerAuthenticationFailed);
}

const COMMANDS_MAX = 16;
const NOT_PERFORMED = 0x00;
const FAILED = 0x10;
const SUCCEEDED = 0x20;

/**
 * Sends issuer scripts to the card (EMV 4.4 Book 3 §10.10): template 71 before the second GENERATE AC, 72 after it.
 * A script ends at the first command that fails. Stores the issuer script results (9F5B, Book 4 Annex A5).
 */
async function runScripts(
  connection: CardConnection,
  store: DataStore,
  scripts: { template: '71' | '72'; values: Uint8Array[] },
): Promise<void> {
  const failure: Bit = scripts.template === '71' ? TVR.scriptFailedBeforeFinal : TVR.scriptFailedAfterFinal;
  for (const script of scripts.values) {
    store.setBit(TSI.scriptProcessing);
    const result = await runScript(connection, script);
    if ((result[0]! & 0xf0) !== SUCCEEDED) store.setBit(failure);
    store.put('9F5B', concat(store.get('9F5B') ?? new Uint8Array(0), result));
  }
}

/**
 * Returns the issuer script result: result and number of the failed command in byte 1, then the script identifier
 * (9F18).
 */
async function runScript(connection: CardConnection, script: Uint8Array): Promise<Uint8Array> {
  let objects;
  try {
    objects = parseFromCard(script);
  } catch {
    return Uint8Array.of(NOT_PERFORMED, 0, 0, 0, 0);
  }
  const identifier = objects.find(({ tag, value }) => tag === '9F18' && value.length === 4)?.value;
  const commands = objects.filter(({ tag }) => tag === '86').slice(0, COMMANDS_MAX);
  const outcome = (result: number) => concat(Uint8Array.of(result), identifier ?? new Uint8Array(4));
  for (const [at, command] of commands.entries()) {
    const response = await connection.transceive(command.value);
    const sw1 = response.at(-2) ?? 0;
    // §10.10: a warning (62xx, 63xx) is not a failure.
    if (![0x90, 0x62, 0x63].includes(sw1)) return outcome(FAILED | Math.min(at + 1, 0x0f));
  }
  return outcome(SUCCEEDED);
}

/** Whether the card agreed with the issuer's answer. */
export type Completion = { outcome: 'completed' } | { outcome: 'refused'; reason: string };

/**
 * Completes a transaction (EMV 4.4 Book 3 §10.9 to §10.11): sends the issuer's answer to the card, which may refuse
 * an approval in its second cryptogram. The second cryptogram is requested without CDA, because the issuer has
 * verified the first (Book 4 §6.3.2.1, CDA mode 2). Without an answer an AAC is requested: nothing is approved offline.
 */
export async function completeTransaction(
  connection: CardConnection,
  store: DataStore,
  answer: IssuerAnswer | undefined,
): Promise<Completion> {
  const { scriptsBefore, scriptsAfter } = storeIssuerAnswer(store, answer);
  await authenticateIssuer(connection, store);
  await runScripts(connection, store, { template: '71', values: scriptsBefore });
  const wanted = answer?.outcome === 'approved' ? 'TC' : 'AAC';
  const { kind, reason } = await generateCryptogram(connection, store, { kind: wanted, list: '8D' });
  await runScripts(connection, store, { template: '72', values: scriptsAfter });
  if (kind === wanted) return { outcome: 'completed' };
  return { outcome: 'refused', reason: reason || 'the card refused what its issuer had approved' };
}
