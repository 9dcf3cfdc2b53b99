import { checker, type TSchema } from '../../../../protocol/schema.ts';
import { sampleOf, variantsOf, type Json, type Place } from './schema-samples.ts';

/** One limit of a schema: values that break it, one that is just within it, and where they stand. */
export interface Limit {
  place: Place;
  /** The word of JSON Schema: `maxLength` and so on. */
  rule: string;
  /** Stands at the place and breaks this rule alone; undefined leaves the member out. */
  broken: Json;
  /** Stands at the place and is just within the rule, where there is such a value. */
  within?: Json;
  /** Where the refusal says that it is wrong, when that is not the place. */
  blamed?: Place;
}

/** Every limit of a schema and of all that is inside it. */
export function limitsOf(schema: Json, place: Place = []): Limit[] {
  if (schema.anyOf) return variantsOf(schema).flatMap((variant) => limitsOf(variant, place));
  return [...ownLimits(schema).map((limit) => ({ place, ...limit })), ...innerLimits(schema, place)];
}

function innerLimits(schema: Json, place: Place): Limit[] {
  if (schema.type === 'array') return limitsOf(schema.items, [...place, 0]);
  if (schema.type !== 'object') return [];
  const { properties = {}, required = [] } = schema;
  const members = Object.entries<Json>(properties).flatMap(([name, member]) =>
    limitsOf(member, [...place, name]),
  );
  const missing = required.map((name: string) => ({
    place: [...place, name],
    rule: 'required',
    broken: undefined,
    within: sampleOf(properties[name]),
  }));
  return [...missing, ...members];
}

type Own = Omit<Limit, 'place'>;

function ownLimits(schema: Json): Own[] {
  if ('const' in schema) return [{ rule: 'const', broken: 'nothing of the kind', within: schema.const }];
  if (schema.enum)
    return schema.enum.map((within: Json) => ({ rule: 'enum', broken: `No ${within}`, within }));
  switch (schema.type) {
    case 'string':
      return textLimits(schema);
    case 'integer':
    case 'number':
      return numberLimits(schema);
    case 'boolean':
      return [{ rule: 'type', broken: 'yes', within: false }];
    case 'array':
      return listLimits(schema);
    default:
      return objectLimits(schema);
  }
}

function textLimits(schema: Json): Own[] {
  const { minLength, maxLength, pattern } = schema;
  const fits = checker(schema as TSchema);
  const within = (text: string) => (fits(text).length === 0 ? { within: text } : {});
  const limits: Own[] = [{ rule: 'type', broken: { text: 'x' }, within: sampleOf(schema) }];
  if (minLength > 0)
    limits.push({ rule: 'minLength', broken: 'x'.repeat(minLength - 1), ...within('x'.repeat(minLength)) });
  if (maxLength !== undefined)
    limits.push({
      rule: 'maxLength',
      broken: longText(pattern, maxLength + 1),
      ...within(longText(pattern, maxLength)),
    });
  if (pattern) {
    const broken = ['!', ' ', 'é@ é'].find((text) => !new RegExp(pattern).test(text));
    limits.push({ rule: 'pattern', broken, within: sampleOf(schema) });
  }
  return limits;
}

/** A text of this length, of the form that the pattern asks for where a long one can have it. */
function longText(pattern: string | undefined, length: number): string {
  const form = pattern === undefined ? undefined : new RegExp(pattern);
  const head = ['sam@example.com', 'Sam Reid'].find((text) => form?.test(text)) ?? '';
  return head + 'x'.repeat(length - head.length);
}

function numberLimits({ type, minimum, maximum }: Json): Own[] {
  const limits: Own[] = [{ rule: 'type', broken: { count: 1 }, within: Math.max(minimum ?? 1, 1) }];
  if (type === 'integer') limits.push({ rule: 'integer', broken: Math.max(minimum ?? 1, 1) + 0.5 });
  if (minimum !== undefined) limits.push({ rule: 'minimum', broken: minimum - 1, within: minimum });
  if (maximum !== undefined) limits.push({ rule: 'maximum', broken: maximum + 1, within: maximum });
  return limits;
}

function listLimits({ items, minItems = 0, maxItems }: Json): Own[] {
  const list = (length: number) => Array.from({ length }, () => sampleOf(items));
  const limits: Own[] = [{ rule: 'type', broken: 'a list', within: list(Math.max(minItems, 1)) }];
  // An empty list of a whole body is an empty object (docs/choices.md, Bodies); none of the API is one.
  if (minItems > 0) limits.push({ rule: 'minItems', broken: list(minItems - 1), within: list(minItems) });
  if (maxItems !== undefined)
    limits.push({ rule: 'maxItems', broken: list(maxItems + 1), within: list(maxItems) });
  return limits;
}

function objectLimits(schema: Json): Own[] {
  const { additionalProperties, maxProperties, propertyNames } = schema;
  const limits: Own[] = [{ rule: 'type', broken: 'an object', within: sampleOf(schema) }];
  if (typeof additionalProperties !== 'object') return limits;
  // A map of texts: of its keys, its values and how many there are.
  const entries = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'value']));
  const { minLength, maxLength } = propertyNames;
  limits.push(
    { rule: 'maxProperties', broken: entries(maxProperties + 1), within: entries(maxProperties) },
    {
      rule: 'propertyNames',
      broken: { ['k'.repeat(maxLength + 1)]: 'v' },
      within: { ['k'.repeat(maxLength)]: 'v' },
    },
    {
      rule: 'propertyNames',
      broken: { ['k'.repeat(minLength - 1)]: 'v' },
      within: { ['k'.repeat(minLength)]: 'v' },
    },
  );
  for (const { rule, broken, within } of textLimits(additionalProperties)) {
    limits.push({ rule, broken: { key: broken }, within: { key: within }, blamed: ['key'] });
  }
  return limits;
}
