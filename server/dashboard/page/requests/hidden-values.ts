/** Where a value of a body is hidden: names of members and places in lists. */
type ValuePath = readonly (string | number)[];

// Of a secret, and of a key on a keypad (server/platform/mask-secrets.ts).
const HIDDEN = /··|•/;

/** Returns whether a text has a part that the server has hidden. */
export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** Returns where a body has values that the server has hidden. */
export function hiddenPaths(body: unknown, at: ValuePath = []): ValuePath[] {
  if (typeof body === 'string') return hasHidden(body) ? [at] : [];
  if (typeof body !== 'object' || body === null) return [];
  const inside = Array.isArray(body) ? [...body.entries()] : Object.entries(body);
  return inside.flatMap(([name, value]) => hiddenPaths(value, [...at, name]));
}

/** Returns a path as text: `cardDetails.number`. */
export function pathText(path: ValuePath): string {
  return path.join('.') || 'body';
}

/** Returns a copy of a body with other values in these places. */
export function withValues(body: unknown, values: ReadonlyMap<string, string>, at: ValuePath = []): unknown {
  if (typeof body === 'string') return values.get(pathText(at)) ?? body;
  if (Array.isArray(body)) return body.map((item, index) => withValues(item, values, [...at, index]));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, withValues(value, values, [...at, name])]),
  );
}
