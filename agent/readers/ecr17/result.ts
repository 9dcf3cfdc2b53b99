import { formatMinor } from '../../../protocol/money.ts';
import type { EntryMode, MaskedCard } from '../../../protocol/messages/card-data.schema.ts';
import { terminalCard } from '../terminal-card.ts';
import type { DeviceOutcome } from '../till/language.ts';
import { unknown } from '../till/outcomes.ts';

const HEAD = 10;

/** Returns the code of a message, its tenth character; undefined for one that has none, or is of another terminal. */
export function codeOf(payload: string, terminalId: string | undefined): string | undefined {
  const isOwn = terminalId === undefined || payload.startsWith(terminalId);
  return isOwn && /^[0-9A-Za-z]{8}0[A-Za-z]/.test(payload) ? payload[HEAD - 1] : undefined;
}

/** Returns a field of a message. Positions are counted from 1, as in descriptions of the protocol. */
function field(payload: string, position: number, length: number): string {
  return payload.slice(position - 1, position - 1 + length);
}

/** State of a terminal, from its answer to `s`. */
export interface EcrStatus {
  terminalId: string;
  /** Why it takes no payments; undefined when it does. */
  problem: string | undefined;
}

const STATES: Record<string, string> = {
  0: 'it is not configured',
  1: 'it has no parameters yet',
  3: 'it is not aligned with its acquirer',
  4: 'its keys are damaged',
  5: 'it has to download its parameters',
  6: 'it has to update its software',
};
const WORKING = '2';

export function readStatus(payload: string): EcrStatus {
  const state = field(payload, 31, 1);
  return {
    terminalId: field(payload, 1, 8),
    problem: state === WORKING ? undefined : (STATES[state] ?? 'it reports a state that is not known'),
  };
}

/** What identifies a result: the numbers of the terminal and of its host, and its time. Results name no request of the till. */
export interface ResultKey {
  /** Number of the transaction at the terminal, six digits. */
  stan: string;
  key: string;
}

/** The shortest result of a payment or a reversal. */
const RESULT_LETTERS_MIN = 71;

export function keyOf(payload: string): ResultKey | undefined {
  if (payload.length < RESULT_LETTERS_MIN) return undefined;
  const [stan, onlineId] = [field(payload, 60, 6), field(payload, 66, 6)];
  if (!/^[0-9]{12}$/.test(stan + onlineId)) return undefined;
  const isDone = field(payload, 11, 2) === '00';
  return { stan, key: [stan, onlineId, isDone ? field(payload, 41, 7) : ''].join('/') };
}

/** Codes of the results of a payment: `V` with a conversion of the currency. */
export const RESULT_CODES = ['E', 'V'];

/**
 * Returns the outcome in the result of a payment. Only the two digits of the result count; texts are shown and not
 * read. Where the terminal gives the amount it has to be that of the request.
 */
export function outcomeOf(payload: string, amountMinor: number): DeviceOutcome {
  if (payload.length < RESULT_LETTERS_MIN)
    return unknown(`result: it has at least ${RESULT_LETTERS_MIN} characters`);
  switch (field(payload, 11, 2)) {
    case '00': {
      const found = keyOf(payload);
      if (!found) return unknown('result: at 60 are the numbers of the transaction, twelve digits');
      const paid = amountIn(payload);
      if (paid !== undefined && paid !== amountMinor)
        return unknown(
          `the result is about ${formatMinor(paid, 'EUR')}, not ${formatMinor(amountMinor, 'EUR')}`,
        );
      const authorisationCode = field(payload, 35, 6)
        .toUpperCase()
        .replace(/[^A-Z0-9]/g, '');
      const reference = `${found.stan}/${field(payload, 66, 6)}`;
      return { type: 'approved', card: cardIn(payload), approval: { authorisationCode, reference } };
    }
    case '01':
      return { type: 'declined', reason: field(payload, 13, 24).trim() || 'refused' };
    case '05':
      return { type: 'declined', reason: 'no card was there' };
    case '09':
      return { type: 'failed', reason: 'the terminal does not know the tag' };
    default:
      return unknown('result: the digits at 11 are none that are known');
  }
}

const RESULTS: Record<string, string> = {
  '00': 'approved',
  '01': 'declined',
  '05': 'no card was there',
  '09': 'the terminal does not know the tag',
};

/** Returns in words what the digits of a result say. */
export function resultWords(payload: string): string {
  return RESULTS[field(payload, 11, 2)] ?? 'a result that is not known';
}

/** Returns the amount from the host in the result of an extended payment; undefined when there is none. */
export function amountIn(payload: string): number | undefined {
  if (payload.length < 92) return undefined;
  const amount = field(payload, 75, 8);
  return /^[0-9]{8}$/.test(amount) && Number(amount) > 0 ? Number(amount) : undefined;
}

/** Ways in which a card is read, at 32. `MAN`, typed, has no name here. */
const ENTRY_MODES: Record<string, EntryMode> = {
  ICC: 'Contact',
  MAG: 'Swipe',
  CLM: 'Contactless',
  CLI: 'Contactless',
};
const CARD_DIGITS_MIN = 13;

function cardIn(payload: string): MaskedCard {
  // Zeros stand for digits that are hidden, so a number without them is its end alone.
  const shown = field(payload, 13, 19).replace(/^0+/, '');
  const number = shown.length >= CARD_DIGITS_MIN ? shown : `******${shown.slice(-4)}`;
  return terminalCard({ number, expiry: '', entryMode: ENTRY_MODES[field(payload, 32, 3)] });
}
