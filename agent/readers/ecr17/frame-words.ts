import { formatMinor } from '../../../protocol/money.ts';
import { withoutLongNumbers } from '../till/outcomes.ts';
import { createFrameParser, type EcrFrame } from './frame.ts';
import { amountIn, codeOf, keyOf, readStatus, RESULT_CODES, resultWords } from './result.ts';

/** Where the amount of a payment begins in its request, and its digits. */
const AMOUNT = { start: 23, digits: 8 };
const PAYMENTS: readonly string[] = ['P', 'X'];
const ID_DIGITS = 8;

/** A message of one character less than this is a request: answers to `s` and results are longer. */
const STATUS_LETTERS = 31;

/** A message `E` of this length is a request of the till, not a result. */
const DESTINATION_LETTERS = 11;

const NAMES: Record<string, string> = {
  C: 'end of the session',
  E: 'result',
  G: 'the last result again',
  R: 'print the last receipts again',
  S: 'reversal',
  T: 'totals',
  U: 'additional data',
  V: 'result with a conversion of the currency',
  s: 'what is your state?',
};

/** Says in plain words what a frame is: nothing of the card. */
export function describeFrame(bytes: Uint8Array): string | undefined {
  const words = createFrameParser().push(bytes).map(describe);
  return words.length === 0 ? undefined : words.join('; ');
}

function describe(frame: EcrFrame): string {
  switch (frame.type) {
    case 'ack':
      return 'message received (ACK)';
    case 'nak':
      return 'message damaged, or not taken (NAK)';
    case 'broken':
      return 'a damaged message';
    case 'progress':
      return `on its display: ${withoutLongNumbers(frame.text)}`;
    case 'message':
      return describeMessage(frame.payload);
  }
}

function describeMessage(payload: string): string {
  const code = codeOf(payload, undefined);
  if (code === undefined) return 'a message without a code';
  if (PAYMENTS.includes(code)) return `payment, ${euros(amountOf(payload))}`;
  if (code === 's' && payload.length >= STATUS_LETTERS) {
    const { problem } = readStatus(payload);
    return problem === undefined ? 'state: it takes payments' : `state: ${problem}`;
  }
  if (code === 'E' && payload.length === DESTINATION_LETTERS) return 'where the receipts go';
  if (!RESULT_CODES.includes(code) || payload.length <= ID_DIGITS * 3)
    return NAMES[code] ?? `message ${code}`;
  const paid = amountIn(payload);
  const stan = keyOf(payload)?.stan;
  const facts = [resultWords(payload), paid && euros(paid), stan && `transaction ${Number(stan)}`];
  return [NAMES[code], ...facts.filter(Boolean)].join(', ');
}

function amountOf(payload: string): number {
  return Number(payload.slice(AMOUNT.start, AMOUNT.start + AMOUNT.digits));
}

const euros = (amountMinor: number) =>
  Number.isSafeInteger(amountMinor) ? formatMinor(amountMinor, 'EUR') : 'an amount that is no number';
