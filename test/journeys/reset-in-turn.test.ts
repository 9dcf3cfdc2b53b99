import { expect, onTestFinished, test } from 'vitest';
import { startWorld } from '../../testing/world/world.ts';

test('POST /sandbox/reset: a second reset starts when the first has finished', async () => {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const order: string[] = [];
  const { services } = world.server;
  services.activities.listen('test', ({ kind }) => {
    if (kind === 'sandbox.reset') order.push('forgotten');
  });
  services.program.onReset(async () => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    order.push('made again');
    if (order.length === 2) throw new Error('could not be made again');
  });
  const resets = await Promise.all([1, 2, 3].map(() => world.api.post('/sandbox/reset', {})));
  expect(order).toEqual(Array.from({ length: 3 }, () => ['forgotten', 'made again']).flat());
  expect(resets.map(({ status }) => status).sort()).toEqual([200, 200, 500]);
});
