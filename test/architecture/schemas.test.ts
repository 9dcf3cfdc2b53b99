import { expect, test } from 'vitest';
import { ROUTES } from '../../server/routes.ts';
import { ALL_MESSAGES } from '../../protocol/messages.ts';
import { readSources } from './source-tree.ts';

test('schemas: the server declares those of the API, and those that several files use, in .schema.ts files', () => {
  const elsewhere = readSources(['server'])
    // Outside the API a resource is one file, with the schemas that only its routes use.
    .filter(({ path }) => !path.endsWith('.schema.ts'))
    .filter(({ path }) => path.startsWith('server/api/') || !path.endsWith('.resource.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?const (\w+) = (?:checker\()?\s*Type\./gm)].map(
        ([, name]) => `${path}: ${name}`,
      ),
    );
  expect(elsewhere).toEqual([]);
});

/** Returns the places in a schema of parts without TypeBox's marks, which a spread of a schema loses. */
function unmarkedParts(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, items, anyOf, additionalProperties } = schema as Record<string, unknown>;
  const parts = [
    ...Object.entries(properties ?? {}).map(([name, part]) => [`${path}.${name}`, part] as const),
    ...((anyOf ?? []) as unknown[]).map((part, index) => [`${path}|${index}`, part] as const),
    ...(typeof items === 'object' ? [[`${path}[]`, items] as const] : []),
    ...(typeof additionalProperties === 'object' ? [[`${path}{}`, additionalProperties] as const] : []),
  ];
  return [
    ...('~kind' in schema || '~unsafe' in schema ? [] : [path]),
    ...parts.flatMap(([where, part]) => unmarkedParts(part, where)),
  ];
}

test('schemas: none is a spread copy, which would make an optional property required', () => {
  const ofRoutes = ROUTES.flatMap(({ operation, query, body, reply }) =>
    Object.entries({ query, body, reply }).flatMap(([part, schema]) =>
      unmarkedParts(schema, `${operation} ${part}`),
    ),
  );
  const ofMessages = ALL_MESSAGES.flatMap(({ name, body }) => unmarkedParts(body, name));
  expect([...ofRoutes, ...ofMessages]).toEqual([]);
});
