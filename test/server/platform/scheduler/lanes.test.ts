import { expect, test } from 'vitest';
import { createLanes } from '../../../../server/platform/scheduler/lanes.ts';

/** Lanes of deliveries, whose queues are endpoints, and of deadlines. */
function lanesOfEndpoints() {
  const lanes = createLanes();
  lanes.addKind('deliver', true);
  lanes.addKind('deadline', false);
  return lanes;
}

test('lanes: a queue has a lane until a claim finds it empty', () => {
  const lanes = lanesOfEndpoints();
  for (let n = 0; n < 100; n += 1) lanes.scheduleCheck({ kind: 'deliver', queue: `wh_${n}` }, 0);
  expect(lanes.all()).toHaveLength(101);
  for (const lane of lanes.all()) {
    lane.dueMs = Infinity;
    lanes.settle(lane, { backlog: false, dueMs: Infinity });
  }
  expect(lanes.all().map(({ kind }) => kind)).toEqual(['deadline']);
});

test('lanes: a lane stays while more jobs are due, now or later, or were added during the claim', () => {
  const lanes = lanesOfEndpoints();
  for (const queue of ['full', 'later', 'added']) lanes.scheduleCheck({ kind: 'deliver', queue }, 0);
  const [, full, later, added] = lanes.all();
  for (const lane of lanes.all()) lane.dueMs = Infinity;
  lanes.scheduleCheck({ kind: 'deliver', queue: 'added' }, 5);
  lanes.settle(full!, { backlog: true, dueMs: Infinity });
  lanes.settle(later!, { backlog: false, dueMs: 60_000 });
  lanes.settle(added!, { backlog: false, dueMs: Infinity });
  expect(lanes.all().map(({ queue, dueMs }) => [queue, dueMs])).toEqual([
    ['', Infinity],
    ['full', Infinity],
    ['later', 60_000],
    ['added', 5],
  ]);
});
