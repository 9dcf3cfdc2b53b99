import type { EntryMode, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import type { Transaction } from '../stand-alone/journal.ts';
import type { Ecr17Request } from './requests.ts';

/** Result in position 11: done, not done, no card there, tag of the additional data not known. */
export const RESULT = { done: '00', notDone: '01', noCard: '05', unknownTag: '09' } as const;
export type Result = (typeof RESULT)[keyof typeof RESULT];

const ACQUIRER = '00000000001';
const TEXT_LETTERS = 24;

const ENTRY_CODES: Record<EntryMode, string> = {
  Contact: 'ICC',
  Contactless: 'CLI',
  Wallet: 'CLI',
  Swipe: 'MAG',
};

/** A number in so many digits, the last ones where it has more. */
export function digits(value: number | string, count: number): string {
  return String(value).padStart(count, '0').slice(-count);
}

/** Day of the year, hour and minute. */
function dayAndTime(atMs: number): string {
  const date = new Date(atMs);
  const day = Math.floor((atMs - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
  return `${digits(day, 3)}${date.toISOString().slice(11, 16).replace(':', '')}`;
}

const cardType = ({ fundingType }: MaskedCard): string => (fundingType === 'Debit' ? '1' : '2');
const cardNumber = ({ last4 }: MaskedCard): string => digits(last4, 19);
const entryCode = ({ entryMode }: MaskedCard): string => ENTRY_CODES[entryMode ?? 'Contact'];
const text24 = (text: string): string => text.slice(0, TEXT_LETTERS).padEnd(TEXT_LETTERS);

/** What an answer is about: a transaction of the bank, or why there is none. */
export type Outcome = { transaction: Transaction } | { result: Result; text: string };

/** The part that `E`, `V` and `c` have in common: 71 characters with the head of ten. */
function common(head: string, outcome: Outcome): string {
  if ('result' in outcome) {
    const none = `2${ACQUIRER}${digits(0, 6)}${digits(0, 6)}`;
    return `${head}${outcome.result}${text24(outcome.text)}${digits(0, 11)}${none}`;
  }
  const { card, authorisationCode, atMs, kind, resultCode, traceNumber, receiptNumber } = outcome.transaction;
  const tail = `${cardType(card)}${ACQUIRER}${digits(traceNumber, 6)}${digits(receiptNumber, 6)}`;
  if (resultCode !== 0) return `${head}${RESULT.notDone}${text24('CARTA RIFIUTATA')}${digits(0, 11)}${tail}`;
  const code = kind === 'reversal' ? digits(0, 6) : digits(authorisationCode, 6);
  return `${head}${RESULT.done}${cardNumber(card)}${entryCode(card)}${code}${dayAndTime(atMs)}${tail}`;
}

const action = (outcome: Outcome): string =>
  digits('result' in outcome ? 999 : outcome.transaction.resultCode, 3);
const amountOf = (outcome: Outcome): number => ('result' in outcome ? 0 : outcome.transaction.amountMinor);

/** A conversion to the currency of the card, for the answer `V`. */
interface Conversion {
  /** Units of the other currency for one euro, with four decimals. */
  rate: number;
  /** ISO 4217 number, three digits. */
  currency: string;
}

const TEN_ZEROS = digits(0, 10);

/** `E` to `P` and `H`, 71 characters. */
export function paymentAnswer(terminalId: string, outcome: Outcome): string {
  return common(`${terminalId}0E`, outcome);
}

/** `E` to `X`, 92 characters; `V`, 117, where the currency was converted. */
export function extendedAnswer(
  terminalId: string,
  outcome: Outcome,
  conversion: Conversion | undefined,
): string {
  const code = conversion ? 'V' : 'E';
  const start = `${common(`${terminalId}0${code}`, outcome)}${action(outcome)}${digits(amountOf(outcome), 8)}`;
  return conversion ? `${start}1${converted(amountOf(outcome), conversion)}${TEN_ZEROS}` : start + TEN_ZEROS;
}

function converted(amountMinor: number, { rate, currency }: Conversion): string {
  const amount = Math.round((amountMinor * rate) / 10_000);
  return `${digits(rate, 8)}${currency}${digits(amount, 12)}2`;
}

/** `E` to `S` and `Q`, 84 characters. */
export function reversalAnswer(terminalId: string, outcome: Outcome): string {
  return `${common(`${terminalId}0E`, outcome)}${action(outcome)}${TEN_ZEROS}`;
}

/** `e` to `p`, 106 characters. */
export function reservationAnswer(terminalId: string, outcome: Outcome): string {
  const head = `${terminalId}0e`;
  if ('result' in outcome || outcome.transaction.resultCode !== 0) {
    const text = 'result' in outcome ? outcome.text : 'CARTA RIFIUTATA';
    const result = 'result' in outcome ? outcome.result : RESULT.notDone;
    return `${head}${result}${text24(text)}${action(outcome)}${digits(0, 31)}${reservationTail(outcome)}`;
  }
  const { card, authorisationCode, amountMinor, receiptNumber, atMs } = outcome.transaction;
  const done =
    `${head}${RESULT.done}${cardNumber(card)}${entryCode(card)}${digits(authorisationCode, 6)}` +
    `${digits(amountMinor, 8)}${digits(receiptNumber, 9)}${action(outcome)}${dayAndTime(atMs)}000`;
  return done + reservationTail(outcome);
}

function reservationTail(outcome: Outcome): string {
  if ('result' in outcome) return `2${ACQUIRER}${digits(0, 24)}`;
  const { card, traceNumber, receiptNumber } = outcome.transaction;
  return `${cardType(card)}${ACQUIRER}${digits(traceNumber, 6)}${digits(receiptNumber, 6)}${digits(0, 12)}`;
}

/** `i`, 75 characters. */
export function extensionAnswer(terminalId: string, outcome: Outcome): string {
  const head = `${terminalId}0i`;
  if ('result' in outcome) return `${head}${outcome.result}${text24(outcome.text)}`.padEnd(75, '0');
  const { card, authorisationCode, traceNumber, receiptNumber, atMs } = outcome.transaction;
  return (
    `${head}${RESULT.done}${cardNumber(card)}${entryCode(card)}${ACQUIRER}${digits(authorisationCode, 6)}` +
    `${digits(traceNumber, 6)}${digits(receiptNumber, 6)}${dayAndTime(atMs)}${action(outcome)}00`
  );
}

/** `c`, 74 characters. */
export function closeReservationAnswer(terminalId: string, outcome: Outcome): string {
  return `${common(`${terminalId}0c`, outcome)}${action(outcome)}`;
}

/** `A`, 58 characters. */
export function refundAnswer(terminalId: string, outcome: Outcome): string {
  const head = `${terminalId}0A`;
  if ('result' in outcome || outcome.transaction.resultCode !== 0) {
    const text = 'result' in outcome ? outcome.text : 'CARTA RIFIUTATA';
    return `${head}${RESULT.notDone}${text24(text)}`.padEnd(58, '0');
  }
  const { card, authorisationCode, atMs } = outcome.transaction;
  const done = `${cardNumber(card)}${entryCode(card)}${digits(authorisationCode, 6)}${ACQUIRER}`;
  return `${head}${RESULT.done}${done}${dayAndTime(atMs)}`;
}

/** `C`, 44 characters, and `T`, 34. */
export function totalsAnswer(terminalId: string, code: 'C' | 'T', sumMinor: number): string {
  const sum = digits(Math.max(sumMinor, 0), 16);
  return `${terminalId}0${code}${RESULT.done}${sum}${code === 'C' ? sum : digits(0, 6)}`;
}

const RELEASES = 'SYS03.4EEMV08.81';

/** `s`: date and time, state of the terminal, and its releases of eight characters each. */
export function statusAnswer(terminalId: string, atMs: number, state: string): string {
  const [year = '', month = '', day = ''] = new Date(atMs).toISOString().slice(2, 10).split('-');
  const time = new Date(atMs).toISOString().slice(11, 16).replace(':', '');
  return `${terminalId}0s${TEN_ZEROS}${day}${month}${year}${time}${state}${RELEASES}`;
}

/** `E` to `H` and `D`, where no bank is asked. */
export function cardAnswer(terminalId: string, card: MaskedCard, atMs: number): string {
  const tail = `${cardType(card)}${ACQUIRER}${digits(0, 12)}`;
  return `${terminalId}0E${RESULT.done}${cardNumber(card)}${entryCode(card)}${digits(0, 6)}${dayAndTime(atMs)}${tail}`;
}

/** `E` to `D`. */
export function downloadAnswer(terminalId: string): string {
  return `${terminalId}0E${RESULT.done}`.padEnd(71, '0');
}

/** `U`: the additional data that came, for a till that asks for it (ISO field 62). */
export function additionalAnswer(terminalId: string, data: string): string {
  return `${terminalId}0U${digits(0, 6)}${digits(data.length, 3)}${data}${TEN_ZEROS}`;
}

/** `K`: what became of a wallet payment, in one part. */
export function walletAnswer(terminalId: string, orderId: string): string {
  const pairs = [
    ['RESPID', '0'],
    ['RESPMSG', 'OK'],
    ['ORDER_ID', orderId],
  ];
  const xml = `<ecrres>${pairs.map(([key, value]) => `<p k="${key}">${value}</p>`).join('')}</ecrres>`;
  return `${terminalId}0K00000001${digits(0, 4)}${digits(xml.length, 4)}${xml}`;
}

const LINE_END = '\x7d';
const TICKET_END = `${LINE_END.repeat(6)}\x1b`;
const LARGE = '\x7f';
const TICKET_LETTERS = 200;

/** `S`: the text of tickets, in messages of at most 200 characters. */
export function ticketMessages(terminalId: string, tickets: readonly string[][]): string[] {
  if (tickets.length === 0) return [];
  const lines = tickets.flatMap(([title = '', ...others]) => [`${LARGE}${title.trim()}`, ...others, '', '']);
  const text = lines.map((line) => line.trimEnd() + LINE_END).join('') + TICKET_END;
  const parts = text.match(new RegExp(`[^]{1,${TICKET_LETTERS}}`, 'g')) ?? [];
  return parts.map((part) => `${terminalId}0S${part}`);
}

/** Whether the result of a message is what `G` sends again. */
export function isRepeatable({ code }: Pick<Ecr17Request, 'code'>): boolean {
  return 'PXpicSAQ'.includes(code);
}
