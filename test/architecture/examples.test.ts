import { expect, test } from 'vitest';
import { ID_FORMS, idPattern, type IdKind } from '../../protocol/ids.ts';
import { checker, type TSchema } from '../../protocol/schema.ts';
import { bodyExampleOf } from '../../server/platform/http/openapi/request-examples.ts';
import { URL_KINDS } from '../../server/platform/http/url.schema.ts';
import { ROUTES } from '../../server/routes.ts';

// oxlint-disable-next-line no-explicit-any -- a schema of any shape
type Json = any;

/** A schema in a request or reply: where it is, its name there, and what has it. */
interface Place {
  path: string;
  name: string;
  /** Name of the property that has the object of this one, or the title of that object. */
  owner: string;
  tag: string;
  schema: Json;
}

function placesIn(schema: Json, place: Omit<Place, 'schema'>): Place[] {
  const { path, name, tag } = place;
  const owner = typeof schema.title === 'string' ? lowerFirst(schema.title) : name;
  return [
    { ...place, schema },
    ...Object.entries(schema.properties ?? {}).flatMap(([member, inner]) =>
      placesIn(inner, { path: `${path}.${member}`, name: member, owner, tag }),
    ),
    ...(schema.anyOf ?? []).flatMap((each: Json) => placesIn(each, place)),
    ...(schema.items ? placesIn(schema.items, { ...place, path: `${path}[]` }) : []),
  ];
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const PLACES = ROUTES.flatMap(({ operation, tag, query, body, reply }) =>
  Object.entries({ query, body, reply }).flatMap(([part, schema]) =>
    schema ? placesIn(schema, { path: `${operation} ${part}`, name: part, owner: part, tag }) : [],
  ),
);

const examplesOf = ({ schema }: Place): unknown[] => (Array.isArray(schema.examples) ? schema.examples : []);

const isText = ({ schema }: Place) => schema.type === 'string' && !('enum' in schema) && !('const' in schema);

const isUrl = (place: Place) =>
  isText(place) &&
  (/url$/i.test(place.name) || examplesOf(place).some((each) => /^https?:/.test(String(each))));

const unique = (problems: readonly string[]) => [...new Set(problems)];

test('examples: each fits its schema', () => {
  const problems = PLACES.flatMap((place) =>
    examplesOf(place).flatMap((example) =>
      checker(place.schema as TSchema)(example).map(
        ({ message }) =>
          `${place.path}: its example ${JSON.stringify(example)} ${message}. Change it where the schema is declared.`,
      ),
    ),
  );
  expect(PLACES.filter((place) => examplesOf(place).length > 0).length).toBeGreaterThan(1000);
  expect(unique(problems)).toEqual([]);
});

test('examples: a text of a certain form has one, and so has what a request requires', () => {
  const formless = PLACES.filter(
    (place) =>
      isText(place) &&
      examplesOf(place).length === 0 &&
      (isUrl(place) ||
        'pattern' in place.schema ||
        ('format' in place.schema && place.schema.format !== 'binary')),
  ).map(
    ({ path }) =>
      `${path}: has no example, and no reader of the document can guess one. Add \`examples: [...]\` to its schema, or use a schema that has one: Id(kind), Url(kind), or one of protocol/schema.ts and server/platform/http/text.schema.ts.`,
  );
  const filled = ROUTES.filter(({ body, upload, bodyType }) => body && !upload && bodyType === undefined)
    .filter((route) => JSON.stringify(bodyExampleOf(route)).includes('"Example'))
    .map(
      ({ operation }) =>
        `${operation}: the example of its body has "Example" for a property that it requires. Add \`examples: [...]\` to the schema of that property, or a body to server/platform/http/openapi/request-examples.ts.`,
    );
  expect(unique([...formless, ...filled])).toEqual([]);
});

const KIND_OF_URL = new Map(
  Object.entries(URL_KINDS).map(([kind, { examples, tags }]) => [
    examples[0] as string,
    { kind, tags: tags as readonly string[] },
  ]),
);

test('examples: a URL names its kind, and is in operations that have URLs of this kind', () => {
  expect(KIND_OF_URL.size, 'each kind of URL_KINDS has an example of its own').toBe(
    Object.keys(URL_KINDS).length,
  );
  const problems = PLACES.filter((place) => isUrl(place)).flatMap(({ path, tag, schema }) => {
    const known = KIND_OF_URL.get(schema.examples?.[0]);
    if (!known)
      return `${path}: is a URL of no kind. Declare it with Url(kind, description), and its kind in server/platform/http/url.schema.ts.`;
    if (known.tags.includes(tag)) return [];
    return `${path}: shows ${schema.examples[0]}, a URL of the kind ${known.kind}, which operations of ${known.tags.join(' and ')} have, not those of ${tag}. Name its own kind in Url(kind, description); if it is of this kind, add '${tag}' to the tags of ${known.kind} in server/platform/http/url.schema.ts.`;
  });
  expect(unique(problems)).toEqual([]);
});

const kindOfId = (id: unknown): IdKind | undefined =>
  (Object.keys(ID_FORMS) as IdKind[]).find((kind) => new RegExp(idPattern(kind)).test(String(id)));

test('examples: an id is of the object that its name says', () => {
  const problems = PLACES.flatMap((place) => {
    const named = place.name === 'id' ? place.owner : place.name.replace(/Id$/, '');
    if (!isText(place) || !/^id$|Id$/.test(place.name) || !(named in ID_FORMS)) return [];
    return examplesOf(place)
      .filter((example) => ![named, undefined].includes(kindOfId(example)))
      .map(
        (example) =>
          `${place.path}: shows ${String(example)}, the id of another kind of object. Declare it with Id('${named}'), or give it the example exampleId('${named}').`,
      );
  });
  expect(unique(problems)).toEqual([]);
});

test('examples: schemas of different kinds have different texts as examples', () => {
  // Schemas of one kind are copies of each other, or are made by one function: they share the list of their examples.
  const kinds = new Map<string, Map<unknown, string>>();
  for (const place of PLACES.filter((each) => isText(each) && !isUrl(each))) {
    const [example] = examplesOf(place);
    if (example === undefined || kindOfId(example) !== undefined) continue;
    const known = kinds.get(String(example)) ?? new Map<unknown, string>();
    if (!known.has(place.schema.examples)) known.set(place.schema.examples, place.path);
    kinds.set(String(example), known);
  }
  expect(kinds.size).toBeGreaterThan(50);
  const problems = [...kinds]
    .filter(([, known]) => known.size > 1)
    .map(
      ([example, known]) =>
        `'${example}' is the example of ${[...known.values()].join(' and of ')}. If these are values of one kind, declare that kind once with textOf('${example}') (protocol/schema.ts, or server/platform/http/text.schema.ts) and make both schemas with it; if not, give one of them an example of its own.`,
    );
  expect(problems).toEqual([]);
});
