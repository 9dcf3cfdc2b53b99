import type { MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import type { TerminalMemory, Transaction } from '../stand-alone/journal.ts';
import type {
  MessageProblem,
  TerminalLanguage,
  TerminalReport,
  TillCommand,
} from '../stand-alone/terminal-language.ts';

/** Characters of a request of E, and of E+. */
const LENGTHS = [26, 34];

/** Fields of a request: where each begins, counted from 0, its form and its rule. */
const FIELDS = {
  till: { at: 0, form: /^[\x21-\x7e]{2}$/, rule: 'two letters or digits' },
  amount: { at: 2, form: /^[0-9]{8}$/, rule: 'eight digits' },
  wantsCard: { at: 10, form: /^[01]$/, rule: '0 or 1' },
  means: { at: 11, form: /^[0-9A-Z]$/, rule: 'a digit or a capital letter' },
  type: { at: 12, form: /^[0124]$/, rule: '0, 1, 2 or 4' },
  currency: { at: 13, form: /^[0-9]{3}$/, rule: 'three digits' },
} as const;
const PLUS_FIELDS = {
  delay: { at: 26, form: /^A01[01]$/, rule: 'A010 or A011' },
  authorisation: { at: 30, form: /^B01[012]$/, rule: 'B010, B011 or B012' },
} as const;
const FIELD_LENGTHS: Record<keyof typeof FIELDS | keyof typeof PLUS_FIELDS, number> = {
  till: 2,
  amount: 8,
  wantsCard: 1,
  means: 1,
  type: 1,
  currency: 3,
  delay: 4,
  authorisation: 4,
};

type FieldName = keyof typeof FIELD_LENGTHS;

/** A request of E or E+, by its fields. */
export interface ConcertRequest extends Record<Exclude<FieldName, 'delay' | 'authorisation'>, string> {
  privateData: string;
  /** Whether it is answered at once, and no result follows. */
  isAtOnce: boolean;
}

/** Reads a request, or names the rule that it breaks. */
export function readRequest(text: string): ConcertRequest | MessageProblem {
  if (!LENGTHS.includes(text.length))
    return { problem: `request: it has ${text.length} characters, ${LENGTHS.join(' or ')} are expected` };
  const fields = Object.entries(text.length === LENGTHS[1] ? { ...FIELDS, ...PLUS_FIELDS } : FIELDS);
  for (const [name, { at, form, rule }] of fields) {
    if (!form.test(text.slice(at, at + FIELD_LENGTHS[isFieldName(name) ? name : 'till'])))
      return { problem: `request, position ${at} (${name}): ${rule} expected` };
  }
  const valueOf = (name: keyof typeof FIELDS) =>
    text.slice(FIELDS[name].at, FIELDS[name].at + FIELD_LENGTHS[name]);
  return {
    till: valueOf('till'),
    amount: valueOf('amount'),
    wantsCard: valueOf('wantsCard'),
    means: valueOf('means'),
    type: valueOf('type'),
    currency: valueOf('currency'),
    privateData: text.slice(16, 26),
    isAtOnce: text.slice(26, 30) === 'A011',
  };
}

function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(FIELD_LENGTHS, name);
}

/** Status of an answer: accepted, not accepted, taken in (no result follows). */
const STATUS = { accepted: '0', notAccepted: '7', takenIn: '9' } as const;

/** Means of payment that the terminal has: any, card, American Express, cheque. */
const MEANS = ['0', '1', '2', 'C'];
const CHEQUE = 'C';

const TYPES: Record<string, 'pay' | 'refund' | 'reverse' | 'reserve' | undefined> = {
  '0': 'pay',
  '1': 'refund',
  '2': 'reverse',
  '4': 'reserve',
};

interface LanguageParts {
  memory: TerminalMemory;
  /** Whether an answer without a card has no place for its data. */
  isShort(): boolean;
}

/** The adapter of Concert, E and E+, whose messages have fixed columns. */
export function createConcertLanguage({
  memory,
  isShort,
}: LanguageParts): TerminalLanguage<ConcertRequest, string> {
  return {
    decode: (request) => decode(request, memory),
    encode: (report, request) => [encode(report, request, isShort())],
  };
}

function decode(
  { amount, means, type, currency }: ConcertRequest,
  { journal }: TerminalMemory,
): TillCommand | MessageProblem {
  if (!MEANS.includes(means))
    return { problem: 'request, position 11 (means): the terminal does not have this one' };
  // A cheque needs no card.
  if (means === CHEQUE) return { type: 'status' };
  const amountMinor = Number(amount);
  const command = TYPES[type];
  if (command === undefined) return { problem: 'request, position 12 (type): 0, 1, 2 or 4 expected' };
  if (command !== 'reverse') return { type: command, amountMinor, currency: currency.padStart(4, '0') };
  // A till names no transaction: the last one of this amount is meant. No transaction has the number 0.
  const original = journal.findLast(
    (made) =>
      made.amountMinor === amountMinor && made.kind !== 'reversal' && made.resultCode === 0 && !made.reversed,
  );
  return { type: 'reverse', receiptNumber: original?.receiptNumber ?? 0 };
}

/** Encodes the answer to a request that the terminal does not do. */
export function encodeRefusal(request: ConcertRequest): string {
  return answer(request, STATUS.notAccepted, undefined);
}

/** Encodes the answer to a request that wants one at once. */
export function encodeTakenIn(request: ConcertRequest): string {
  return answer(request, STATUS.takenIn, undefined);
}

function encode(report: TerminalReport, request: ConcertRequest, isShort: boolean): string {
  const isWanted = request.wantsCard === '1';
  const none = isWanted && !isShort ? ' '.repeat(CARD_LETTERS) : undefined;
  if (report.type === 'status') return answer(request, STATUS.accepted, none);
  if (report.type !== 'result') return answer(request, STATUS.notAccepted, none);
  const { transaction } = report;
  if (transaction.resultCode !== 0) return answer(request, STATUS.notAccepted, none);
  return answer(request, STATUS.accepted, isWanted ? cardData(transaction) : undefined);
}

const CARD_LETTERS = 55;

/** The card data (REP): BIN and last four digits, with zeros where the others are. */
function cardData({ card }: Transaction): string {
  return numberOf(card).padEnd(CARD_LETTERS);
}

function numberOf({ scheme, bin, last4 }: MaskedCard): string {
  return `${bin}${'0'.repeat(scheme === 'Amex' ? 5 : 6)}${last4}`;
}

function answer(
  { till, amount, means, currency, privateData }: ConcertRequest,
  status: string,
  card: string | undefined,
): string {
  return `${till}${status}${amount}${means}${card ?? ''}${currency}${privateData}`;
}
