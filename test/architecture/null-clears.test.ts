import { expect, test } from 'vitest';
import { openApiDocument } from '../../server/platform/http/openapi/openapi.ts';
import { ROUTES } from '../../server/routes.ts';
import { NULL_CLEARS } from './specification/null-clears.ts';

// oxlint-disable-next-line no-explicit-any -- a document of any shape
type Json = any;

const document: Json = openApiDocument(ROUTES);

const resolved = (schema: Json): Json =>
  schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;

const takesNull = (schema: Json): boolean =>
  resolved(schema).type === 'null' || (resolved(schema).anyOf ?? []).some(takesNull);

/** The properties of a request, at any depth, that the document says may be null. */
function nullable(schema: Json, path = ''): string[] {
  const { properties = {}, anyOf = [], items } = resolved(schema);
  return [
    ...Object.entries<Json>(properties).flatMap(([name, inner]) => [
      ...(takesNull(inner) ? [path + name] : []),
      ...nullable(inner, `${path}${name}.`),
    ]),
    ...anyOf.flatMap((one: Json) => nullable(one, path)),
    ...(items ? nullable(items, path) : []),
  ];
}

const promised = new Set(
  ROUTES.filter(({ body, bodyType }) => body && bodyType === undefined).flatMap(
    ({ operation, path, method }) => {
      const content = document.paths[path][method.toLowerCase()].requestBody.content;
      return Object.values<Json>(content).flatMap(({ schema }) =>
        nullable(schema).map((property) => `${operation} ${property}`),
      );
    },
  ),
);

const kept = Object.entries(NULL_CLEARS).flatMap(([operation, properties]) =>
  properties.map((property) => `${operation} ${property}`),
);

test('null: the OpenAPI document promises what null clears', () => {
  expect(promised.size).toBeGreaterThan(0);
  const withdrawn = kept
    .filter((each) => !promised.has(each))
    .map(
      (each) =>
        `${each}: null clears it, and the document no longer says that it may be null. Let its schema in the request take null again: Nullable(schema), in the property's \`update\` or \`create\` (or in the body of the route). To withdraw it on purpose is a change of the API: remove it from test/architecture/specification/null-clears.ts and say so in CHANGELOG.md.`,
    );
  const added = [...promised]
    .filter((each) => !kept.includes(each))
    .map(
      (each) =>
        `${each}: the document says that it may be null. Name it in test/architecture/specification/null-clears.ts; where it is not a property of its own in a PATCH, also add how it is sent to test/journeys/nulls/cleared-properties.ts. Or let its schema not take null.`,
    );
  expect([...withdrawn, ...added]).toEqual([]);
});
