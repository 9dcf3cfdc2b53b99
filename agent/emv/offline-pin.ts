import { rsaRecover } from '../../protocol/cryptography/rsa.ts';
import { fromHex } from '../../protocol/emv/hex.ts';
import { concat } from '../../protocol/emv/tlv.ts';
import type { Random } from '../../protocol/ids.ts';
import { requireSuccess, getChallenge, getData, OK, statusWordError, send, verify } from './apdu.ts';
import { TVR } from './bits.ts';
import { CardError, type CardConnection } from './card-connection.ts';
import { pinPublicKey } from './certificates.ts';
import { primitivesOf, type DataStore } from './data-store.ts';
import { recoverIssuerKey, staticDataToAuthenticate } from './offline-data-authentication.ts';
import type { PublicKey } from './public-keys.ts';

const PIN_TRY_COUNTER = 0x9f17;
const BLOCKED = [0x6983, 0x6984];
const ENCIPHERED_DATA = 0x7f;

// The PIN try counter has four bits. The limit ends the loop for a card that never blocks.
const TRIES_MAX = 15;

export interface OfflinePinParts {
  connection: CardConnection;
  store: DataStore;
  random: Random;
  /** Records that the ICC certificate signs. */
  signedRecords: Uint8Array;
  /** Resolves with the digits that the cardholder entered. */
  requestPin(): Promise<string>;
  /** Called when the card rejects a PIN; `triesLeft` is at least 1. */
  pinRejected(triesLeft: number): void;
}

/** `notPerformed`: no PIN was requested, because the card has no tries left or no key for PIN encipherment. */
export type OfflinePinResult = 'right' | 'blocked' | 'notPerformed';

/**
 * Performs offline PIN verification by the card (EMV 4.4 Book 3 §10.5.1).
 * @throws CardError for other status words.
 */
export async function verifyOfflinePin(
  parts: OfflinePinParts,
  enciphered: boolean,
): Promise<OfflinePinResult> {
  const { connection, store } = parts;
  if ((await triesLeft(connection)) === 0) {
    store.setBit(TVR.pinTryLimitExceeded);
    return 'notPerformed';
  }
  const key = enciphered ? recoverPinKey(parts) : undefined;
  if (enciphered && !key) return 'notPerformed';
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const block = offlinePinBlock(await parts.requestPin());
    const command = key ? verify(0x88, await encipherPin(parts, key, block)) : verify(0x80, block);
    const { status } = await send(connection, command);
    if (status === OK) return 'right';
    const isWrong = status >> 4 === 0x63c;
    if (!isWrong && !BLOCKED.includes(status)) throw statusWordError(command, status);
    const left = isWrong ? status & 0x0f : 0;
    if (left === 0) break;
    parts.pinRejected(left);
  }
  store.setBit(TVR.pinTryLimitExceeded);
  return 'blocked';
}

/** Reads the PIN try counter (9F17); undefined when the card does not return it. */
async function triesLeft(connection: CardConnection): Promise<number | undefined> {
  const { data, status } = await send(connection, getData(PIN_TRY_COUNTER));
  if (status !== OK) return undefined;
  return primitivesOf(data).find(({ tag }) => tag === '9F17')?.value[0];
}

/**
 * Returns the plaintext offline PIN block: control 2, length, digits, padded with F (EMV 4.4 Book 3 §6.5.12, Table
 * 24).
 */
export function offlinePinBlock(digits: string): Uint8Array {
  return fromHex(`2${digits.length.toString(16)}${digits}`.padEnd(16, 'F'));
}

function recoverPinKey({ store, signedRecords }: OfflinePinParts): PublicKey | undefined {
  const issuer = recoverIssuerKey(store);
  const staticData = staticDataToAuthenticate(store, signedRecords);
  return issuer && staticData && pinPublicKey(issuer, store, staticData);
}

/** Enciphers the PIN block with the card's challenge and random padding (Book 2 §7.2). */
async function encipherPin(parts: OfflinePinParts, key: PublicKey, block: Uint8Array): Promise<Uint8Array> {
  const command = getChallenge();
  const challenge = requireSuccess(command, await send(parts.connection, command));
  if (challenge.length !== 8) throw new CardError('wrong_length', 'GET CHALLENGE: not eight bytes');
  const padding = parts.random.bytes(key.modulus.length - 17);
  const plain = concat(Uint8Array.of(ENCIPHERED_DATA), block, challenge, padding);
  return rsaRecover(key.modulus, key.exponent, plain);
}
