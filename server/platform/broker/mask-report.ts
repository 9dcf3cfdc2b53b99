import {
  isLikelyCardNumberAsNumber,
  maskCardNumbers,
  maskCardNumbersInHex,
} from '../../../protocol/card-numbers.ts';
import { isObject } from '../../../protocol/outside-json.ts';

/**
 * Members that are compared or decrypted, so a change would break them: ids, whose digits can look like a card number
 * by chance, and hexadecimal digits that a cryptogram covers or a key encrypts. None is stored.
 */
const UNTOUCHED = new Set(['requestId', 'actionId', 'emv', 'ksn', 'cipherText', 'pinBlock']);

/**
 * Masks card numbers in every text of a report, property names included. A number that looks like a card number
 * becomes 0, since no count or time is that large. Terminals mask card numbers themselves; this is for firmware that
 * does not. A value without card numbers is returned itself, and nothing of it is copied.
 */
export function maskReport(value: unknown, member = ''): unknown {
  if (typeof value === 'string') {
    if (UNTOUCHED.has(member)) return value;
    return member === 'bytes' ? maskCardNumbersInHex(value) : maskCardNumbers(value, 'likely');
  }
  if (typeof value === 'number') return isLikelyCardNumberAsNumber(value) ? 0 : value;
  if (Array.isArray(value)) {
    const isSame = value.every((item) => maskReport(item, member) === item);
    return isSame ? value : value.map((item) => maskReport(item, member));
  }
  if (!isObject(value)) return value;
  const isSame = Object.keys(value).every(
    (name) => maskCardNumbers(name, 'likely') === name && maskReport(value[name], name) === value[name],
  );
  if (isSame) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, inner]) => [maskCardNumbers(name, 'likely'), maskReport(inner, name)]),
  );
}
