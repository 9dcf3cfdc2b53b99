import { createHash } from 'node:crypto';
import { parseOutsideJson } from '../../protocol/outside-json.ts';
import { ONLINE_DECLINES } from '../../protocol/test-cards.ts';
import { encodedJson, encodeJson } from './encoded-json.ts';
import { maskFields, maskMembersInText } from '../platform/members-in-text.ts';
import {
  digitsOfCardMember,
  hideKeys,
  isSecretNumber,
  memberNameOf,
  secretKindOf,
} from '../platform/secret-members.ts';
import type { ReceivedForm } from '../platform/inputs.ts';
import { cardPlaceholder, type SecretBook } from './secret-book.ts';
import type { TraceBody } from './trace-item.schema.ts';
import { problemOfIban } from '../api/payouts/iban.ts';

/** Results of 3-D Secure that a browser passes on: JSON in Base64, which decides what happens next. */
const AUTHENTICATION_RESULTS = new Set(['fingerprint', 'challengeresult']);

/** Returns a copy of a value with placeholders for the secrets and card numbers in it. A number among them becomes 0. */
export function maskedValue(book: SecretBook, value: unknown, member = ''): unknown {
  if (typeof value === 'string') return maskedMember(book, member, value);
  if (typeof value === 'number') return isSecretNumber(member, value) ? 0 : value;
  if (Array.isArray(value)) return value.map((item) => maskedValue(book, item, member));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [book.masked(name), maskedValue(book, inner, name)]),
  );
}

function maskedMember(book: SecretBook, name: string, text: string): string {
  const member = memberNameOf(name);
  const kind = secretKindOf(name);
  if (text === '') return text;
  if (kind === undefined) return book.masked(text);
  if (kind === 'keys') return book.masked(hideKeys(text));
  if (kind === 'cardNumber') {
    const digits = digitsOfCardMember(text);
    return digits === undefined ? book.masked(text) : cardPlaceholder(digits);
  }
  if (member === 'cvc' || member === 'cvv') return codePlaceholder(text) ?? book.placeholderOf(text);
  if (member === 'iban') return ibanPlaceholder(text) ?? book.placeholderOf(text);
  if (member === 'accountnumber') return accountPlaceholder(text) ?? book.placeholderOf(text);
  const result = AUTHENTICATION_RESULTS.has(member) ? encodedJson(text) : undefined;
  return result ? encodeJson(maskedValue(book, result)) : book.placeholderOf(text);
}

/** The account number of some countries is an IBAN. */
function accountPlaceholder(text: string): string | undefined {
  return /^\d{4,}$/.test(text) ? `{{digits:${text.length}:${text.slice(-4)}}}` : ibanPlaceholder(text);
}

/** Security codes with which test cards are declined are named by their reason; others have their length alone. */
function codePlaceholder(code: string): string | undefined {
  if (!/^\d+$/.test(code)) return undefined;
  const reason = ONLINE_DECLINES.find((card) => card.cvc === code)?.code;
  return `{{code:${code.length}${reason === undefined ? '' : `:${reason}`}}}`;
}

/** Returns the content of a request or a reply, masked. */
export function maskedBody(book: SecretBook, content: string | ReceivedForm | undefined): TraceBody | null {
  if (content === undefined || content === '') return null;
  if (typeof content === 'string') return maskedText(book, content);
  const { body, file } = content;
  const { name, contentType, bytes } = file ?? {};
  return {
    form: maskedValue(book, body) as Record<string, unknown>,
    file: bytes
      ? {
          name: book.masked(name!),
          contentType: contentType!,
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        }
      : null,
  };
}

/** Returns the content of another server's answer as text, masked. Its JSON keeps its form unless a secret is in it. */
export function maskedContent(book: SecretBook, text: string): string {
  const masked = maskedText(book, text);
  if ('text' in masked) return masked.text;
  const compact = JSON.stringify(masked.json);
  return compact === JSON.stringify(parseOutsideJson(text)) ? text : compact;
}

/** Returns what was sent to another server, masked: its JSON, or its text where a fault has cut that. */
export function maskedSent(book: SecretBook, text: string): unknown {
  const masked = maskedText(book, text);
  return 'json' in masked ? masked.json : masked.text;
}

function maskedText(book: SecretBook, text: string): { json: unknown } | { text: string } {
  let value: unknown;
  try {
    value = parseOutsideJson(text);
  } catch {
    return { text: maskMembersInText(text, (name, part) => maskedMember(book, name, part)) };
  }
  return { json: maskedValue(book, value) };
}

/** Returns a path with its query, or a whole URL, masked. */
export function maskedUrl(book: SecretBook, url: string): string {
  const at = url.startsWith('/') ? url.indexOf('?') : -1;
  if (at < 0) return book.masked(url);
  const query = maskFields(url.slice(at + 1), (name, part) => maskedMember(book, name, part));
  return `${book.masked(url.slice(0, at))}?${query}`;
}

/** Returns the placeholder of a valid IBAN: country, length and last four. */
function ibanPlaceholder(text: string): string | undefined {
  const iban = text.replaceAll(/\s/g, '').toUpperCase();
  const country = iban.slice(0, 2);
  return problemOfIban(iban, country) === undefined
    ? `{{iban:${country}:${iban.length}:${iban.slice(-4)}}}`
    : undefined;
}
