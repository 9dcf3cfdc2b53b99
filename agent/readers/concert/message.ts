import { formatMinor, isCurrency } from '../../../protocol/money.ts';
import type { CardRequest } from '../reader.ts';
import { terminalCard } from '../terminal-card.ts';
import type { DeviceOutcome } from '../till/language.ts';
import { currencyDigits, unknown } from '../till/outcomes.ts';

/** Types of a request. */
export const TYPES = { debit: '0', credit: '1', cancel: '2' } as const;

/** A request of the till. */
export interface ConcertRequest {
  type: (typeof TYPES)[keyof typeof TYPES];
  amountMinor: number;
  currency: string;
  /** Ten characters that the terminal returns; blanks for none. */
  privateData: string;
}

/** Number of the till, which the terminal returns. */
const TILL = '01';

/** Payment by card. */
const CARD = '1';

/** Without the data of the card in the answer, which has its whole number. */
const NO_CARD_DATA = '0';

/** Options of the form E+: the answer at the end of the payment, and the authorisation as the terminal chooses. */
const OPTIONS = 'A010B010';

const AMOUNT_DIGITS_MAX = 8;
export const NO_PRIVATE_DATA = ' '.repeat(10);

/** Returns why a request cannot be said in Concert, with the name of its field; undefined when it can. */
export function refuseRequest({ amountMinor, currency }: CardRequest): string | undefined {
  if (!isCurrency(currency)) return `currency: Concert has no number for ${currency}`;
  if (String(amountMinor).length > AMOUNT_DIGITS_MAX)
    return `amountMinor: Concert takes at most ${AMOUNT_DIGITS_MAX} digits`;
  return undefined;
}

/** Returns the text of a request in the form E+, 34 characters. */
export function requestText({ type, amountMinor, currency, privateData }: ConcertRequest): string {
  const amount = String(amountMinor).padStart(AMOUNT_DIGITS_MAX, '0');
  return `${TILL}${amount}${NO_CARD_DATA}${CARD}${type}${currencyDigits(currency)}${privateData}${OPTIONS}`;
}

/** Lengths of an answer, without and with the data of the card, which some terminals send unasked. */
export const [SHORT, LONG] = [25, 80];
const CARD_DATA = { start: 12, end: 67 };

/** Returns the outcome that an answer to a request gives. What does not fit the request is unknown, never a success. */
export function outcomeOf(text: string, request: ConcertRequest): DeviceOutcome {
  if (text.length !== SHORT && text.length !== LONG)
    return unknown(`answer: it has ${SHORT} or ${LONG} characters, not ${text.length}`);
  const difference = differenceOf(text, request);
  if (difference !== undefined) return unknown(difference);
  switch (text[2]) {
    case '0':
      return approvalIn(text, request);
    case '7':
      return { type: 'declined', reason: 'not accepted' };
    case '9':
      return unknown('the terminal took the request and sends no result (status 9)');
    default:
      return unknown('answer: its status is none that is known');
  }
}

function differenceOf(
  text: string,
  { amountMinor, currency, privateData }: ConcertRequest,
): string | undefined {
  const [number, returned] = [text.slice(-13, -10), text.slice(-10)];
  if (text.slice(0, 2) !== TILL) return 'answer: it is for another till';
  if (number !== currencyDigits(currency)) return 'answer: its currency is that of another request';
  if (returned !== privateData && returned.trim() !== '')
    return 'answer: its private data is that of another request';
  const amount = text.slice(3, 11);
  if (!/^[0-9]{8}$/.test(amount)) return 'answer: its amount is no number';
  if (Number(amount) === amountMinor) return undefined;
  return `the answer is about ${formatMinor(Number(amount), currency)}, not ${formatMinor(amountMinor, currency)}`;
}

function approvalIn(text: string, { privateData }: ConcertRequest): DeviceOutcome {
  const data = text.length === LONG ? text.slice(CARD_DATA.start, CARD_DATA.end) : '';
  const number = /^[0-9*#]{8,19}/.exec(data)?.[0] ?? '';
  return {
    type: 'approved',
    card: terminalCard({ number, expiry: '' }),
    approval: { authorisationCode: '', reference: privateData.trim() || 'last' },
  };
}
