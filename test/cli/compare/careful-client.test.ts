import { expect, test } from 'vitest';
import { createCarefulClient, hasCardNumber } from '../../../cli/compare/careful-client.ts';
import type { Clock } from '../../../protocol/clock.ts';

const REQUEST = { method: 'GET', path: '/customers', headers: {}, body: undefined, text: '' };

/** A clock on which each pause is over at once, and that knows how long it was. */
function hurriedClock(): Clock & { pausesMs: number[] } {
  let now = 0;
  const pausesMs: number[] = [];
  return {
    pausesMs,
    nowMs: () => now,
    at(atMs, run) {
      pausesMs.push(atMs - now);
      now = Math.max(now, atMs);
      queueMicrotask(run);
      return { cancel: () => {} };
    },
  };
}

function clientOf(replies: (() => Response)[], requestsPerSecond = 5) {
  const clock = hurriedClock();
  const asked: RequestInit[] = [];
  const client = createCarefulClient(
    {
      clock,
      interrupted: new AbortController().signal,
      fetch: (_url, init) => {
        asked.push(init!);
        return Promise.resolve(replies[Math.min(asked.length, replies.length) - 1]!());
      },
    },
    { url: 'http://there.example', requestsPerSecond },
  );
  return { client, clock, asked };
}

const json = () => new Response('{"items":[]}', { status: 200 });

test('careful client: requests are spread over the second', async () => {
  const { client, clock } = clientOf([json]);
  for (let count = 0; count < 3; count += 1) await client.send(REQUEST);
  expect(clock.pausesMs).toEqual([200, 200]);
});

test('careful client: on 429 it waits as long as it is asked to, longer each time where it is not, and gives up', async () => {
  const limited = (headers: Record<string, string>) => () => new Response('', { status: 429, headers });
  const asks = clientOf([limited({ 'retry-after': '7' }), limited({}), json]);
  expect(await asks.client.send(REQUEST)).toMatchObject({ reply: { status: 200 } });
  expect(asks.clock.pausesMs).toEqual([7_000, 2_000]);
  const never = clientOf([limited({ 'retry-after': '9000' })]);
  expect(await never.client.send(REQUEST)).toEqual({
    problem: 'replied 429 to 6 requests, with the pauses that it asked for',
  });
  expect(Math.max(...never.clock.pausesMs)).toBe(60_000);
});

test('careful client: what cannot be compared is a problem, and redirects are not followed', async () => {
  const problemOf = async (reply: () => Response) => clientOf([reply]).client.send(REQUEST);
  expect(await problemOf(() => new Response('<html>', { status: 200 }))).toEqual({
    problem: 'replied 200 with what is not JSON',
  });
  expect(await problemOf(() => new Response('', { status: 503 }))).toEqual({ problem: 'replied 503' });
  expect(await problemOf(() => new Response('['.repeat(40) + ']'.repeat(40)))).toEqual({
    problem: 'replied 200 with arrays and objects are nested more than 32 deep',
  });
  expect(await problemOf(() => new Response(' '.repeat(3_000_000)))).toEqual({
    problem: 'replied 200 with more than 2 MB',
  });
  const moved = clientOf([() => new Response('', { status: 307, headers: { location: 'http://a' } })]);
  expect(await moved.client.send(REQUEST)).toEqual({
    problem: 'replied 307, a redirect, which is not followed',
  });
  expect(moved.asked).toMatchObject([{ redirect: 'manual' }]);
});

test('careful client: a card number that is not one of the test cards is not sent', async () => {
  expect(hasCardNumber('{"number":"4242424242424242"}')).toBe(false);
  expect(hasCardNumber('{"number":"4242 4242 4242 4241"}')).toBe(false);
  expect(hasCardNumber('GB33BUKB20201555555555 ps_01M8MD4ZPH3B6NQFNRMHQHP134')).toBe(false);
  expect(hasCardNumber('{"number":"4532 0151 1283 0366"}')).toBe(true);
  const { client, asked } = clientOf([json]);
  expect(await client.send({ ...REQUEST, text: '4532015112830366' })).toEqual({
    problem: 'it would send a card number that is not one of the test cards',
  });
  expect(asked).toEqual([]);
});
