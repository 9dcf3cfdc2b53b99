import { expect, test } from 'vitest';
import { REFUSALS, type RefusalName } from '../../server/platform/http/refusals.ts';
import { refusalsOf } from '../../server/platform/http/openapi/openapi-refusals.ts';
import { DECLARED } from '../server/platform/http/declared-routes.ts';
import { routeOf, watched } from './declared-shapes.ts';
import { filesByTag } from '../architecture/specification/tagged-tests.ts';
import { startWorld, type World } from '../../testing/world/world.ts';
import { IN_PERSON } from './refusals/in-person.ts';
import { OF_ACCOUNTS } from './refusals/of-accounts.ts';
import { OF_CUSTOMERS } from './refusals/of-customers.ts';
import { OF_MONEY } from './refusals/of-money.ts';
import { OF_MOVEMENTS, OF_SESSIONS } from './refusals/of-payments.ts';
import { OF_REQUESTS } from './refusals/of-requests.ts';
import { messageOf } from './refusals/message.ts';
import { createRefusalContext, type RefusalCase } from './refusals/refusal-context.ts';
import type { Answer } from '../../testing/world/api.ts';

const CASES: Partial<Record<RefusalName, RefusalCase>> = {
  ...OF_REQUESTS,
  ...OF_SESSIONS,
  ...OF_MOVEMENTS,
  ...IN_PERSON,
  ...OF_CUSTOMERS,
  ...OF_ACCOUNTS,
  ...OF_MONEY,
};
const ROWS = Object.entries(CASES) as [RefusalName, RefusalCase][];

/** What was answered; time moves on for what waits for somebody. */
async function answered(world: World, asked: Promise<Answer>): Promise<Answer> {
  let answer: Answer | undefined;
  const waited = asked.then((came) => (answer = came));
  for (let turns = 0; answer === undefined && turns < 5_000; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (answer === undefined) await world.advance({ seconds: 10 });
  return waited;
}

test(
  'refusals: each is provoked here, or has a test with its tag',
  { tags: ['spec:7/every-refusal'] },
  () => {
    // What a world without a network, a wrong clock or a broken disk cannot give has its tests elsewhere.
    const elsewhere = [...filesByTag().keys()].filter((tag) => tag.startsWith('refusal:'));
    const known = [...Object.keys(CASES), ...elsewhere.map((tag) => tag.slice('refusal:'.length))];
    expect(
      known.sort(),
      "provoke each refusal in test/journeys/refusals, or give a test of it the tag 'refusal:NAME'",
    ).toEqual(Object.keys(REFUSALS).sort());
  },
);

test.each([ROWS.length])(
  'refusals: %i are given for what their rows say, with status, code and message',
  { tags: ['spec:7/refusal-content', 'spec:7/declared-refusals'], timeout: 120_000 },
  async () => {
    const world = await startWorld();
    const asked = new Map<string, string>();
    const api = watched(world.api, (method, path, { body }) =>
      asked.set(body.requestId, `${method} ${path}`),
    );
    const context = createRefusalContext(Object.create(world, { api: { value: api } }) as World);
    try {
      for (const [name, causeRefusal] of ROWS) {
        const answer = await answered(world, causeRefusal(context)).catch((error: Error) => error.message);
        const { status, code } = REFUSALS[name];
        const seen = typeof answer === 'string' ? answer : [answer.status, answer.body];
        expect([name, seen]).toEqual([
          name,
          [
            status,
            {
              requestId: expect.any(String),
              code: String(status),
              errors: [{ code, message: expect.stringMatching(messageOf(name)) }],
            },
          ],
        ]);
        // It is a refusal that the document says the operation has.
        const [method, path] = (asked.get((answer as Answer).body.requestId) ?? '').split(' ');
        const route = routeOf(DECLARED, method!, path!);
        const declared = route ? refusalsOf(route) : [name];
        expect
          .soft([name, route?.operation, declared])
          .toEqual([name, route?.operation, expect.arrayContaining([name])]);
      }
    } finally {
      await world.close();
    }
  },
);
