import { isLikelyCardNumber, maskCardNumbers, maskCardNumbersInHex } from '../../../protocol/card-numbers.ts';

/**
 * Members that are compared or decrypted, so a change would break them: ids, whose digits can look like a card number
 * by chance, and hexadecimal digits that a cryptogram covers or a key encrypts. None is stored.
 */
const UNTOUCHED = new Set(['requestId', 'actionId', 'emv', 'ksn', 'cipherText', 'pinBlock']);

/**
 * Masks card numbers in every text of a report, property names included. A number that looks like a card number
 * becomes 0, since no count or time is that large. Terminals mask card numbers themselves; this is for firmware that
 * does not. A value without card numbers is returned itself.
 */
export function maskReport(value: unknown, member = ''): unknown {
  if (typeof value === 'string') {
    if (UNTOUCHED.has(member)) return value;
    return member === 'bytes' ? maskCardNumbersInHex(value) : maskCardNumbers(value, 'likely');
  }
  if (typeof value === 'number') return isCardNumberAsNumber(value) ? 0 : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => maskReport(item, member));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  let isSame = true;
  const entries = Object.entries(value).map(([name, inner]) => {
    const masked = [maskCardNumbers(name, 'likely'), maskReport(inner, name)];
    isSame &&= masked[0] === name && masked[1] === inner;
    return masked;
  });
  return isSame ? value : (Object.fromEntries(entries) as object);
}

// The smallest card number has 15 digits.
const SMALLEST_CARD_NUMBER = 1e14;

function isCardNumberAsNumber(value: number): boolean {
  const whole = Math.trunc(Math.abs(value));
  return whole >= SMALLEST_CARD_NUMBER && isLikelyCardNumber(whole.toFixed(0));
}
