import { Fault } from '../../protocol/failures.ts';

declare const isExpression: unique symbol;

/**
 * Code of a test: an expression, a statement, or a part of one. Only the functions of this file make one, out of words of the
 * program and of literals, so that no text of a trace is ever code.
 */
export type Expression = string & { readonly [isExpression]: true };

const made = (text: string) => text as Expression;

/** No code, such as an empty line. */
export const NOTHING = made('');

/** Returns code of the program itself, with other code in it. */
export function code(words: TemplateStringsArray, ...parts: readonly Expression[]): Expression {
  return made(String.raw({ raw: words }, ...parts));
}

/** Returns the literal of a text, a number, a truth value or null. */
export function literal(value: string | number | boolean | null): Expression {
  if (typeof value === 'string') return textLiteral(value);
  // As JSON: a number that is too large for one is null. Prettier writes an exponent without its plus sign.
  return made(JSON.stringify(value).replace('e+', 'e'));
}

/** Returns the literal of a text in single quotes, unless double quotes need fewer escapes. */
function textLiteral(text: string): Expression {
  const content = escaped(text);
  const countOf = (quote: string) => content.split(quote).length - 1;
  return made(
    countOf("'") > countOf('"')
      ? `"${content.replaceAll('"', '\\"')}"`
      : `'${content.replaceAll("'", "\\'")}'`,
  );
}

/** Returns a template literal of texts and code, in their order. */
export function templateLiteral(parts: readonly ({ text: string } | { code: Expression })[]): Expression {
  const inner = parts.map((part) =>
    'code' in part
      ? `\${${part.code}}`
      : escaped(part.text)
          .replaceAll('`', '\\`')
          .replaceAll(/\$(?=\{|$)/g, '\\$'),
  );
  return made(`\`${inner.join('')}\``);
}

/** Returns a name as code. @throws Fault `internal` for a text that is no name */
export function identifier(name: string): Expression {
  if (!isName(name)) throw new Fault('internal', `${JSON.stringify(name)} is no name`);
  return made(name);
}

/** Returns the code that reads a member, or an element by its number. */
export function member(object: Expression, name: string | number): Expression {
  if (typeof name === 'string' && isName(name)) return made(`${object}.${name}`);
  return made(`${object}[${literal(name)}]`);
}

/** Returns the name of a member of an object literal, with its colon. */
export function memberName(name: string): Expression {
  // Without brackets it would be the prototype.
  if (name === '__proto__') return made(`['__proto__']: `);
  return made(`${isName(name) ? name : textLiteral(name)}: `);
}

function isName(text: string): boolean {
  return /^[a-zA-Z_$][\w$]*$/.test(text);
}

// What an editor shows as nothing, as a line break, or in another order than it stands.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFEFF]/gu;

/** Returns the content of a literal for a text, without escapes of quotes. */
function escaped(text: string): string {
  const content = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return content.replaceAll(UNSEEN, (unseen) =>
    [...Array(unseen.length).keys()]
      .map((at) => `\\u${unseen.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
