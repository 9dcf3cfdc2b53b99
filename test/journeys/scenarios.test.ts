import { afterEach, beforeEach, expect, test } from 'vitest';
import file from '../../clients/scenarios.json' with { type: 'json' };
import { EVENT_TYPE_NAMES } from '../../server/api/webhooks/event-types.ts';
import { startWorld } from '../../testing/world/user-world.ts';
import { runScenario, type ScenarioParts, type Step } from './scenario-run.ts';

if (file.scenarios.length === 0) throw new Error('scenarios.json has no scenarios');

let parts: ScenarioParts;
beforeEach(async () => {
  const world = await startWorld();
  parts = { world, till: await world.openTill(), shop: await world.listen('shop', EVENT_TYPE_NAMES) };
});
afterEach(() => parts.world.close());

test.each(file.scenarios.map(({ name, steps }) => [name, steps as Step[]] as const))(
  'scenario of the clients: %s',
  (_name, steps) => runScenario(parts, steps),
);

test('scenario of the clients: an unknown step fails', async () => {
  await expect(runScenario(parts, [{ do: 'dance' }])).rejects.toThrow('unknown step: dance');
});
