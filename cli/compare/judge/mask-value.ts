import { maskCardNumbers } from '../../../protocol/card-numbers.ts';
import { idFormOf, isIdLike, isOpaque, isTimeText, isUrl } from './text-forms.ts';

const TEXT_MAX = 120;
const EMAIL = /[^\s@"',:]{1,64}@[^\s@"',:]{1,255}/g;
const IBAN = /\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b/g;
const ANY_ID = /\b[a-z]{2,8}_(?=[a-z_-]*[A-Z0-9])[A-Za-z0-9_/+=-]{12,}/g;
const PHONE = /\+\d{7,15}\b/g;
const UUIDS = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** Members whose values are not shown, whatever their form. */
const PRIVATE =
  /(accountNumber|account_number|iban|routingNumber|sortCode|^number|cardNumber|cvc|pin|password|secret|token)$/i;
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

/** Returns a member of a reply as a result may show it: a name that is none may be a secret. */
export function maskedMember(path: readonly string[]): string {
  return path
    .map((name) => (NAME.test(name) && !isIdLike(name) ? name : name === '*' ? name : '<name>'))
    .join('.');
}

/** Returns the value of a member as a result may show it to others. */
export function maskedMemberValue(path: readonly string[], value: unknown, unique: string): string {
  const isShown = value === undefined || value === null || typeof value === 'boolean';
  return !isShown && PRIVATE.test(path.at(-1) ?? '') ? '<private>' : maskedValue(value, unique);
}

/**
 * Returns a value of a reply as a result may show it to others: without ids, secrets, e-mail and web addresses, account
 * and card numbers, and without the text that is of the run alone.
 */
export function maskedValue(value: unknown, unique: string): string {
  if (value === undefined) return 'absent';
  if (typeof value === 'string') return `"${maskedText(value, unique)}"`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Returns a text with what must not be shown replaced by what it is. */
export function maskedText(text: string, unique = ''): string {
  const form = idFormOf(text);
  if (form !== undefined) return form;
  if (isIdLike(text)) return `${text.slice(0, text.indexOf('_'))}_<other form>`;
  if (isUrl(text)) return `${text.slice(0, text.indexOf(':'))}://<address>`;
  if (isTimeText(text)) return '<time in ISO 8601>';
  if (isOpaque(text)) return '<secret or token>';
  const shared = unique === '' ? text : text.replaceAll(unique, '<unique>');
  const masked = shared
    .replaceAll(/https?:\/\/\S+/g, '<address>')
    .replaceAll(EMAIL, '<e-mail>')
    .replaceAll(IBAN, '<account number>')
    .replaceAll(PHONE, '<phone number>')
    .replaceAll(ANY_ID, '<id>')
    .replaceAll(UUIDS, '<id>');
  return maskCardNumbers(masked, 'any').slice(0, TEXT_MAX);
}
