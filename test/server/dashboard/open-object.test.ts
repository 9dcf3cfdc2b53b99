import { afterEach, beforeEach, expect, test } from 'vitest';
import { FLUSH_MS } from '../../../server/dashboard/live.ts';
import { createPageState } from '../../../server/dashboard/page/page-state.ts';
import { PAUSE_MS, rereadOnChange } from '../../../server/dashboard/page/parts/reread.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { openPage } from './open-page.ts';

let world: World;
beforeEach(async () => void (world = await startWorld()));
afterEach(() => world.close());

test('open object: shows a customer as it is after a call of somebody else', async () => {
  const { body: customer } = await world.api.post('/v1/customers', {
    email: 'ana@corner.example',
    firstName: 'Ana',
  });
  const shown: string[] = [];
  const state = createPageState(() => {});
  const live = await openPage(world);
  const tell = () => state.apply(live.received.splice(0));
  tell();
  const parts = { clock: world.clock, changes: state.changes, isHidden: () => false };
  const rereading = rereadOnChange(parts, async () => {
    const { body } = await world.api.get(`/sandbox/objects/${customer.id}`);
    shown.push(body.object.firstName);
  });
  await world.advance({ ms: PAUSE_MS });
  await world.api.patch(`/v1/customers/${customer.id}`, { firstName: 'Beate' });
  await world.advance({ ms: FLUSH_MS });
  tell();
  await world.advance({ ms: PAUSE_MS });
  expect(shown).toEqual(['Ana', 'Beate']);
  rereading.stop();
});
