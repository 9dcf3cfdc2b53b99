import { expect, test } from 'vitest';
import { BARE, DECLARED, PASSED, somePath } from './declared-routes.ts';
import { limitsOf, type Limit } from './schema-limits.ts';
import { sampleOf, sampleWith, type Json } from './schema-samples.ts';
import { smallServer } from './small-server.ts';

/** Uploads have tests of their own: their bodies are forms. */
const BODIES = DECLARED.filter(({ body, upload }) => body && !upload);
const LIMITS = BODIES.flatMap((route) =>
  limitsOf(route.body).map((limit) => ({ route, limit, operation: route.operation })),
);

/** A whole body cannot be left out, and is never null. */
const isTellable = ({ limit }: { limit: Limit }) => limit.place.length > 0 || limit.rule !== 'required';
const CASES = LIMITS.filter(isTellable);

function bodyWith(schema: Json, { place }: Limit, value: Json): Json {
  // What is undefined is not in the text that is sent.
  return JSON.parse(JSON.stringify(sampleWith(schema, place, value)));
}

test.each([CASES.length])(
  'request body: each of the %i limits is refused by its name when it is broken',
  { tags: ['spec:2.1/body-limits', 'spec:2.2/nested-objects', 'spec:2.7/geo-coordinates'], timeout: 60_000 },
  async () => {
    const { call } = await smallServer(BARE);
    const wrong: unknown[] = [];
    for (const { route, limit, operation } of CASES) {
      const body = bodyWith(route.body, limit, limit.broken);
      const answer = await call(`${route.method} ${somePath(route)}`, { body });
      const [{ code, message }] = answer.body.errors;
      const blamed = [...limit.place, ...(limit.blamed ?? [])].join('.') || 'body';
      // What is wrong with a union, or with the name of an entry, is said of the whole of it.
      const names = message.startsWith(`${blamed} `) || blamed.startsWith(`${message.split(' ')[0]}.`);
      if (answer.status !== 400 || code !== 'invalid_field' || !names)
        wrong.push([operation, limit.rule, blamed, message]);
    }
    expect(wrong).toEqual([]);
  },
);

test(
  'request body: values just within a limit are accepted',
  { tags: ['spec:2.1/limits-inclusive'], timeout: 60_000 },
  async () => {
    const { call } = await smallServer(BARE);
    const refused: unknown[] = [];
    for (const { route, limit, operation } of CASES.filter((one) => 'within' in one.limit)) {
      const body = bodyWith(route.body, limit, limit.within);
      const answer = await call(`${route.method} ${somePath(route)}`, { body });
      const [{ message }] = answer.body.errors;
      if (message !== PASSED) refused.push([operation, limit.rule, limit.place.join('.'), message]);
    }
    expect(refused).toEqual([]);
  },
);

/** A query as text, with what is required of it and one member as it is said here. */
function queryWith(schema: Json, name: string, value: Json): string {
  const { [name]: _other, ...rest } = sampleOf(schema);
  const members = Object.entries<Json>(rest).map(([key, each]) => `${key}=${encodeURIComponent(each)}`);
  return [...members, ...(value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`])].join('&');
}

const QUERIES = DECLARED.filter(({ query }) => query).flatMap((route) =>
  limitsOf(route.query)
    // Whatever is in a query is text, an empty one is none, and what is said twice is a list.
    .filter(
      ({ place, rule, broken }) => place.length === 1 && rule !== 'minLength' && typeof broken !== 'object',
    )
    .map((limit) => ({ route, limit })),
);

test.each([QUERIES.length])(
  'query: each of the %i limits is refused by its name when it is broken',
  { tags: ['spec:2.1/query-limits'] },
  async () => {
    const { call } = await smallServer(BARE);
    const wrong: unknown[] = [];
    for (const { route, limit } of QUERIES) {
      const name = String(limit.place[0]);
      const ask = async (value: Json): Promise<string> => {
        const query = queryWith(route.query, name, value);
        const { body } = await call(`${route.method} ${somePath(route)}?${query}`, {
          ...(route.body && { body: sampleOf(route.body) }),
        });
        const [{ code, message }] = body.errors;
        return message === PASSED ? 'passed' : `${code} ${message.split(' ')[0].split('.')[0]}`;
      };
      const answers = [await ask(limit.broken), 'within' in limit ? await ask(limit.within) : 'passed'];
      if (answers.join() !== `invalid_field ${name},passed`)
        wrong.push([route.operation, name, limit, answers]);
    }
    expect(wrong).toEqual([]);
  },
);
