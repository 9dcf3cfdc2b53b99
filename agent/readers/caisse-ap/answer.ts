import { formatMinor } from '../../../protocol/money.ts';
import type { EntryMode, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { terminalCard } from '../terminal-card.ts';
import type { DeviceOutcome } from '../till/language.ts';
import { currencyDigits, unknown } from '../till/outcomes.ts';
import { TILL, type CaisseRequest } from './request.ts';

/** The records of an answer by tag. */
export type CaisseAnswer = ReadonlyMap<string, string>;

/** Words for the reasons of a refusal (AF), and what each says of the payment. */
export const REASONS: Record<string, { text: string; means: 'declined' | 'cancelled' | 'failed' }> = {
  '00': { text: 'the terminal gives no reason', means: 'declined' },
  '02': { text: 'call the bank', means: 'declined' },
  '04': { text: 'refused', means: 'declined' },
  '05': { text: 'forbidden', means: 'declined' },
  '06': { text: 'given up', means: 'cancelled' },
  '07': { text: 'not completed', means: 'declined' },
  '08': { text: 'nobody acted in time', means: 'cancelled' },
  '09': { text: 'the terminal does not accept the format of the message', means: 'failed' },
  '10': { text: 'selection', means: 'declined' },
  '11': { text: 'stopped by the operator', means: 'cancelled' },
  '12': { text: 'the terminal does not know the action', means: 'failed' },
  '13': { text: 'currency: the terminal does not support it', means: 'failed' },
};

/** Reasons of a success: they contradict a refusal. */
const NO_REFUSALS = ['01', '03'];

/** Returns the outcome that an answer to a request gives. What does not fit the request is unknown, never a success. */
export function outcomeOf(answer: CaisseAnswer, request: Required<CaisseRequest>): DeviceOutcome {
  const status = answer.get('AE');
  if (status === '11') return unknown('the terminal took the request and sends no result (AE=11)');
  if (status !== '10' && status !== '01') return unknown('the answer has no result (AE)');
  const difference = differenceOf(answer, request, status === '10');
  if (difference !== undefined) return unknown(difference);
  return status === '10' ? approvalIn(answer) : refusalIn(answer);
}

function refusalIn(answer: CaisseAnswer): DeviceOutcome {
  // The two digits may be followed by more, which differs between terminals.
  const code = answer.get('AF')?.slice(0, 2) ?? '00';
  if (NO_REFUSALS.includes(code))
    return unknown(`not done (AE=01), with the reason of a success (AF=${code})`);
  const { text, means } = REASONS[code] ?? { text: `reason ${code}`, means: 'declined' };
  return means === 'cancelled' ? { type: 'cancelled' } : { type: means, reason: text };
}

function approvalIn(answer: CaisseAnswer): DeviceOutcome {
  const authorisationCode = (answer.get('AC') ?? '')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 8);
  const number = answer.get('CH') ?? answer.get('AC');
  const reference = number?.replace(/[^A-Za-z0-9]/g, '').slice(0, REFERENCE_LETTERS_MAX) || 'last';
  return { type: 'approved', card: cardIn(answer), approval: { authorisationCode, reference } };
}

const REFERENCE_LETTERS_MAX = 20;

/**
 * Returns in what an answer differs from its request. A success has to repeat till, amount, action and currency; a
 * refusal may leave them out.
 */
function differenceOf(
  answer: CaisseAnswer,
  { action, money }: Required<CaisseRequest>,
  isSuccess: boolean,
): string | undefined {
  const expected = { CA: TILL, CD: action, CE: currencyDigits(money.currency) };
  for (const [tag, value] of Object.entries(expected)) {
    const found = answer.get(tag);
    if (found === undefined && !isSuccess) continue;
    if (found === undefined) return `the answer is approved without ${tag}`;
    if (found !== value) return `${tag} of the answer is that of another request`;
  }
  const amount = answer.get('CB');
  if (amount === undefined) return isSuccess ? 'the answer is approved without CB' : undefined;
  if (!/^[0-9]{1,12}$/.test(amount)) return 'CB of the answer is no amount';
  const paid = Number(amount);
  if (paid === money.amountMinor) return undefined;
  const { currency } = money;
  return `the answer is about ${formatMinor(paid, currency)}, not ${formatMinor(money.amountMinor, currency)}`;
}

/** Read modes (CI). */
const ENTRY_MODES: Record<string, EntryMode> = { 1: 'Contact', 2: 'Contactless', 3: 'Swipe' };

/** Applications of American Express (CC). */
const AMEX = ['002', '00D'];

function cardIn(answer: CaisseAnswer): MaskedCard {
  return terminalCard({
    number: answer.get('AA') ?? '',
    expiry: answer.get('AB') ?? '',
    scheme: AMEX.includes(answer.get('CC') ?? '') ? 'Amex' : undefined,
    entryMode: ENTRY_MODES[answer.get('CI') ?? ''],
    aid: answer.get('AI'),
  });
}
