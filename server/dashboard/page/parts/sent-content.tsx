import { CopyButton } from './copy-button.tsx';

/** Names and values, such as headers, one below the other; nothing when there are none. */
export function HeaderFields({ fields }: { fields: object }) {
  const entries = Object.entries(fields);
  if (entries.length === 0) return null;
  return (
    <dl class="header-fields mono">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Indented JSON, keys and values in different colours. */
export function JsonView({ value }: { value: unknown }) {
  return (
    <div class="json">
      <CopyButton text={JSON.stringify(value, null, 2)} what="JSON" />
      {/* Focusable, so that a long one is scrolled with the keyboard. */}
      <pre tabIndex={0}>
        {jsonTokens(value).map(({ kind, text }, index) =>
          kind === 'plain' ? (
            text
          ) : (
            <span key={index} class={`json-${kind}`}>
              {text}
            </span>
          ),
        )}
      </pre>
    </div>
  );
}

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
