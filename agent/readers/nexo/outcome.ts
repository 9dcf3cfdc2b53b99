import { formatMinor } from '../../../protocol/money.ts';
import type { EntryMode, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import type { CardRequest } from '../reader.ts';
import { terminalCard } from '../terminal-card.ts';
import type { DeviceOutcome } from '../till/language.ts';
import { unknown } from '../till/outcomes.ts';
import { memberAt, textAt } from './message.ts';

/** What the conditions of a failure (ErrorCondition) say of a payment; others say that it was not taken. */
const DECLINED = ['Refusal', 'WrongPIN', 'InvalidCard', 'PaymentRestriction'];
const CANCELLED = ['Aborted', 'Cancel'];

/** Whether a PaymentResponse says that the payment is still going on. */
export function isOpen(response: unknown): boolean {
  return textAt(response, 'Response', 'ErrorCondition') === 'InProgress';
}

/** Returns the outcome in a PaymentResponse. What does not fit the request is unknown, never a success. */
export function outcomeOf(response: unknown, request: CardRequest): DeviceOutcome {
  const result = textAt(response, 'Response', 'Result');
  if (result === 'Success') return approvalIn(response, request);
  if (result !== 'Failure') return unknown('PaymentResponse: its Result is neither Success nor Failure');
  const condition = textAt(response, 'Response', 'ErrorCondition') ?? 'no ErrorCondition';
  if (isOpen(response)) return unknown('PaymentResponse: the payment is still open');
  if (CANCELLED.includes(condition)) return { type: 'cancelled' };
  const why = refusalReason(textAt(response, 'Response', 'AdditionalResponse'));
  const reason = why === undefined ? condition : `${condition}: ${why}`;
  return { type: DECLINED.includes(condition) ? 'declined' : 'failed', reason };
}

const REASON_LETTERS_MAX = 80;

/** Returns the reason among the pairs of an AdditionalResponse, as far as it is in this form. */
function refusalReason(text: string | undefined): string | undefined {
  const pairs = new URLSearchParams(text ?? '');
  const reason = pairs.get('refusalReason') ?? pairs.get('message') ?? undefined;
  return reason?.slice(0, REASON_LETTERS_MAX);
}

function approvalIn(response: unknown, request: CardRequest): DeviceOutcome {
  const { amountMinor, currency } = request;
  const amounts = memberAt(response, 'PaymentResult', 'AmountsResp');
  const paid = minorOf(memberAt(amounts, 'AuthorizedAmount'));
  if (paid === undefined) return unknown('PaymentResponse: a success without AuthorizedAmount');
  if (textAt(amounts, 'Currency') !== currency)
    return unknown('PaymentResponse: Currency is not the requested one');
  if (paid !== amountMinor)
    return unknown(
      `PaymentResponse: AuthorizedAmount is ${formatMinor(paid, currency)}, not ${formatMinor(amountMinor, currency)}`,
    );
  const reference = textAt(response, 'POIData', 'POITransactionID', 'TransactionID');
  if (reference === undefined || !/^[!-~]{1,40}$/.test(reference))
    return unknown('PaymentResponse: a success without a POITransactionID that can be used');
  const code = textAt(response, 'PaymentResult', 'PaymentAcquirerData', 'ApprovalCode') ?? '';
  const authorisationCode = code
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 8);
  return { type: 'approved', card: cardIn(response), approval: { authorisationCode, reference } };
}

/** Returns an amount in minor units; undefined for what is none. All accepted currencies have two decimals. */
export function minorOf(amount: unknown): number | undefined {
  if (typeof amount !== 'number' || !Number.isFinite(amount)) return undefined;
  const minor = Math.round(amount * 100);
  return Math.abs(minor - amount * 100) < 1e-6 ? minor : undefined;
}

/** Returns an amount as messages carry it. */
export function decimalOf(amountMinor: number): number {
  return Number((amountMinor / 100).toFixed(2));
}

const ENTRY_MODES: Record<string, EntryMode> = {
  ICC: 'Contact',
  Contactless: 'Contactless',
  Tapped: 'Contactless',
  MagStripe: 'Swipe',
  Mobile: 'Wallet',
};

const SCHEMES: [RegExp, MaskedCard['scheme']][] = [
  [/visa/i, 'Visa'],
  [/^mc|master|maestro/i, 'Mastercard'],
  [/amex|american/i, 'Amex'],
];

function cardIn(response: unknown): MaskedCard {
  const card = memberAt(response, 'PaymentResult', 'PaymentInstrumentData', 'CardData');
  const modes = memberAt(card, 'EntryMode');
  const brand = textAt(card, 'PaymentBrand') ?? '';
  const expiry = /^([0-9]{2})([0-9]{2})$/.exec(textAt(card, 'SensitiveCardData', 'ExpiryDate') ?? '');
  return terminalCard({
    number: (textAt(card, 'MaskedPan') ?? '').replaceAll(' ', ''),
    expiry: expiry ? `${expiry[2]}${expiry[1]}` : '',
    scheme: SCHEMES.find(([pattern]) => pattern.test(brand))?.[1],
    entryMode: Array.isArray(modes) ? ENTRY_MODES[String(modes[0])] : undefined,
  });
}

/** What the answer to a question for a payment (TransactionStatusResponse) says of it. */
type StatusAnswer =
  | { state: 'ended'; response: unknown }
  | { state: 'open' }
  | { state: 'neverReceived' }
  | { state: 'unclear'; reason: string };

export function statusIn(response: unknown): StatusAnswer {
  const result = textAt(response, 'Response', 'Result');
  const condition = textAt(response, 'Response', 'ErrorCondition');
  if (result === 'Failure' && condition === 'InProgress') return { state: 'open' };
  if (result === 'Failure' && condition === 'NotFound') return { state: 'neverReceived' };
  const repeated = memberAt(
    response,
    'RepeatedMessageResponse',
    'RepeatedResponseMessageBody',
    'PaymentResponse',
  );
  if (result === 'Success' && repeated !== undefined) return { state: 'ended', response: repeated };
  return { state: 'unclear', reason: `TransactionStatusResponse: ${condition ?? 'it repeats no payment'}` };
}
