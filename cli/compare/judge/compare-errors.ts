import { isObject } from '../../../protocol/outside-json.ts';
import { compareBodies, type BodyContext } from './compare-bodies.ts';
import type { Found } from './difference.ts';
import { maskedText } from './mask-value.ts';

const INVALID_FIELD = 'invalid_field';
const MESSAGE = 'errors.*.message';

/**
 * Returns in what two refusals differ: the code of their first error, whether it names the field that ours begins with, and
 * the members of their bodies. The words of a message may be others.
 */
export function compareErrors(here: unknown, there: unknown, context: BodyContext): Found[] {
  const [ours, theirs] = [firstErrorOf(here), firstErrorOf(there)];
  const [many, others] = [errorsOf(here).length, errorsOf(there).length];
  const inMembers = compareBodies(withoutTexts(here), withoutTexts(there), context).map((one) =>
    one.member === 'code' && one.kind === 'value' ? { ...one, kind: 'code' as const } : one,
  );
  if (!ours || !theirs) return inMembers;
  const found = (kind: Found['kind'], member: string, texts: readonly [string, string]): Found => ({
    kind,
    member,
    here: maskedText(texts[0]),
    there: maskedText(texts[1]),
    extension: null,
    isUnknown: false,
  });
  if (many !== others)
    return [found('count', 'errors', [`a list of ${many}`, `a list of ${others}`]), ...inMembers];
  if (ours.code !== theirs.code)
    return [found('code', 'errors.*.code', [ours.code, theirs.code]), ...inMembers];
  // A message that is empty or absent is the difference, and names nothing for that reason.
  if (inMembers.some(({ member }) => member === MESSAGE)) return inMembers;
  const names = ours.code === INVALID_FIELD ? fieldOf(ours.message) : [];
  if (names.length === 0 || names.some((name) => isNamed(name, theirs.message))) return inMembers;
  return [found('fields', MESSAGE, [names.join('.'), `no such field in its message`]), ...inMembers];
}

/** The codes are compared for themselves, and of the message only which field it names. */
function withoutTexts(body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body['errors'])) return body;
  const [first]: unknown[] = body['errors'];
  if (!isObject(first)) return body;
  const { code: _code, message, ...members } = first;
  const isText = typeof message === 'string' && message !== '';
  return { ...body, errors: [{ ...members, message: isText ? 'a text' : message }] };
}

function errorsOf(body: unknown): unknown[] {
  const errors = isObject(body) ? body['errors'] : undefined;
  return Array.isArray(errors) ? errors : [];
}

function firstErrorOf(body: unknown): { code: string; message: string } | undefined {
  const [first] = errorsOf(body);
  return isObject(first) ? { code: String(first['code']), message: String(first['message']) } : undefined;
}

/** Returns the members that lead to the field with which a message of ours begins: `splits.items.0.amount must be …`. */
function fieldOf(message: string): string[] {
  const [path = ''] = message.split(' ');
  return path.split('.').filter((name) => /^[A-Za-z]+$/.test(name));
}

/** Returns whether a message names a field, also as words: `customer email` for `customerEmail`. */
function isNamed(name: string, message: string): boolean {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `[\\s_]?${letter}`);
  return new RegExp(`(?<![A-Za-z])${words}(?![A-Za-z])`, 'i').test(message);
}
