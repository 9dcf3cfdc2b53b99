import { type TObject, type TSchema } from 'typebox';
import { Refusal } from './refusals.ts';

const TRUE = new Set(['true', '1']);
const FALSE = new Set(['false', '0']);

/**
 * The query of a request with the types its schema names. Members it does not name are ignored; client
 * libraries write booleans as `true`, `True` and `1` (docs/choices.md, Booleans).
 * @throws Refusal `invalid_field` for text that is not of the member's type.
 */
export function parseQuery(schema: TObject, raw: Record<string, unknown>): Record<string, unknown> {
  const parsed: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(
    schema.properties as Record<string, TSchema & { type?: string }>,
  )) {
    const given = raw[name];
    if (given === undefined || given === '') continue;
    if (member.type === 'array') {
      parsed[name] = Array.isArray(given) ? given : [given];
      continue;
    }
    const text = String(Array.isArray(given) ? given.at(-1) : given);
    if (text.includes('\u0000')) {
      throw new Refusal('invalid_field', { field: name, problem: 'must not contain the character U+0000' });
    }
    parsed[name] = valueOf(name, text, member.type);
  }
  return parsed;
}

function valueOf(name: string, text: string, type: string | undefined): unknown {
  switch (type) {
    case 'integer':
      if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(Number(text)))
        throw new Refusal('invalid_field', { field: name, problem: 'must be an integer' });
      return Number(text);
    case 'boolean': {
      const lower = text.toLowerCase();
      if (TRUE.has(lower)) return true;
      if (FALSE.has(lower)) return false;
      throw new Refusal('invalid_field', { field: name, problem: 'must be true or false' });
    }
    default:
      return text;
  }
}
