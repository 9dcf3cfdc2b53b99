import { expect, test } from 'vitest';
import { hunt, type HuntScene } from 'tapbench/hunt';

/** Creates a customer, and again when no reply came: the first one may be there too. */
async function register({ fetch, world }: HuntScene): Promise<void> {
  const call = () =>
    fetch(`${world.url}/v1/customers`, {
      method: 'POST',
      headers: { authorization: world.secretKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@corner.example' }),
    });
  await call().catch(call);
}

test('a hunt that finds nothing', async () => {
  const { found } = await hunt({ plans: 12, seed: 'quiet', maxFaults: 1, scenario: register });
  expect(found).toBeUndefined();
});

test('a hunt that finds something', async () => {
  const { found } = await hunt({
    plans: 12,
    seed: 'loud',
    scenario: register,
    verdicts: [() => 'the till is closed'],
  });
  expect(found?.verdict).toBe('the till is closed');
});
