import { expect, onTestFinished, test } from 'vitest';
import { hunt, type HuntOptions, type HuntScene } from '../../testing/hunt/hunt.ts';
import { startWorld } from '../../testing/world/user-world.ts';
import { turn } from '../../world/virtual-clock.ts';
import { attemptPayment, createSession, SESSION } from './tills/online-payment.ts';
import { openProvider } from './tills/provider.ts';

const PLANS = 12;

interface Handled extends Pick<HuntScene, 'world' | 'fetch' | 'sleep'> {
  /** Resolves when the shop has done its other work, ten seconds after the payment. */
  workDone: Promise<void>;
  event: { data: { id: string } };
}

/** A shop that sells one order online, whose handler of events awaits something before it replies. */
function shopWhoseHandler(handle: (handled: Handled) => unknown): HuntOptions {
  return {
    prepare: (world) => world.listen('shop', ['PaymentSession.captured']),
    async scenario(scene) {
      const { world, fetch, sleep } = scene;
      let finish = () => {};
      const workDone = new Promise<void>((resolve) => (finish = resolve));
      world.receiver('shop').behaviour = async ({ event }) => {
        await handle({ world, fetch, sleep, workDone, event });
        return 200;
      };
      const provider = openProvider(scene);
      await attemptPayment(provider, await createSession(provider, { ...SESSION, amount: 1742 }));
      await sleep(10_000);
      finish();
    },
  };
}

test.each<[string, (handled: Handled) => unknown]>([
  [
    'reads the payment',
    ({ fetch, world, event }) =>
      fetch(`${world.url}/v1/payment-sessions/${event.data.id}`, {
        headers: { authorization: world.secretKey },
      }).catch(() => {}),
  ],
  ['sleeps', ({ sleep }) => sleep(100)],
  ['waits for its other work', ({ workDone }) => workDone],
])('hunt: a handler of events that %s before it replies is right', async (_what, handle) => {
  const { found, notJudged, plans, tried } = await hunt({ ...shopWhoseHandler(handle), plans: PLANS });
  expect([found?.plan, found?.verdict, notJudged]).toEqual([undefined, undefined, []]);
  expect(plans).toBe(PLANS + 1);
  expect(tried.find(({ at }) => at === 'webhook.attempt')?.struck).toBeGreaterThan(0);
});

test('hunt: the event of a handler that never replies is not acknowledged, as at an endpoint that hangs', async () => {
  const { found } = await hunt(shopWhoseHandler(() => new Promise(() => {})));
  expect(found).toMatchObject({ plan: [], verdict: expect.stringContaining('was never acknowledged') });
});

test('hunt: the event of a handler that throws is not acknowledged, and what it threw is shown', async () => {
  const { found, thrown } = await hunt(shopWhoseHandler(() => Promise.reject(new Error('no database'))));
  expect(found).toMatchObject({ plan: [], verdict: expect.stringContaining('was never acknowledged') });
  expect(thrown).toEqual([{ error: 'no database', plans: 1, first: [] }]);
});

test('world: is settled only when a handler of events that takes many turns of the event loop has replied', async () => {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const shop = await world.listen('shop', ['Customer.created']);
  let handled = 0;
  shop.behaviour = async () => {
    for (let turns = 0; turns < 200; turns += 1) await turn();
    handled += 1;
    return 200;
  };
  await world.api.post('/v1/customers', { email: 'ana@corner.example' });
  await world.settled();
  expect(handled).toBe(1);
});
