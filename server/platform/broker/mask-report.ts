import { isLikelyCardNumber, maskCardNumbers, maskCardNumbersInHex } from '../../../protocol/card-numbers.ts';

/**
 * Members that are compared or opened, so a change would void them: ids, whose digits can look like a card number
 * by chance, and hexadecimal digits that a cryptogram covers or a key encrypts. None is kept.
 */
const UNTOUCHED = new Set(['requestId', 'actionId', 'emv', 'ksn', 'cipherText', 'pinBlock']);

/**
 * Hides card numbers in every text of a report, names of members included; a number that is one becomes 0, since no
 * count and no time is that large. A terminal's own firmware masks them; this is for one that does not.
 */
export function maskReport(value: unknown, member = ''): unknown {
  if (typeof value === 'string') {
    if (UNTOUCHED.has(member)) return value;
    return member === 'bytes' ? maskCardNumbersInHex(value) : maskCardNumbers(value, 'likely');
  }
  if (typeof value === 'number')
    return isLikelyCardNumber(Math.trunc(Math.abs(value)).toFixed(0)) ? 0 : value;
  if (Array.isArray(value)) return value.map((item) => maskReport(item, member));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    maskCardNumbers(name, 'likely'),
    maskReport(inner, name),
  ]);
  return Object.fromEntries(entries) as object;
}
