import { afterEach, expect, test } from 'vitest';
import type { Answer } from '../../testing/world/api.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

let world: World;
afterEach(() => world.close());

const KEYS = {
  sandbox: { secretKey: 'sk_sandbox_world', publicKey: 'pk_sandbox_world' },
  live: { secretKey: 'sk_live_world', publicKey: 'pk_live_world' },
} as const;

const SESSION = '/v1/payment-sessions/ps_01J9Z6M1N2P3Q4R5S6T7V8W9XA';

/** Calls until one is refused for its rate; answers how many were not, and the refusal. */
async function burst(ask: () => Promise<Answer>): Promise<[number, Answer]> {
  for (let through = 0; through < 1_000; through++) {
    const answer = await ask();
    if (answer.status === 429) return [through, answer];
  }
  throw new Error('a thousand calls went through');
}

// Spec §8: 5 requests a second in the sandbox, 50 in production, and a brief burst.
test.each([
  ['sandbox', 5],
  ['live', 50],
] as const)(
  'rate limit: in %s each kind of key has %i requests a second, and as many again in a burst',
  { tags: ['spec:8/request-rate'] },
  async (mode, rate) => {
    world = await startWorld({ settings: { mode, ...KEYS[mode], rateLimit: 'on' } });
    const secret = world.api.withKey(KEYS[mode].secretKey);
    const open = world.api.withKey(KEYS[mode].publicKey);

    const [taken, refused] = await burst(() => secret.get('/v1/in-person/terminals'));
    expect(taken).toBe(2 * rate);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.body).toMatchObject({ code: '429', errors: [{ code: 'too_many_requests' }] });

    // Whatever the secret key has used up, the public key has its own, and so in turn.
    const [answered] = await burst(() => open.get(SESSION));
    expect(answered).toBe(2 * rate);
    expect((await secret.get(SESSION)).status).toBe(429);

    await world.advance({ seconds: 1 });
    const [again] = await burst(() => secret.post('/v1/in-person/locations', {}));
    expect(again).toBe(rate);
  },
);

test('rate limit: requests for a sub account count for the key', async () => {
  world = await startWorld({ settings: { rateLimit: 'on' } });
  const branch = world.api.as(world.subAccountId);
  const [taken] = await burst(() => branch.get('/v1/in-person/terminals'));
  expect(taken).toBe(10);
  expect((await world.api.get('/v1/in-person/terminals')).status).toBe(429);
});

test('rate limit: a refused request has no effect', async () => {
  world = await startWorld({ settings: { rateLimit: 'on' } });
  const body = {
    name: 'Corner Shop',
    address: { lineOne: '1', city: 'Leeds', country: 'GB', postalCode: 'LS1' },
  };
  const [taken] = await burst(() => world.api.post('/v1/in-person/locations', body));
  await world.advance({ seconds: 60 });
  expect((await world.api.get('/v1/in-person/locations?limit=50')).body.items).toHaveLength(taken);
});

test('rate limit: sandbox controls, pairing, health checks and the document are not limited', async () => {
  world = await startWorld({ settings: { rateLimit: 'on' } });
  await burst(() => world.api.get('/v1/webhooks'));
  for (let call = 0; call < 20; call++) {
    expect((await world.api.get('/sandbox/terminals')).status).toBe(200);
    expect((await world.api.post('/pairing/simulators')).status).toBe(200);
    expect((await world.api.get('/healthz')).status).toBe(200);
    expect((await world.api.get('/openapi.json')).status).toBe(200);
  }
});

test('rate limit: switched off, nothing is limited', async () => {
  world = await startWorld({ settings: { rateLimit: 'off' } });
  for (let call = 0; call < 200; call++) {
    expect((await world.api.get('/v1/webhooks')).status).toBe(200);
  }
});
