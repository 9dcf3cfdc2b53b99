import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hunt, type HuntOptions, type HuntScene } from '../../testing/hunt/hunt.ts';
import { countFrom } from '../kit/count-from.ts';

const SEEDS = countFrom('HUNT_SEEDS', 2);

/**
 * A shop that looks for the payment session of its order when it has no reply with it. What it does then happens in no run
 * without faults. The wrong one takes a look that fails for the answer that there is none.
 */
function looksForItsSession(isRight: boolean): HuntOptions {
  const make = ({ world, fetch }: HuntScene) =>
    fetch(`${world.url}/v1/payment-sessions`, {
      method: 'POST',
      headers: { authorization: world.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 1742, currency: 'GBP', metadata: { orderId: 'order-1' } }),
    });
  const look = async ({ world, fetch }: HuntScene): Promise<boolean | undefined> => {
    const headers = { authorization: world.secretKey };
    const reply = await fetch(`${world.url}/v1/payment-sessions`, { headers }).catch(() => undefined);
    if (!reply?.ok) return undefined;
    const { items } = JSON.parse(await reply.text());
    return items.length > 0;
  };
  return {
    async scenario(scene) {
      for (let isMade = false; !isMade;) {
        const reply = await make(scene).catch(() => undefined);
        isMade = reply?.ok ?? false;
        if (isMade) continue;
        let seen = await look(scene);
        while (isRight && seen === undefined) {
          await scene.sleep(1_000);
          seen = await look(scene);
        }
        isMade = seen ?? false;
      }
    },
    verdicts: [
      ({ payments }) => (payments.length > 1 ? `the order has ${payments.length} sessions` : undefined),
    ],
  };
}

test.each(Array.from({ length: SEEDS }, (_, index) => index + 1))(
  'hunt: strikes what happens only under a fault, and finds the same each time (seed %i)',
  async (seed) => {
    const once = async () => {
      const { found, ...counts } = await hunt({ ...looksForItsSession(false), seed });
      const trace = createHash('sha256').update(found!.trace).digest('hex');
      return { found: { ...found }, trace, counts };
    };
    const first = await once();
    expect(first.found.verdict).toBe('the order has 2 sessions');
    const places = first.found.plan!.map((fault) => (fault.at === 'integrator' ? '' : fault.when?.operation));
    expect(places).toContain('GET /v1/payment-sessions');
    expect(places).toHaveLength(2);
    expect(first.counts.repeated).toBe(0);
    const looks = first.counts.tried.filter(({ what }) => what === 'GET /v1/payment-sessions');
    expect(looks.map(({ happened }) => happened)).toEqual([0, 0]);
    expect(looks.reduce((sum, { struck }) => sum + struck, 0)).toBeGreaterThan(0);
    expect(await once()).toEqual(first);
  },
);

test('hunt: raises no alarm about a shop that looks until it is answered', async () => {
  const { found, plans, repeated, notJudged } = await hunt({ ...looksForItsSession(true), plans: 150 });
  expect([found, plans, repeated, notJudged]).toEqual([undefined, 151, 0, []]);
});
