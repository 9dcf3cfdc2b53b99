import { beforeAll, expect, test } from 'vitest';
import { hunt, huntCommand, type HuntScene } from 'tapbench/hunt';

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

beforeAll(async () => {
  await hunt({ plans: 1, seed: 'hook', maxFaults: 1, scenario: register });
});

test('a hunt of a command', async () => {
  const script = `
    const { TAPBENCH_URL, TAPBENCH_KEY: authorization } = process.env;
    await fetch(TAPBENCH_URL + '/v1/customers', { headers: { authorization } }).catch(() => undefined);
  `;
  const program = Buffer.from(script).toString('base64');
  const command = `node --input-type=module -e "await import('data:text/javascript;base64,${program}')"`;
  const { found } = await huntCommand({ command, plans: 1, seed: 'process' });
  expect(found).toBeUndefined();
});

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
