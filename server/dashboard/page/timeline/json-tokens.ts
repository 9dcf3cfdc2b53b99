interface JsonToken {
  kind: 'key' | 'text' | 'number' | 'word' | 'plain';
  text: string;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

/** Prints a value as indented JSON, split into tokens for syntax colours. */
export function jsonTokens(value: unknown): JsonToken[] {
  const printed = JSON.stringify(value, null, 2) ?? 'undefined';
  const tokens: JsonToken[] = [];
  let at = 0;
  for (const match of printed.matchAll(TOKEN)) {
    if (match.index > at) tokens.push({ kind: 'plain', text: printed.slice(at, match.index) });
    const [whole, quoted, colon, number] = match;
    if (quoted !== undefined && colon !== undefined) {
      tokens.push({ kind: 'key', text: quoted }, { kind: 'plain', text: colon });
    } else {
      tokens.push({
        kind: quoted !== undefined ? 'text' : number !== undefined ? 'number' : 'word',
        text: whole,
      });
    }
    at = match.index + whole.length;
  }
  if (at < printed.length) tokens.push({ kind: 'plain', text: printed.slice(at) });
  return tokens;
}
