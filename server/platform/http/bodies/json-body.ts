import {
  JSON_DEPTH_MAX,
  parseOutsideJson,
  TooDeepJson,
  isObject,
} from '../../../../protocol/outside-json.ts';
import type { TSchema } from '../../../../protocol/schema.ts';
import { Refusal } from '../refusals.ts';

/**
 * Parses a JSON body for validation. Removes null members other than those in `cleared` (docs/choices.md, Null). An
 * empty text is an empty object, since some clients send a content type without a body.
 * @throws Refusal `not_json`, `body_too_deep`, or `invalid_field` for text that no store could keep.
 */
export function parseBody(text: string, cleared: readonly string[] = []): unknown {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = parseOutsideJson(text);
  } catch (thrown) {
    throw thrown instanceof TooDeepJson ? tooDeep() : new Refusal('not_json');
  }
  // One client library serialises the empty object as an empty list.
  if (Array.isArray(value) && value.length === 0) return {};
  sanitize(value, 'body', 0, cleared);
  return value;
}

/** The refusal of a body that is nested deeper than any of the API. */
export function tooDeep(): Refusal {
  return new Refusal('body_too_deep', { limit: JSON_DEPTH_MAX });
}

/**
 * Applies the rules of `parseBody` to a value that was not JSON text, in place, and returns it.
 * @throws Refusal `body_too_deep`, `invalid_field`.
 */
export function sanitizeBody(value: unknown): unknown {
  sanitize(value, 'body', 0, []);
  return value;
}

function sanitize(value: unknown, path: string, depth: number, cleared: readonly string[]): void {
  if (typeof value === 'string') return refuseNul(value, path);
  if (typeof value !== 'object' || value === null) return;
  if (depth === JSON_DEPTH_MAX) throw tooDeep();
  if (Array.isArray(value)) {
    value.forEach((item, index) => sanitize(item, `${path}.${index}`, depth + 1, []));
    return;
  }
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    // It would change what the object is when it is copied, or be dropped there.
    if (name === '__proto__')
      throw new Refusal('invalid_field', { field: path, problem: 'must not have a member named __proto__' });
    if (value[name] === null && !cleared.includes(name)) delete value[name];
    else {
      refuseNul(name, path);
      sanitize(value[name], depth === 0 ? name : `${path}.${name}`, depth + 1, []);
    }
  }
}

/**
 * Removes the members that the schema does not declare from a valid value. Unknown members are ignored, so they must
 * not be stored or put into an event (docs/choices.md, Null).
 */
export function dropUnknown(schema: TSchema, value: unknown): void {
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  if (Array.isArray(value)) {
    if (items) for (const item of value) dropUnknown(items, item);
  } else if (properties && isObject(value)) {
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(properties, name)) dropUnknown(properties[name]!, value[name]);
      else delete value[name];
    }
  }
}

// PostgreSQL cannot store U+0000 in text, so it is refused for every engine.
function refuseNul(text: string, path: string): void {
  if (text.includes('\u0000')) {
    throw new Refusal('invalid_field', { field: path, problem: 'must not contain the character U+0000' });
  }
}
