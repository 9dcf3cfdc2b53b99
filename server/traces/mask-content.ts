import { createHash } from 'node:crypto';
import { DECLINED_CARDS } from '../bank/issuer/test-cards.ts';
import { ibanPlaceholder } from './iban-placeholder.ts';
import { isHiddenMember } from '../platform/mask-secrets.ts';
import type { ReceivedForm } from '../platform/traffic.ts';
import { cardPlaceholder, type SecretBook } from './secret-book.ts';
import type { TraceBody } from './trace-format.schema.ts';

/** Returns a copy of a value with placeholders for the secrets and card numbers in it. */
export function maskedValue(book: SecretBook, value: unknown, member = ''): unknown {
  if (typeof value === 'string') return maskedMember(book, member, value);
  if (typeof value === 'number')
    return isHiddenMember(member) ? maskedMember(book, member, String(value)) : value;
  if (Array.isArray(value)) return value.map((item) => maskedValue(book, item, member));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [book.masked(name), maskedValue(book, inner, name)]),
  );
}

function maskedMember(book: SecretBook, name: string, text: string): string {
  const member = name.toLowerCase();
  if (text === '') return text;
  if (member === 'number' && /^[\d -]{7,}$/.test(text)) return cardPlaceholder(text.replace(/\D/g, ''));
  if (member === 'cvc' || member === 'cvv') return codePlaceholder(text) ?? book.placeholderOf(text);
  if (member === 'iban') return ibanPlaceholder(text) ?? book.placeholderOf(text);
  if (member === 'accountnumber' && /^\d{4,}$/.test(text))
    return `{{digits:${text.length}:${text.slice(-4)}}}`;
  return isHiddenMember(member) ? book.placeholderOf(text) : book.masked(text);
}

/** Security codes with which test cards are declined are named by their reason; others have their length alone. */
function codePlaceholder(code: string): string | undefined {
  if (!/^\d+$/.test(code)) return undefined;
  const reason = DECLINED_CARDS.find((card) => card.cvc === code)?.code;
  return `{{code:${code.length}${reason === undefined ? '' : `:${reason}`}}}`;
}

/** Returns the content of a request or a reply, masked. */
export function maskedBody(book: SecretBook, content: string | ReceivedForm | undefined): TraceBody | null {
  if (content === undefined || content === '') return null;
  if (typeof content === 'string') return maskedText(book, content);
  const { body, file } = content;
  const { name, contentType, bytes } = file ?? {};
  return {
    form: maskedValue(book, body),
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

function maskedText(book: SecretBook, text: string): TraceBody {
  try {
    return { json: maskedValue(book, JSON.parse(text)) };
  } catch {
    return { text: book.masked(text) };
  }
}
