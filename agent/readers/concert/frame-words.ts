import { formatMinor } from '../../../protocol/money.ts';
import { currencyOfDigits } from '../till/outcomes.ts';
import { createFrameParser, type ConcertFrame, type Control } from './frame.ts';
import { LONG, SHORT, TYPES } from './message.ts';

const CONTROL_WORDS: Record<Control, string> = {
  enq: 'may I send? (ENQ)',
  ack: 'yes, or received (ACK)',
  nak: 'damaged, or not now (NAK)',
  eot: 'over (EOT)',
};

const TYPE_WORDS: Record<string, string> = {
  [TYPES.debit]: 'payment',
  [TYPES.credit]: 'refund',
  [TYPES.cancel]: 'cancel of a payment',
};

const STATUSES: Record<string, string> = {
  '0': 'done',
  '7': 'not accepted',
  '9': 'request taken, no result follows',
};

/** Lengths of a request in the forms E and E+, whose first characters are the same. */
const REQUESTS: readonly number[] = [26, 34];

/** Says in plain words what a frame is: nothing of the card. */
export function describeFrame(bytes: Uint8Array): string | undefined {
  const words = createFrameParser().push(bytes).map(describe);
  return words.length === 0 ? undefined : words.join('; ');
}

function describe(frame: ConcertFrame): string {
  switch (frame.type) {
    case 'message':
      return describeMessage(frame.text);
    case 'noise':
      return 'a byte between frames';
    case 'broken':
      return 'a damaged message';
    default:
      return CONTROL_WORDS[frame.type];
  }
}

function describeMessage(text: string): string {
  if (REQUESTS.includes(text.length)) {
    const type = TYPE_WORDS[text[12] ?? ''] ?? 'a request that is not known';
    return `${type}, ${amountIn(text.slice(2, 10), text.slice(13, 16))}`;
  }
  if (text.length !== SHORT && text.length !== LONG) return `a message of ${text.length} characters`;
  const status = STATUSES[text[2] ?? ''] ?? 'a result that is not known';
  return `result: ${status}, ${amountIn(text.slice(3, 11), text.slice(-13, -10))}`;
}

function amountIn(digits: string, number: string): string {
  const currency = currencyOfDigits(number);
  if (!/^[0-9]{8}$/.test(digits) || currency === undefined) return 'an amount that cannot be read';
  return formatMinor(Number(digits), currency);
}
