import { literal, memberName, NOTHING, type Expression } from './expression.ts';

/** A value in the code of a test: an expression, or an object or array that can take several lines. */
export type Code = Expression | { brackets: '{}' | '[]'; entries: CodeEntry[] };

interface CodeEntry {
  /** Name of a member with its colon; empty in an array. */
  name: Expression;
  value: Code;
}

// What Prettier fills by default.
const WIDTH = 80;

/** Returns the code of a JSON value. `textCode` returns that of each text in it. */
export function codeOf(value: unknown, textCode: (text: string) => Expression = literal): Code {
  if (typeof value === 'string') return textCode(value);
  if (Array.isArray(value))
    return {
      brackets: '[]',
      entries: value.map((item) => ({ name: NOTHING, value: codeOf(item, textCode) })),
    };
  if (typeof value !== 'object' || value === null) return literal(value as number | boolean | null);
  const entries = Object.entries(value).map(([name, inner]) => ({
    name: memberName(name),
    value: codeOf(inner, textCode),
  }));
  return { brackets: '{}', entries };
}

/**
 * Returns the lines of a call as a statement, laid out as Prettier does.
 * @param callee what stands before the parenthesis, such as `const payment = await api.post`
 */
export function callLines(callee: Expression, args: readonly Code[], depth: number): string[] {
  const indent = '  '.repeat(depth);
  const line = `${indent}${callee}(${args.map(onOneLine).join(', ')});`;
  if (line.length <= WIDTH && !args.some(mustBreak)) return [line];
  const last = args.at(-1);
  const before = args.slice(0, -1).map((arg) => `${onOneLine(arg)}, `);
  const head = `${indent}${callee}(${before.join('')}`;
  if (typeof last === 'object' && last.entries.length > 0 && head.length + 1 <= WIDTH)
    return [
      `${head}${last.brackets[0]}`,
      ...entryLines(last.entries, depth + 1),
      `${indent}${last.brackets[1]});`,
    ];
  return [
    `${indent}${callee}(`,
    ...entryLines(
      args.map((value) => ({ name: NOTHING, value })),
      depth + 1,
    ),
    `${indent});`,
  ];
}

function entryLines(entries: readonly CodeEntry[], depth: number): string[] {
  return entries.flatMap((entry) => linesOf(entry, depth));
}

function linesOf({ name, value }: CodeEntry, depth: number): string[] {
  const indent = '  '.repeat(depth);
  const line = `${indent}${name}${onOneLine(value)},`;
  if (typeof value === 'string') {
    // A text that is too long for the line of its name stands on the next.
    const breaks = line.length > WIDTH && name !== '' && !value.startsWith('`');
    return breaks ? [`${indent}${name.trimEnd()}`, `${indent}  ${value},`] : [line];
  }
  if (value.entries.length === 0 || (line.length <= WIDTH && !mustBreak(value))) return [line];
  const [open, close] = value.brackets;
  return [`${indent}${name}${open}`, ...entryLines(value.entries, depth + 1), `${indent}${close},`];
}

/** Whether Prettier breaks a value even when it fits: several objects or arrays of more than one entry. */
function mustBreak(code: Code): boolean {
  if (typeof code === 'string') return false;
  const { brackets, entries } = code;
  const areLong = entries.every(
    ({ value }) =>
      typeof value === 'object' && value.entries.length > 1 && value.brackets === bracketsOf(entries[0]),
  );
  return (
    (brackets === '[]' && entries.length > 1 && areLong) || entries.some(({ value }) => mustBreak(value))
  );
}

function bracketsOf(entry: CodeEntry | undefined): string | undefined {
  return typeof entry?.value === 'object' ? entry.value.brackets : undefined;
}

function onOneLine(code: Code): string {
  if (typeof code === 'string') return code;
  const { brackets, entries } = code;
  if (entries.length === 0) return brackets;
  const inner = entries.map(({ name, value }) => `${name}${onOneLine(value)}`).join(', ');
  return brackets === '{}' ? `{ ${inner} }` : `[${inner}]`;
}
