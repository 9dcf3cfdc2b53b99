import { expect, test } from 'vitest';
import type { Route } from '../../server/platform/http/route.ts';
import { BARE, DECLARED, PASSED, somePath } from '../server/platform/http/declared-routes.ts';
import { sampleWith, variantsOf, type Json, type Place } from '../server/platform/http/schema-samples.ts';
import { smallServer, type SmallServer } from '../server/platform/http/small-server.ts';
import { CHOICES, LENGTHS, METADATA_ENTRIES, PAGES, REQUIRED } from './stated-limits.ts';

function routeOf(operation: string): Route {
  const route = DECLARED.find((declared) => declared.operation === operation);
  if (!route) throw new Error(`there is no ${operation}`);
  return route;
}

const placeOf = (path: string): Place => path.split('.').map((name) => (name === '0' ? 0 : name));

/** Whether a body with this value at this place passes; else which member is blamed. */
async function ask({ call }: SmallServer, operation: string, path: string, value: Json): Promise<string> {
  const route = routeOf(operation);
  const body = JSON.parse(JSON.stringify(sampleWith(route.body, placeOf(path), value)));
  const answer = await call(`${route.method} ${somePath(route)}`, { body });
  const [{ code, message }] = answer.body.errors;
  return message === PASSED ? 'passed' : `${code} ${message.split(' ')[0]}`;
}

const flat = <T>(table: Readonly<Record<string, Readonly<Record<string, T>>>>): [string, string, T][] =>
  Object.entries(table).flatMap(([operation, paths]) =>
    Object.entries(paths).map(([path, value]): [string, string, T] => [operation, path, value]),
  );

/** Where in a body there is a member of this name. */
function placesOf(schema: Json, wanted: string, place: Place = []): string[] {
  if (schema.anyOf) return variantsOf(schema).flatMap((one) => placesOf(one, wanted, place));
  if (schema.type === 'array') return placesOf(schema.items, wanted, [...place, 0]);
  return Object.entries<Json>(schema.properties ?? {}).flatMap(([name, member]) => [
    ...(name === wanted ? [[...place, name].join('.')] : []),
    ...placesOf(member, wanted, [...place, name]),
  ]);
}

const METADATA = flat(METADATA_ENTRIES);

test.each([METADATA.length])(
  'stated limits: metadata is limited in all of its %i places',
  { tags: ['spec:2.1/metadata-entries', 'spec:8/metadata'] },
  async () => {
    const there = DECLARED.flatMap(({ operation, body }) =>
      body ? placesOf(body, 'metadata').map((path) => `${operation} ${path}`) : [],
    );
    expect(METADATA.map(([operation, path]) => `${operation} ${path}`).sort()).toEqual(there.sort());

    const server = await smallServer(BARE);
    const entries = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'value']));
    for (const [operation, path, most] of METADATA) {
      if (routeOf(operation).upload) continue; // its entries are parts of a form
      const answers = [];
      for (const metadata of [
        entries(most),
        { ['k'.repeat(30)]: 'v'.repeat(250), k: 'v' },
        entries(most + 1),
        { '': 'v' },
        { ['k'.repeat(31)]: 'v' },
      ])
        answers.push(await ask(server, operation, path, metadata));
      for (const value of ['', 'v'.repeat(251), 1]) {
        answers.push(await ask(server, operation, path, { key: value }));
      }
      const [whole, entry] = [`invalid_field ${path}`, `invalid_field ${path}.key`];
      const expected = ['passed', 'passed', whole, whole, whole, entry, entry, entry];
      expect([operation, path, answers]).toEqual([operation, path, expected]);
    }
  },
);

test.each([Object.keys(PAGES).length])(
  'stated limits: each of the %i lists has its longest page',
  { tags: ['spec:4/longest-page'] },
  async () => {
    // An order has items, too, and is no list of anything.
    const isList = ({ reply }: Route) => {
      const members = (reply as Json).properties ?? {};
      return 'items' in members && !('id' in members);
    };
    const lists = DECLARED.filter(({ method, reply }) => method === 'GET' && isList({ reply } as Route));
    expect(lists.map(({ operation }) => operation).sort()).toEqual(Object.keys(PAGES).sort());

    const server = await smallServer(BARE);
    for (const [operation, most] of Object.entries(PAGES)) {
      const route = routeOf(operation);
      const { paginationToken } = (route.reply as Json).properties;
      expect([operation, paginationToken !== undefined]).toEqual([operation, most !== 'without pages']);
      if (most === 'without pages') continue;
      const answers = [];
      for (const limit of [1, most, 0, -1, most + 1, 'ten']) {
        const rest = operation === 'GET /in-person/skus' ? '&country=GB' : '';
        const answer = await server.call(`GET ${somePath(route)}?limit=${limit}${rest}`);
        answers.push(answer.body.errors[0].message.split(' ')[0]);
      }
      const refused = ['limit', 'limit', 'limit', 'limit'];
      expect([operation, answers]).toEqual([operation, ['the', 'the', ...refused]]);
    }
  },
);

const STATED = flat(LENGTHS);

test.each([STATED.length])(
  'stated limits: the %i texts have their stated lengths',
  { tags: ['spec:2.7/lengths', 'spec:8/location-lengths'] },
  async () => {
    const server = await smallServer(BARE);
    for (const [operation, path, [least, most]] of STATED) {
      const answers = [];
      for (const length of [least, most, least - 1, most + 1]) {
        answers.push(await ask(server, operation, path, 'X'.repeat(length)));
      }
      const refused = `invalid_field ${path}`;
      expect([operation, path, answers]).toEqual([operation, path, ['passed', 'passed', refused, refused]]);
    }
  },
);

const NEEDED = Object.entries(REQUIRED).flatMap(([operation, paths]) =>
  paths.map((path) => [operation, path] as const),
);

test.each([NEEDED.length])(
  'stated limits: the %i required fields are required',
  {
    tags: [
      'spec:2.2/required-fields',
      'spec:2.4/required-fields',
      'spec:2.5/required-fields',
      'spec:2.7/required-fields',
      'spec:4.6/required-fields',
      'spec:4.12/required-fields',
    ],
  },
  async () => {
    const server = await smallServer(BARE);
    for (const [operation, path] of NEEDED) {
      for (const absent of [undefined, null]) {
        const answer = await ask(server, operation, path, absent);
        expect([operation, path, answer]).toEqual([operation, path, `invalid_field ${path}`]);
      }
    }
  },
);

const NAMED = flat(CHOICES);

test.each([NAMED.length])(
  'stated limits: the %i enumerated fields take the named values and no other',
  { tags: ['spec:2.2/enumerated-values', 'spec:2.3/enumerated-values', 'spec:2.4/enumerated-values'] },
  async () => {
    const server = await smallServer(BARE);
    for (const [operation, path, values] of NAMED) {
      for (const value of values)
        expect([value, await ask(server, operation, path, value)]).toEqual([value, 'passed']);
      for (const other of ['Other', values[0]!.toLowerCase(), '', 1]) {
        expect([path, other, await ask(server, operation, path, other)]).toEqual([
          path,
          other,
          `invalid_field ${path}`,
        ]);
      }
    }
  },
);
