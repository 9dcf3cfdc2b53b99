import { expect, test } from 'vitest';
import { Type } from '../../../../protocol/schema.ts';
import { Refusal } from '../../../../server/platform/http/refusals.ts';
import { route, type Route } from '../../../../server/platform/http/route.ts';
import { smallServer } from './small-server.ts';

/** One call that can be refused for every reason there is. */
const jarRoutes: readonly Route[] = [
  route({
    operation: 'POST /jars/{id}/open',
    tag: 'Jar',
    summary: 'Open a jar',
    section: 'Spec §4',
    accountHeader: true,
    query: Type.Object({ force: Type.Optional(Type.Boolean()) }),
    body: Type.Object({ hand: Type.String() }),
    reply: Type.Object({ id: Type.String() }),
    find: async ({ params }) => (params.id === 'broken' ? undefined : { id: params.id }),
    async handle({ found }) {
      if (found.id === 'stuck') throw new Refusal('terminal_busy');
      return found;
    },
  }),
];

test(
  'refusal order: of several reasons to refuse, the first in the order is given',
  { tags: ['spec:7/refusal-order'] },
  async () => {
    const server = await smallServer(jarRoutes, { rateLimit: 'on' });
    const key = server.services.settings.secretKey;
    // Everything is wrong at first; each step puts one thing right.
    const wrong = { authorization: null, account: 'rubbish' };
    const ask = async (url: string, headers: Record<string, string | null>, raw: string) => {
      const answer = await server.call(`POST ${url}`, { headers, raw });
      return `${answer.status} ${answer.body.errors?.[0].message ?? 'done'}`;
    };
    expect(await ask('/v1/jars/%ff/open?force=maybe', wrong, '{')).toBe('400 the path cannot be decoded');
    expect(await ask('/v1/jars/broken/open?force=maybe', wrong, '{')).toMatch(/^401 /);
    const publicKey = { ...wrong, authorization: server.services.settings.publicKey };
    expect(await ask('/v1/jars/broken/open?force=maybe', publicKey, '{')).toMatch(/^403 /);
    const secretKey = { ...wrong, authorization: key };
    expect(await ask('/v1/jars/broken/open?force=maybe', secretKey, '{')).toMatch(/^400 Account /);

    const right = { authorization: key };
    for (let i = 0; i < 10; i++) await ask('/v1/jars/broken/open', right, '{');
    expect(await ask('/v1/jars/broken/open', right, '{')).toMatch(/^429 /);
    await server.realClock.advance(60_000);
    expect(await ask('/v1/jars/broken/open', right, '{')).toBe('404 no such jar');
    expect(await ask('/v1/jars/stuck/open', right, '{')).toBe('400 the body is not valid JSON');
    expect(await ask('/v1/jars/stuck/open', right, '{"hand":1}')).toBe('400 hand must be a string');
    expect(await ask('/v1/jars/stuck/open', right, '{"hand":"left"}')).toMatch(/^409 /);
    expect(await ask('/v1/jars/whole/open', right, '{"hand":"left"}')).toBe('200 done');
  },
);

test('refusal order: a query is refused before the path is looked up, since a look-up may need it', async () => {
  const server = await smallServer(jarRoutes);
  const { status, body } = await server.call('POST /v1/jars/broken/open?force=maybe', { body: {} });
  expect([status, body.errors[0].message]).toEqual([400, 'force must be true or false']);
});
