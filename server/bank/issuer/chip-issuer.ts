import { createHmac } from 'node:crypto';
import { DUKPT } from '../../../protocol/cryptography/dukpt.ts';
import type { TransactionKeys } from '../../../protocol/cryptography/dukpt-counter.ts';
import { fromHex, toHex } from '../../../protocol/emv/hex.ts';
import { parseTlv } from '../../../protocol/emv/tlv.ts';
import type { ChipRequest, ChipResponse, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { CURRENCY_NUMBERS, isCurrency } from '../../../protocol/money.ts';
import { schemeOf } from './card.ts';
import { readCardData, type CardData } from './card-data.ts';
import { checkCryptogram, unauthenticatedDecline } from './cryptogram-check.ts';
import { isPinOf } from './test-cards.ts';

/** An authorisation request of a terminal with real card data, and the server's data of its action. */
interface ChipAuthorisation {
  chip: ChipRequest;
  card: MaskedCard;
  verification: string;
  type: 'Payment' | 'Refund';
  amountMinor: number;
  currency: string;
  /** The keys of the transaction, which the terminal has used once. */
  keys: TransactionKeys;
  /** Keys the digest of a cryptogram. */
  secret: string;
}

/** Declines for invalid chip data (docs/choices.md, Cryptograms). */
export const UNTRUSTED_CARD = 'suspected_fraud';
export const UNTRUSTED_TERMINAL = 'security_violation';
const WRONG_PIN = 'security_violation';

export interface ChipDecline {
  outcome: 'declined';
  code: string;
  /** For the log: never a value of the data. */
  reason: string;
  /** As that of a check; undefined also when the cryptogram is not good. */
  digest: string | undefined;
  /** The response for the card; absent for a stripe. */
  answer: ChipResponse | undefined;
}

export interface ChipCheck {
  outcome: 'trusted';
  /** Which cryptogram it was, unreadable; undefined for a stripe. The same one may not come twice. */
  digest: string | undefined;
  answer(outcome: 'approved' | 'declined'): ChipResponse | undefined;
  decline(code: string, reason: string): ChipDecline;
}

/**
 * Checks card, cryptogram and PIN of a request. The issuer's decision follows (server/bank/issuer/issuer.ts). The card
 * number is not passed on.
 * @throws Fault `garbage_message` when the keys do not open the data, or the data cannot be read.
 */
export function checkChip(request: ChipAuthorisation): ChipCheck | ChipDecline {
  const { chip, card } = request;
  const dukpt = DUKPT[chip.cardData.scheme];
  const data = readCardData(dukpt.openData(request.keys, fromHex(chip.cardData.cipherText)));
  const isStripe = chip.emv === '';
  const refuse = (code: string, reason: string): ChipDecline => ({
    outcome: 'declined',
    code,
    reason,
    digest: undefined,
    answer: isStripe ? undefined : { emv: unauthenticatedDecline() },
  });
  if (!isCard(card, data)) {
    return refuse(UNTRUSTED_CARD, 'the card data are of another card');
  }
  const trusted = isStripe ? stripe() : chipOf(request, data, refuse);
  if (trusted.outcome === 'declined') return trusted;
  return isPinRight(request, data) ? trusted : trusted.decline(WRONG_PIN, 'the PIN is wrong');
}

/** Whether the terminal names the card that it sealed, which is not to be one that lasts longer either. */
function isCard(named: MaskedCard, { number, expiry }: CardData): boolean {
  const { scheme, bin, last4, expiryYear, expiryMonth } = named;
  const isNumber = number.startsWith(bin) && number.endsWith(last4) && schemeOf(number) === scheme;
  return isNumber && (expiry === undefined || expiry === expiryYear.slice(2) + expiryMonth);
}

function stripe(): ChipCheck {
  return {
    outcome: 'trusted',
    digest: undefined,
    answer: () => undefined,
    decline: (code, reason) => ({
      outcome: 'declined',
      code,
      reason,
      digest: undefined,
      answer: undefined,
    }),
  };
}

function chipOf(
  request: ChipAuthorisation,
  data: CardData,
  refuse: (code: string, reason: string) => ChipDecline,
): ChipCheck | ChipDecline {
  const objects = new Map(parseTlv(fromHex(request.chip.emv)).map(({ tag, value }) => [tag, value]));
  const lookup = (tag: string) => objects.get(tag);
  const good = checkCryptogram(request.card.scheme, data, lookup);
  if (!good) return refuse(UNTRUSTED_CARD, 'the cryptogram is not that of the card');
  const digest = createHmac('sha256', request.secret)
    .update(`${data.number}:${data.sequenceNumber}:${toHex(lookup('9F36')!)}:${toHex(lookup('9F26')!)}`)
    .digest('base64url');
  const answer = (outcome: 'approved' | 'declined'): ChipResponse => ({ emv: good.answer(outcome) });
  const decline = (code: string, reason: string): ChipDecline => ({
    outcome: 'declined',
    code,
    reason,
    digest,
    answer: answer('declined'),
  });
  const differs = differenceOf(request, lookup);
  if (differs) return decline(UNTRUSTED_CARD, `the cryptogram is of ${differs}`);
  if (isHolderInDoubt(lookup)) return decline(WRONG_PIN, 'the holder of the card was not verified');
  return { outcome: 'trusted', digest, answer, decline };
}

const TRANSACTION_TYPES = { Payment: '00', Refund: '20' };

/** In what a cryptogram, though good, is not of this action; undefined when it is. */
function differenceOf(
  { type, amountMinor, currency }: ChipAuthorisation,
  lookup: (tag: string) => Uint8Array | undefined,
): string | undefined {
  const has = (tag: string, expected: string) => toHex(lookup(tag) ?? new Uint8Array(0)) === expected;
  if (!has('9F02', String(amountMinor).padStart(12, '0'))) return 'another amount';
  if (!isCurrency(currency) || !has('5F2A', CURRENCY_NUMBERS[currency])) return 'another currency';
  if (!has('9C', TRANSACTION_TYPES[type])) return 'another type of transaction';
  // EMV 4.4 Book 3 §6.5.5.4, tag 9F27: the high two bits are 10 for an online request (ARQC). A refund needs
  // no approval of the card, so the card may also have declined (00, AAC).
  const kind = (lookup('9F27')?.[0] ?? 0x80) >> 6;
  const expected = type === 'Refund' ? [0b10, 0b00] : [0b10];
  return expected.includes(kind) ? undefined : 'a card that does not ask its issuer';
}

/**
 * EMV 4.4 Book 3 Annex C5, byte 3 of the terminal verification results: no method of verifying the holder
 * succeeded (bit 8), or the card has blocked its PIN (bit 6), perhaps before this transaction.
 */
function isHolderInDoubt(lookup: (tag: string) => Uint8Array | undefined): boolean {
  return ((lookup('95')?.[2] ?? 0) & 0xa0) !== 0;
}

function isPinRight({ chip, verification, keys }: ChipAuthorisation, data: CardData): boolean {
  const { pin, cardData } = chip;
  if (!pin) return verification !== 'OnlinePin';
  if (pin.scheme !== cardData.scheme || pin.ksn !== cardData.ksn) return false;
  return isPinOf(data.number, DUKPT[pin.scheme].openPin(keys, fromHex(pin.pinBlock), data.number));
}
