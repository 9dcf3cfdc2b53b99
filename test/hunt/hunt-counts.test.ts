import { expect, onTestFinished, test } from 'vitest';
import { hunt, type HuntedFault, type HuntOptions, type HuntScene } from '../../testing/hunt/hunt.ts';
import { tryPlan } from '../../testing/hunt/tried-plan.ts';
import { startWorld } from '../../testing/world/world.ts';

const SESSION = JSON.stringify({ amount: 1742, currency: 'GBP' });

function create({ world, fetch }: Pick<HuntScene, 'world' | 'fetch'>, headers = {}): Promise<Response> {
  const all = { authorization: world.secretKey, 'content-type': 'application/json', ...headers };
  return fetch(`${world.url}/v1/payment-sessions`, { method: 'POST', headers: all, body: SESSION });
}

/** A shop that creates one payment session, and does something when it gets no reply with it. */
function shopThat(onLost: () => void, more: Partial<HuntOptions> = {}): HuntOptions {
  const scenario = (scene: HuntScene) =>
    create(scene).then(
      ({ status }) => status < 300 || onLost(),
      () => onLost(),
    );
  return { scenario, plans: 20, maxFaults: 1, ...more };
}

test('hunt: what a scenario throws where a fault strikes is counted, with the first plan', async () => {
  const shop = shopThat(() => {
    throw new Error('the till has no reply');
  });
  const { found, thrown, plans, notJudged } = await hunt(shop);
  expect([found, notJudged, plans]).toEqual([undefined, [], 21]);
  expect(thrown).toEqual([
    { error: 'the till has no reply', plans: expect.any(Number), first: [expect.any(Object)] },
  ]);
  expect(thrown[0]!.plans).toBeGreaterThan(1);
});

test('hunt: a plan whose verdict or books throw is not judged, and the others are tried', async () => {
  let isLost = false;
  const shop = shopThat(() => (isLost = true), {
    shop() {
      if (!isLost) return { orders: [] };
      isLost = false;
      throw new Error('the books are locked');
    },
  });
  const { found, notJudged, plans } = await hunt(shop);
  expect([found, plans]).toEqual([undefined, 21]);
  expect(notJudged).toEqual([
    { error: 'the books are locked', plans: expect.any(Number), first: [expect.any(Object)] },
  ]);
});

test('hunt: is refused when no plan could be judged, and when no fault struck', async () => {
  let runs = 0;
  const verdicts = [
    () => {
      runs += 1;
      if (runs > 1) throw new Error('the verdict is broken');
      return undefined;
    },
  ];
  await expect(hunt(shopThat(() => {}, { verdicts }))).rejects.toThrow(
    'no plan could be judged, the first because the verdict is broken',
  );
  await expect(hunt(shopThat(() => {}, { seconds: 0 }))).rejects.toThrow(
    'the time was up before the scenario had ended without faults: give it more seconds',
  );
});

test('hunt: reports where its faults struck, and why others did not', async () => {
  const { tried, plans } = await hunt(shopThat(() => {}, { plans: 60 }));
  const place = tried.find(({ at }) => at === 'api.request')!;
  expect(place).toMatchObject({ what: 'POST /v1/payment-sessions', happened: 1 });
  expect(place.struck).toBe(place.planned);
  expect(place).not.toHaveProperty('why');
  const planned = tried.reduce((sum, each) => sum + each.planned, 0);
  // One fault in each, besides the plan without any.
  expect(planned).toBe(plans - 1);
  for (const { planned: some, struck, why } of tried)
    if (some === 0 || struck < some) expect(why).toEqual(expect.any(String));
});

test('hunt: counts an outage of the whole API as one of all its operations', async () => {
  const { tried } = await hunt({
    plans: 200,
    maxFaults: 1,
    async scenario(scene) {
      await create(scene).catch(() => {});
      const headers = { authorization: scene.world.secretKey };
      await scene.fetch(`${scene.world.url}/v1/events`, { headers }).catch(() => {});
    },
  });
  const all = tried.find(({ at, what }) => `${at} ${what}` === 'api.request all')!;
  expect(all).toMatchObject({ happened: 2, planned: expect.any(Number) });
  expect(all.struck).toBeGreaterThan(0);
});

test('hunt: warns of payments that name no order, tries each plan once, and ends when there are no more', async () => {
  const shop = () => ({ orders: [] });
  const { warnings, repeated, plans, tried } = await hunt(shopThat(() => {}, { shop, plans: 80 }));
  expect(repeated).toBe(0);
  expect(plans).toBeLessThan(81);
  for (const { planned } of tried) expect(planned).toBeGreaterThan(0);
  expect(warnings).toEqual([
    expect.stringMatching(/^no payment has the metadata member 'orderId'/),
    'no fault struck after the scenario had returned: what comes later was not tried',
  ]);
});

test('hunt: warns also without books that payments name no order, since an order that is charged twice is not found then', async () => {
  const { warnings } = await hunt(shopThat(() => {}, { plans: 20 }));
  expect(warnings).toContainEqual(
    expect.stringMatching(/^no payment .* so an order that is charged twice is not found$/),
  );
});

test('hunt: payments of sub accounts are judged as those of the platform', async () => {
  const { found } = await hunt({
    plans: 1,
    scenario: (scene) => create(scene, { account: scene.world.subAccountId }),
    verdicts: [({ payments }) => `there are ${payments.length} payments`],
  });
  expect(found?.verdict).toBe('there are 1 payments');
});

test('hunt: warns of a scenario that makes no payment', async () => {
  const { warnings } = await hunt({
    plans: 3,
    scenario: ({ world, fetch }) =>
      fetch(`${world.url}/v1/events`, { headers: { authorization: world.secretKey } }).catch(() => {}),
  });
  expect(warnings).toContainEqual(expect.stringMatching(/^the scenario made no payment/));
});

test('hunt: a verdict that does not exist cannot be left out', async () => {
  const withoutVerdicts = JSON.parse('["chargedonce"]');
  await expect(hunt(shopThat(() => {}, { withoutVerdicts }))).rejects.toThrow(
    "no verdict is named 'chargedonce': they are chargedOnce, ",
  );
});

test('hunt: a scenario that still runs when it is judged is counted, and warned of', async () => {
  const { unfinished, plans, warnings } = await hunt({
    plans: 5,
    async scenario(scene) {
      await create(scene).catch(() => {});
      await new Promise(() => {});
    },
  });
  expect(unfinished).toBe(plans);
  expect(warnings[0]).toContain('the scenario had not ended when it was judged');
});

test('hunt: a plan that kills the server while it starts again is judged', async () => {
  const kill = (nth: number): HuntedFault => ({ at: 'server.commit', what: 'kill-after', when: { nth } });
  const held: HuntedFault = { at: 'server.commit', what: 'delay', delayMs: 1_000, when: { nth: 2 } };
  const world = await startWorld();
  onTestFinished(() => world.close());
  const setUp = {
    scenario: async (scene: HuntScene) => {
      for (let sale = 0; sale < 4; sale += 1) await create(scene).catch(() => {});
    },
    verdicts: [],
    withoutVerdicts: [],
    shop: undefined,
    orderMember: 'orderId',
    terminalId: undefined,
  };
  const { verdict, isUnfinished } = await tryPlan(world, setUp, [kill(1), held, kill(2)]);
  expect([verdict, isUnfinished]).toEqual([undefined, false]);
});
