import { expect, test } from 'vitest';
import { messageOf } from '../../../../protocol/failures.ts';
import { createLayOut, layOut } from '../../../../server/dashboard/chart/layout.ts';
import { createArrange } from '../../../../server/dashboard/chart/layout-worker.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

/** A machine whose states all lead to the next ones: as hard to lay out as its size allows. */
function dense(machineId: string, states: number, each: number) {
  const target = (from: number, step: number) => [`#${machineId}.s${(from * 7 + step * 5 + 1) % states}`];
  const on = (from: number) =>
    Object.fromEntries(
      Array.from({ length: each }, (_, step) => [`e${step}`, [{ target: target(from, step) }]]),
    );
  const all = Array.from({ length: states }, (_, from) => [`s${from}`, { on: on(from) }]);
  return {
    machineId,
    definition: { id: machineId, initial: 's0', states: Object.fromEntries(all) as object },
  };
}

test('layOut: refuses a machine of 30 states with 8 transitions each, without a layout', async () => {
  await expect(layOut(dense('hostile', 30, 8))).rejects.toThrow('too many transitions to be drawn');
});

function slowGraph() {
  const children = Array.from({ length: 400 }, (_, index) => ({ id: `n${index}`, width: 10, height: 10 }));
  const edges = Array.from({ length: 6_000 }, (_, index) => ({
    id: `e${index}`,
    sources: [`n${(index * 7) % 400}`],
    targets: [`n${(index * 13 + 1) % 400}`],
  }));
  return { id: 'root', layoutOptions: { 'elk.algorithm': 'layered' }, children, edges };
}

test('layOut: gives up a graph that takes longer than the limit, and lays out the next', async () => {
  const clock = new VirtualClock(0);
  const arrange = createArrange({ clock, limitMs: 5_000 });
  const slow = arrange(slowGraph()).catch(messageOf);
  const small = arrange({ id: 'small', children: [{ id: 'only', width: 10, height: 10 }] });
  await clock.advance(5_000);
  expect(await slow).toContain('within 5 s');
  expect((await small).children).toHaveLength(1);
});

test('layOut: lays out a chart of the server while the graph of a terminal is in progress', async () => {
  const clock = new VirtualClock(0);
  const given = createArrange({ clock, limitMs: 5_000 })(slowGraph()).catch(() => 'given up');
  expect((await createLayOut()(dense('ordinary', 4, 2))).states).toHaveLength(4);
  await clock.advance(5_000);
  expect(await given).toBe('given up');
});
