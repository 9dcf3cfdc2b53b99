import { idsInText } from '../../protocol/ids.ts';

const TOKENS = () => new RegExp(`(${idsInText().source}|\\{\\{secret:\\d+\\}\\})`, 'g');
const ONE_TOKEN = new RegExp(`^${TOKENS().source}$`);

/** Whether a text is an id or the placeholder of a secret. */
export const isToken = (text: string) => ONE_TOKEN.test(text);

/** Returns the ids and the placeholders of secrets in a text. */
export function tokensIn(text: string): string[] {
  return text.match(TOKENS()) ?? [];
}

/** Splits a text into its tokens and what is between them. */
export function splitAtTokens(text: string): string[] {
  return text.split(TOKENS());
}

/** Returns the texts in a JSON value, names of members included. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    yield name;
    yield* textsIn(inner);
  }
}

/** Returns the tokens in all texts of a JSON value, and the ids that are parts of these. */
export function allTokensIn(value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  for (const text of textsIn(value)) {
    for (const token of tokensIn(text))
      if (!found.has(token)) for (const part of partsOf(token)) found.add(part);
  }
  return found;
}

/** Returns a token, and what it is made of when it is an id: its prefix, and one ULID or two. */
function partsOf(token: string): string[] {
  const [, prefix = '', first = '', second = ''] = /^([a-z]+_)?([^_{]+)(?:_([^_]+))?$/.exec(token) ?? [];
  const pair = second && `${first}_${second}`;
  return [token, first, second, pair, prefix + first].filter(Boolean);
}
