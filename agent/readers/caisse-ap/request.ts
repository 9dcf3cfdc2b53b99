import { isCurrency } from '../../../protocol/money.ts';
import type { CardRequest } from '../reader.ts';
import { currencyDigits } from '../till/outcomes.ts';
import { encodeRecord } from './record.ts';

/** Actions of a request (CD). */
export const ACTIONS = { debit: '0', credit: '1', cancel: '2', identify: 'I' } as const;
type Action = (typeof ACTIONS)[keyof typeof ACTIONS];

/** A message of the till. */
export interface CaisseRequest {
  action: Action;
  /** Absent for `identify`. */
  money?: { amountMinor: number; currency: string };
}

/** Version of the protocol that a request names; the answer may name another. */
const VERSION = '0300';

/** Identifier of the maker of the till (CJ). Terminals accept any. */
const IDENTIFIER = '012345678901';

/** Number of the till (CA), which the terminal returns. */
export const TILL = '01';

const AMOUNT_DIGITS_MAX = 12;

/** Returns why a request cannot be said in Caisse-AP, with the name of its field; undefined when it can. */
export function refuseRequest({ amountMinor, currency }: CardRequest): string | undefined {
  if (!isCurrency(currency)) return `currency: Caisse-AP has no number for ${currency}`;
  if (String(amountMinor).length > AMOUNT_DIGITS_MAX)
    return `amountMinor: Caisse-AP takes at most ${AMOUNT_DIGITS_MAX} digits`;
  return undefined;
}

/**
 * Encodes a request. It names no receipt, no private data and no partial payment (BF), which newer terminals reject.
 * @param identifier identifier of the maker of the till
 */
export function encodeRequest(
  { action, money }: CaisseRequest,
  identifier: string = IDENTIFIER,
): Uint8Array<ArrayBuffer> {
  const text = [
    encodeRecord('CZ', VERSION),
    encodeRecord('CJ', identifier),
    encodeRecord('CA', TILL),
    money && encodeRecord('CB', String(money.amountMinor).padStart(2, '0')),
    encodeRecord('CD', action),
    money && encodeRecord('CE', currencyDigits(money.currency)),
  ];
  return Uint8Array.from(Buffer.from(text.filter((record) => record !== undefined).join(''), 'ascii'));
}
