import type { CardRequest } from '../reader.ts';

/** The id that every terminal takes for its own. */
export const ANY_TERMINAL = '00000000';

/** Id of the cash register, which a terminal prints. */
const REGISTER = '00000001';

const AMOUNT_DIGITS_MAX = 8;

/** Returns why a request cannot be said in ECR17, with the name of its field; undefined when it can. */
export function refuseRequest({ type, amountMinor, currency }: CardRequest): string | undefined {
  if (currency !== 'EUR') return `currency: ECR17 takes EUR alone, not ${currency}`;
  if (type !== 'Payment') return 'type: ECR17 has no refund that all terminals know: make it at the terminal';
  if (String(amountMinor).length > AMOUNT_DIGITS_MAX)
    return `amountMinor: ECR17 takes at most ${AMOUNT_DIGITS_MAX} digits`;
  return undefined;
}

function zeros(digits: number): string {
  return '0'.repeat(digits);
}

/** Asks for the state of the terminal (`s`). */
export function status(terminalId: string): string {
  return `${terminalId}0s`;
}

/**
 * Starts a payment: `X`, whose result has the amount, or `P`, which every terminal knows. The terminal finds out by itself
 * whether the card is one for debit or for credit.
 * @param cardType `0` for that, else `1` debit, `2` credit, `3` other
 */
export function payment(code: 'X' | 'P', terminalId: string, amountMinor: number, cardType = '0'): string {
  const amount = String(amountMinor).padStart(AMOUNT_DIGITS_MAX, '0');
  return `${terminalId}0${code}${REGISTER}0000${cardType}${amount}${' '.repeat(128)}${zeros(8)}`;
}

/** Reverses the payment with this number (STAN); `000000` would be the last one, whatever it is. */
export function reversal(terminalId: string, stan: string): string {
  return `${terminalId}0S${REGISTER}${stan}00`;
}

/** Asks for the last result (`G`), which comes as it was first sent. */
export function lastResult(terminalId: string): string {
  return `${terminalId}0G${REGISTER}0000`;
}
