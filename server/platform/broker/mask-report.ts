import { isLikelyCardNumber, maskCardNumbers, maskCardNumbersInHex } from '../../../protocol/card-numbers.ts';

/**
 * Members that are compared or decrypted, so a change would break them: ids, whose digits can look like a card number
 * by chance, and hexadecimal digits that a cryptogram covers or a key encrypts. None is stored.
 */
const UNTOUCHED = new Set(['requestId', 'actionId', 'emv', 'ksn', 'cipherText', 'pinBlock']);

/**
 * Masks card numbers in every text of a report, property names included. A number that looks like a card number
 * becomes 0, since no count or time is that large. Terminals mask card numbers themselves; this is for firmware that
 * does not.
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
