import { SECRET_NAME, secretKindOf } from './secret-members.ts';

/** Returns what is shown of a part of a text: of the value of a member, or of what is around members, without a name. */
type MaskPart = (name: string, text: string) => string;

const QUOTED = String.raw`"(?:[^"\\]+|\\[^])*"?|\\+"[^"]*"?|'[^']*'?`;
const MEMBER = new RegExp(
  [
    String.raw`(?<![\w-])(${SECRET_NAME})(?![\w-])`,
    String.raw`([\\"'\]]{0,6}\s*[:=]\s*)`,
    String.raw`(${QUOTED}|\[(?:[^\]"]+|"(?:[^"\\]+|\\[^])*"?)*\]?|[^\s,&{}[\]"'][^,&{}[\]"'\r\n]*)`,
  ].join(''),
  'gi',
);
const SCALAR = new RegExp(String.raw`${QUOTED}|[^\s,[\]"']+`, 'g');
const FORM = /^[\w.[\]%+-]{1,100}=/;

/** Masks a text that is no JSON, but may be JSON that is cut off or mistaken, or a form, or hold members as `name: value`. */
export function maskMembersInText(text: string, mask: MaskPart): string {
  return FORM.test(text) ? maskFields(text, mask) : maskMembers(text, mask);
}

function maskMembers(text: string, mask: MaskPart): string {
  let [masked, done] = ['', 0];
  for (const { 0: member, 1: name, 2: between, 3: value, index } of text.matchAll(MEMBER)) {
    const start = index + name!.length + between!.length;
    masked += mask('', text.slice(done, start)) + maskValue(value!, (inner) => mask(name!, inner));
    done = index + member.length;
  }
  return masked + mask('', text.slice(done));
}

function maskValue(value: string, mask: (inner: string) => string): string {
  if (value.startsWith('[')) return value.replaceAll(SCALAR, (item) => maskScalar(item, mask));
  return maskScalar(value, mask);
}

/** Masks a value inside its quotation marks. It gets none, so that broken JSON stays broken. */
function maskScalar(value: string, mask: (inner: string) => string): string {
  const open = /^\\*["']/.exec(value)?.[0] ?? '';
  const inner = open === '' ? value.trimEnd() : value.slice(open.length);
  const close = open === '' ? value.slice(inner.length) : inner.endsWith(open) ? open : '';
  const content = open === '' ? inner : inner.slice(0, inner.length - close.length);
  return content === '' ? value : open + mask(content) + close;
}

/**
 * Masks the fields of a form or of a query string (application/x-www-form-urlencoded). What has no secret stays as it was
 * encoded.
 */
export function maskFields(text: string, mask: MaskPart): string {
  return text
    .split('&')
    .map((field) => {
      const [, name, value = ''] = /^(?:([^=]*)=)?([^]*)$/.exec(field)!;
      if (name === undefined) return maskField(value, (decoded) => maskMembers(decoded, mask));
      const member = decodedField(name);
      const shown = maskField(value, (decoded) =>
        secretKindOf(member) ? mask(member, decoded) : maskMembers(decoded, mask),
      );
      return `${maskField(name, (decoded) => mask('', decoded))}=${shown}`;
    })
    .join('&');
}

function maskField(field: string, mask: (decoded: string) => string): string {
  const decoded = decodedField(field);
  const masked = mask(decoded);
  return masked === decoded ? field : encodedField(masked);
}

function decodedField(field: string): string {
  const text = field.replaceAll('+', ' ');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes what has a meaning in a form or is not ASCII, so that placeholders stay readable. */
function encodedField(text: string): string {
  // A character that was cut in half cannot be encoded.
  return text.replaceAll(/[^!-~·•]|[&#+%=?]/gu, (found) => encodeURIComponent(Buffer.from(found).toString()));
}
