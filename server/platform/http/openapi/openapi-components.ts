type Json = Record<string, unknown>;

export interface SchemaComponents {
  /** A schema as the document shows it, with references in place of the components in it. */
  shown(schema: unknown): unknown;
  /** The components met so far, by title. */
  schemas(): Record<string, unknown>;
}

// Members that hold values, not schemas: a title in one of them names nothing.
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'required']);

/**
 * Moves every schema that has a title into the components, so that a resource is described once.
 * @throws Error when two different schemas have the same title.
 */
export function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, { shown: unknown; text: string }>();

  function shown(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(shown);
    if (typeof schema !== 'object' || schema === null) return schema;
    const { title } = schema as Json;
    return typeof title === 'string' ? reference(title, schema as Json) : inside(schema as Json);
  }

  function inside(schema: Json): Json {
    const members = Object.entries(schema).map(([name, value]) => [
      name,
      VALUES.has(name) ? value : shown(value),
    ]);
    return Object.fromEntries(members) as Json;
  }

  function reference(title: string, schema: Json): Json {
    const text = JSON.stringify(schema);
    const known = components.get(title);
    if (!known) components.set(title, { shown: inside(schema), text });
    else if (known.text !== text) throw new Error(`two different schemas have the title ${title}`);
    return { $ref: `#/components/schemas/${title}` };
  }

  return {
    shown,
    schemas: () => Object.fromEntries([...components].map(([title, { shown: schema }]) => [title, schema])),
  };
}
