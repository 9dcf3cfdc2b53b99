import { Fault } from '../../../protocol/failures.ts';
import { isObject, parseOutsideJson } from '../../../protocol/outside-json.ts';
import {
  deriveKeys,
  NONCE_BYTES,
  openMessage,
  sealMessage,
  type NexoKeys,
  type SealedMessage,
} from './sealed-message.ts';
import type { NexoSettings } from './settings.ts';

/** A message of the till: its category, the number that it is known by later, and its content. */
export interface NexoRequest {
  category: 'Payment' | 'Reversal' | 'TransactionStatus' | 'Diagnosis';
  /** 1 to 10 letters and digits, unique for 48 hours. */
  serviceId: string;
  body: Record<string, unknown>;
}

type Json = Record<string, unknown>;

/** Encodes the messages of one till to one terminal, encrypted where the settings have a key. */
export interface NexoCodec {
  /** Name of the till. */
  readonly saleId: string;
  encode(request: NexoRequest): string;
  /**
   * Returns the content of the response to a request, such as its `PaymentResponse`.
   * @throws Fault `reader` that names the member, for a response to another request too.
   */
  decode(text: string, request: NexoRequest): Json;
}

/** @param newNonce returns that many random bytes, for each message that is encrypted. */
export function createNexoCodec(
  { poiId, saleId, key }: NexoSettings,
  newNonce: (count: number) => Uint8Array,
): NexoCodec {
  let derived: NexoKeys | undefined;
  const keysOf = (passphrase: string) => (derived ??= deriveKeys(passphrase));
  const headerOf = ({ category, serviceId }: NexoRequest, type: 'Request' | 'Response') => ({
    ProtocolVersion: '3.0',
    MessageClass: 'Service',
    MessageCategory: category,
    MessageType: type,
    ServiceID: serviceId,
    SaleID: saleId,
    POIID: poiId,
  });
  return {
    saleId,
    encode(request) {
      const MessageHeader = headerOf(request, 'Request');
      const clear = JSON.stringify({
        SaleToPOIRequest: { MessageHeader, [`${request.category}Request`]: request.body },
      });
      if (!key) return clear;
      const sealed = sealMessage(clear, key, keysOf(key.passphrase), newNonce(NONCE_BYTES));
      return JSON.stringify({ SaleToPOIRequest: { MessageHeader, ...sealed } });
    },
    decode(text, request) {
      const expected = headerOf(request, 'Response');
      const outer = responseIn(text);
      assertHeader(outer['MessageHeader'], expected);
      if (!key) return contentOf(outer, request);
      const inner = responseIn(openMessage(sealedIn(outer), key, keysOf(key.passphrase)));
      assertHeader(inner['MessageHeader'], expected);
      return contentOf(inner, request);
    },
  };
}

/** @throws Fault `reader` when the text holds no response. */
function responseIn(text: string): Json {
  let found: unknown;
  try {
    found = parseOutsideJson(text);
  } catch (error) {
    throw new Fault('reader', 'response: it is not JSON', { cause: error });
  }
  const response = isObject(found) ? found['SaleToPOIResponse'] : undefined;
  if (!isObject(response)) throw new Fault('reader', 'response: it has no SaleToPOIResponse');
  return response;
}

function assertHeader(found: unknown, expected: Record<string, string>): void {
  if (!isObject(found)) throw new Fault('reader', 'response: it has no MessageHeader');
  for (const member of ['MessageType', 'MessageCategory', 'ServiceID', 'SaleID', 'POIID'])
    if (found[member] !== expected[member])
      throw new Fault('reader', `response: ${member} of its MessageHeader is that of another message`);
}

function contentOf(response: Json, { category }: NexoRequest): Json {
  const content = response[`${category}Response`];
  if (!isObject(content)) throw new Fault('reader', `response: it has no ${category}Response`);
  return content;
}

/** Returns the encrypted content of a message. @throws Fault `reader` when there is none. */
export function sealedIn(response: Json): SealedMessage {
  const { NexoBlob, SecurityTrailer } = response;
  if (typeof NexoBlob !== 'string' || !isObject(SecurityTrailer))
    throw new Fault('reader', 'response: it is not encrypted');
  const { AdyenCryptoVersion, KeyIdentifier, KeyVersion, Nonce, Hmac } = SecurityTrailer;
  if (AdyenCryptoVersion !== 1) throw new Fault('reader', 'SecurityTrailer: AdyenCryptoVersion is not 1');
  if (typeof KeyIdentifier !== 'string' || typeof KeyVersion !== 'number')
    throw new Fault('reader', 'SecurityTrailer: KeyIdentifier or KeyVersion is missing');
  if (typeof Nonce !== 'string' || typeof Hmac !== 'string')
    throw new Fault('reader', 'SecurityTrailer: Nonce or Hmac is missing');
  return { NexoBlob, SecurityTrailer: { AdyenCryptoVersion, KeyIdentifier, KeyVersion, Nonce, Hmac } };
}

/** Returns the member of an object at a path; undefined where there is none. */
export function memberAt(value: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((found, name) => (isObject(found) ? found[name] : undefined), value);
}

/** The same for a text. */
export function textAt(value: unknown, ...path: string[]): string | undefined {
  const found = memberAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}
