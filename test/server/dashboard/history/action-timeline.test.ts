import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertTimelinesUnlessGone } from '../../../../server/dashboard/history/action-timeline.records.ts';
import { jsonText } from '../../../../server/platform/store/json-text.ts';
import { openTill } from '../../../../testing/world/till.ts';
import { startWorld, type World } from '../../../../testing/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

test('timelines of actions: those of an action that another server has deleted by a reset are not stored', async () => {
  const till = openTill(world, await world.addTerminal());
  await till.takes(500);
  const { id } = await till.action();
  const { store } = world.server.services;
  const storeTimelines = (actionIds: string[]) =>
    store.transaction(
      (tx) =>
        insertTimelinesUnlessGone(
          tx,
          store.engine,
          actionIds.map((actionId) => ({ action_id: actionId, recording: 'other', entries: jsonText([]) })),
          { countMax: 10 },
        ),
      { guardedBy: ['latestRows'] },
    );
  await storeTimelines([id, 'tmlact_0']);
  expect(await store.all('SELECT action_id FROM action_timelines')).toEqual([{ action_id: id }]);
  expect((await world.api.post('/sandbox/reset')).status).toBe(200);
  await storeTimelines([id]);
  expect(await store.all('SELECT action_id FROM action_timelines')).toEqual([]);
});
