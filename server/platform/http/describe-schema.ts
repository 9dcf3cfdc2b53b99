import { exampleOf } from './examples.ts';
import { MEMBERS } from './members.ts';

/** The names of currencies stand for amounts in them. */
const CURRENCY = /^[A-Z]{3}$/;

type Json = Record<string, unknown>;

/**
 * Gives every member of a schema that says nothing of itself the words of MEMBERS, and an example. References speak
 * for themselves.
 */
export function described(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(described);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries(schema).map(([key, value]) =>
    key === 'properties' ? [key, describedMembers(value as Json)] : [key, described(value)],
  );
  return Object.fromEntries(parts);
}

function describedMembers(properties: Json): Json {
  const members = Object.entries(properties).map(([name, member]) => {
    const inside = described(member) as Json;
    const meaning = meaningOf(name);
    const example = exampleOf(name, inside);
    return [
      name,
      {
        ...inside,
        ...(speaks(inside) || meaning === undefined ? {} : { description: meaning }),
        ...(example === undefined ? {} : { examples: [example] }),
      },
    ];
  });
  return Object.fromEntries(members) as Json;
}

export function meaningOf(name: string): string | undefined {
  return MEMBERS[name] ?? (CURRENCY.test(name) ? 'In minor units' : undefined);
}

/** Whether a schema says something of itself, or leads to one that does. */
export function speaks(schema: Json): boolean {
  const choices = (schema['anyOf'] ?? []) as Json[];
  return 'description' in schema || '$ref' in schema || choices.some((choice) => '$ref' in choice);
}
