import { fromHex } from '../../../protocol/emv/hex.ts';
import { concat, encodeTlv } from '../../../protocol/emv/tlv.ts';
import { CURRENCY_NUMBERS, isCurrency } from '../../../protocol/money.ts';
import type { CardRequest } from '../reader.ts';
import { CARD_TIMEOUT_S, INTERFACE, TAG } from './constants.ts';

const NO_CURRENCY = '0999';
/** Fallback to the stripe is allowed; the reader waits 96 s for the next command, longer than a PIN takes. */
const FALLBACK = Uint8Array.of(0x01, 0x00, 0x60);
/** Attended, online only (EMV 4.4 Book 4 Annex A1). */
const TERMINAL_TYPE = '21';

/** What the reader is told of the transaction (8.4.18; EMV 4.4 Book 3 Annex A). */
export function transactionObjects({ type, amountMinor, currency }: CardRequest): Uint8Array {
  return concat(
    encodeTlv('9C', fromHex(type === 'Refund' ? '20' : '00')),
    encodeTlv('9F02', fromHex(String(amountMinor).padStart(12, '0'))),
    encodeTlv('9F03', new Uint8Array(6)),
    encodeTlv('5F2A', fromHex(isCurrency(currency) ? CURRENCY_NUMBERS[currency] : NO_CURRENCY)),
  );
}

/** 02-40: the card may be tapped, inserted or swiped. */
export function activateAll(request: CardRequest): Uint8Array {
  const all = INTERFACE.stripe | INTERFACE.contactless | INTERFACE.contact;
  return concat(
    Uint8Array.of(CARD_TIMEOUT_S),
    transactionObjects(request),
    encodeTlv(TAG.interfaces, Uint8Array.of(all)),
    encodeTlv(TAG.fallback, FALLBACK),
  );
}

/** 02-01: the card may be tapped or swiped. */
export function activate(request: CardRequest): Uint8Array {
  return concat(Uint8Array.of(CARD_TIMEOUT_S), transactionObjects(request));
}

/** 60-10: the card is to be inserted. Seconds for that, and until the next command. */
export function contactStart(request: CardRequest): Uint8Array {
  const seconds = Uint8Array.of(0x00, CARD_TIMEOUT_S, FALLBACK[1]!, FALLBACK[2]!);
  return concat(Uint8Array.of(FALLBACK[0]!), seconds, transactionObjects(request));
}

/** Objects for the issuer (EMV 4.4 Book 3 §6.5.5.4), and how the cardholder was verified. */
const FOR_ISSUER =
  '57 5A 5F34 50 84 82 95 9A 9C 9F02 9F03 9F10 9F1A 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F41 5F2A';

/** 60-11: the card decides whether to go online; then seconds until the next command. */
const AS_CARD_DECIDES = Uint8Array.of(0x00, FALLBACK[1]!, FALLBACK[2]!);

/** 60-11: the objects that the result is to carry. By default a reader leaves out some that the issuer needs. */
export function contactAuthenticate(): Uint8Array {
  return concat(AS_CARD_DECIDES, encodeTlv(TAG.output, fromHex(FOR_ISSUER.replaceAll(' ', ''))));
}

/** 04-00: what does not change from one transaction to the next. */
export function configuration(countryCode: string): Uint8Array {
  return concat(
    encodeTlv('9F1A', fromHex(countryCode.padStart(4, '0'))),
    encodeTlv('9F35', fromHex(TERMINAL_TYPE)),
  );
}
