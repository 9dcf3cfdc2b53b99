// oxlint-disable-next-line no-explicit-any -- a schema, or a value of it
type Json = any;

/** Of a schema with a title its members and their named values go by that title; of others by the operation. */
const nameOf = (schema: Json, name: string): string => schema.title ?? name;

const variantsOf = ({ anyOf }: Json): Json[] => anyOf.filter(({ type }: Json) => type !== 'null');

/** Whether a schema is of this one value of many: the type of a variant, a status. */
const valuesOf = (schema: Json): Json[] => ('const' in schema ? [schema.const] : (schema.enum ?? []));

/** Every member that an answer of this schema may have, and every value that is named for one. */
export function declaredOf(schema: Json, name: string, found = new Set<string>()): Set<string> {
  if (schema.anyOf) {
    for (const variant of variantsOf(schema)) declaredOf(variant, nameOf(schema, name), found);
    return found;
  }
  const own = nameOf(schema, name);
  for (const value of valuesOf(schema)) found.add(`${name}: ${value}`);
  if (schema.type === 'array') declaredOf(schema.items, own, found);
  for (const [member, inner] of Object.entries<Json>(schema.properties ?? {})) {
    found.add(`${own}.${member}`);
    declaredOf(inner, `${own}.${member}`, found);
  }
  return found;
}

/** What of it an answer shows. */
export function shownOf(schema: Json, value: Json, name: string, found: Set<string>): void {
  if (value === null || value === undefined) return;
  if (schema.anyOf) {
    for (const variant of variantsOf(schema)) {
      if (mayBe(variant, value)) shownOf(variant, value, nameOf(schema, name), found);
    }
    return;
  }
  const own = nameOf(schema, name);
  if (valuesOf(schema).includes(value)) found.add(`${name}: ${value}`);
  if (Array.isArray(value)) for (const item of value) shownOf(schema.items, item, own, found);
  for (const [member, inner] of Object.entries<Json>(schema.properties ?? {})) {
    if (value[member] === undefined || value[member] === null) continue;
    found.add(`${own}.${member}`);
    shownOf(inner, value[member], `${own}.${member}`, found);
  }
}

/** Whether a value may be of this variant of a union, by its `type`. */
function mayBe({ properties }: Json, value: Json): boolean {
  const type = properties?.type;
  return type === undefined || !('const' in type) || type.const === value.type;
}
