import { expect, test } from 'vitest';
import { bareRoutes, DECLARED, PASSED, somePath } from './declared-routes.ts';
import { limitsOf, type Limit } from './schema-limits.ts';
import { sampleWith, type Json } from './schema-samples.ts';
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
  'each of the %i limits of bodies is refused by its name when it is broken',
  async () => {
    const { call } = await smallServer(bareRoutes);
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
  60_000,
);

test('and what is just within a limit passes', async () => {
  const { call } = await smallServer(bareRoutes);
  const refused: unknown[] = [];
  for (const { route, limit, operation } of CASES.filter((one) => 'within' in one.limit)) {
    const body = bodyWith(route.body, limit, limit.within);
    const answer = await call(`${route.method} ${somePath(route)}`, { body });
    const [{ message }] = answer.body.errors;
    if (message !== PASSED) refused.push([operation, limit.rule, limit.place.join('.'), message]);
  }
  expect(refused).toEqual([]);
}, 60_000);
