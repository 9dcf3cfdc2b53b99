import type { TSchema } from '../../../protocol/schema.ts';
import { Refusal } from './refusals.ts';

// Deeper than any body of the API, and far below where recursion would exhaust the stack.
const DEPTH_MAX = 32;

/**
 * The value of a JSON text as a resource's schema expects it: members that are null are absent
 * (docs/choices.md, Null), but for those of `cleared`. An empty text is an empty object, since some clients send
 * a content type and nothing.
 * @throws Refusal `not_json`, or `invalid_field` for text that no store could keep.
 */
export function parseBody(text: string, cleared: readonly string[] = []): unknown {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('not_json');
  }
  // One client library has a single word for the empty list and the empty object.
  if (Array.isArray(value) && value.length === 0) return {};
  tidy(value, 'body', 0, cleared);
  return value;
}

/**
 * A value from elsewhere than a JSON text, under the same rules.
 * @throws Refusal `invalid_field`.
 */
export function tidied(value: unknown): unknown {
  tidy(value, 'body', 0, []);
  return value;
}

function tidy(value: unknown, path: string, depth: number, cleared: readonly string[]): void {
  if (typeof value === 'string') return refuseNul(value, path);
  if (typeof value !== 'object' || value === null) return;
  if (depth === DEPTH_MAX)
    throw new Refusal('invalid_field', { field: 'body', problem: 'is nested too deeply' });
  if (Array.isArray(value)) {
    value.forEach((item, index) => tidy(item, `${path}.${index}`, depth + 1, []));
    return;
  }
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    // A member named __proto__ would change what the object is when it is copied.
    if ((members[name] === null && !cleared.includes(name)) || name === '__proto__') delete members[name];
    else {
      refuseNul(name, path);
      tidy(members[name], depth === 0 ? name : `${path}.${name}`, depth + 1, []);
    }
  }
}

/**
 * Takes from a value that fits its schema what the schema does not name: unknown members are ignored, so nobody
 * is to store them or put them into an event (docs/choices.md, Null).
 */
export function dropUnknown(schema: TSchema, value: unknown): void {
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  if (Array.isArray(value)) {
    if (items) for (const item of value) dropUnknown(items, item);
  } else if (properties && typeof value === 'object' && value !== null) {
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      if (Object.hasOwn(properties, name)) dropUnknown(properties[name]!, members[name]);
      else delete members[name];
    }
  }
}

// PostgreSQL cannot keep U+0000 in text, so no engine is given it.
function refuseNul(text: string, path: string): void {
  if (text.includes('\u0000')) {
    throw new Refusal('invalid_field', { field: path, problem: 'must not contain the character U+0000' });
  }
}
