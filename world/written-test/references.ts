import { Fault } from '../../protocol/failures.ts';
import type { Trace } from '../../server/traces/trace-format.schema.ts';
import type { TraceCall } from '../../server/traces/trace-item.schema.ts';
import { literal, member, templateLiteral, type Expression } from './expression.ts';
import { nameOfId, type Names } from './names.ts';
import { idsInText } from '../../protocol/ids.ts';

/** The code of the texts that a test sends: ids and secrets that a replay makes anew are read from earlier replies. */
export interface References {
  textCode(text: string): Expression;
  /** Whether a request after the call of a reply has an id or a secret in its URL that only this reply has so far. */
  isNeededLater(call: TraceCall, body: unknown): boolean;
  /** Makes the texts of a reply known as members of the variable that holds its body. */
  reply(body: unknown, variable: Expression): void;
  /** Ids of the snapshot that the test uses, by id, with their names. */
  readonly constants: ReadonlyMap<string, Expression>;
}

/** @throws Fault `bad_setting` from `textCode` for an id that the recording has, but no reply before */
export function createReferences(trace: Trace, names: Names): References {
  const snapshot = allTokensIn(trace.snapshot.lines);
  const outputs = allTokensIn(trace.items.filter(({ kind }) => kind === 'output' || kind === 'reply'));
  const known = new Map<string, Expression>();
  const constants = new Map<string, Expression>();
  const lastUse = lastUseInUrls(trace);

  const isMadeAnew = (token: string) => !snapshot.has(token) && outputs.has(token);

  function constantOf(id: string): Expression {
    const name = constants.get(id) ?? names.take(nameOfId(id));
    constants.set(id, name);
    return name;
  }

  /** Returns an expression; undefined for a token that stays as it is. */
  function expressionOf(token: string): Expression | undefined {
    const read = known.get(token);
    if (read !== undefined) return read;
    const isSecret = token.startsWith('{{');
    if (snapshot.has(token)) return isSecret ? undefined : constantOf(token);
    if (isSecret || !isMadeAnew(token)) return undefined;
    throw new Fault(
      'bad_setting',
      `no test can be written: ${token} is sent, but is in no reply before that`,
    );
  }

  function textCode(text: string): Expression {
    const whole = tokensIn(text).some(isMadeAnew) ? known.get(text) : undefined;
    if (whole !== undefined) return whole;
    const parts = splitAtTokens(text).map((part) => ({
      part,
      code: isToken(part) ? expressionOf(part) : undefined,
    }));
    const found = parts.filter(({ code }) => code !== undefined);
    if (found.length === 0) return literal(text);
    if (found.length === 1 && found[0]!.part === text) return found[0]!.code!;
    return templateLiteral(parts.map(({ part, code }) => (code === undefined ? { text: part } : { code })));
  }

  return {
    constants,
    textCode,
    isNeededLater({ seq }, body) {
      const isNew = (token: string) => isMadeAnew(token) && !known.has(token);
      return textsOf(body).some(({ text }) => (lastUse.get(text) ?? 0) > seq && tokensIn(text).some(isNew));
    },
    reply(body, variable) {
      const texts = textsOf(body).toSorted((one, other) => one.path.length - other.path.length);
      for (const { path, text } of texts) {
        if (tokensIn(text).some(isMadeAnew) && !known.has(text))
          known.set(text, path.reduce(member, variable));
      }
    },
  };
}

/** Returns the number of the last call for each URL, and for each token in one. */
function lastUseInUrls({ items }: Trace): ReadonlyMap<string, number> {
  const lastUse = new Map<string, number>();
  for (const item of items) {
    if (item.kind !== 'call') continue;
    for (const text of [item.url, ...tokensIn(item.url)]) lastUse.set(text, item.seq);
  }
  return lastUse;
}

/** Returns each text of a JSON value with the names and numbers that lead to it. */
function textsOf(
  value: unknown,
  path: (string | number)[] = [],
): { path: (string | number)[]; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    textsOf(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

const TOKENS = () => new RegExp(`(${idsInText().source}|\\{\\{secret:\\d+\\}\\})`, 'g');
const ONE_TOKEN = new RegExp(`^${TOKENS().source}$`);

/** Whether a text is an id or the placeholder of a secret. */
export const isToken = (text: string) => ONE_TOKEN.test(text);

/** Returns the ids and the placeholders of secrets in a text. */
export function tokensIn(text: string): string[] {
  return text.match(TOKENS()) ?? [];
}

/** Splits a text into its tokens and what is between them. */
function splitAtTokens(text: string): string[] {
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
function allTokensIn(value: unknown): ReadonlySet<string> {
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
