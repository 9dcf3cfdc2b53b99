import { expect, test } from 'vitest';
import { layOut } from '../../../../server/dashboard/chart/layout.ts';
import { arrange } from '../../../../server/dashboard/chart/layout-worker.ts';

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

test('a machine of 30 states with 8 transitions each is refused without a layout', async () => {
  await expect(layOut(dense('hostile', 30, 8))).rejects.toThrow('too many transitions to be drawn');
});

test('a graph that takes longer than the limit is given up, and those behind it are laid out', async () => {
  const children = Array.from({ length: 400 }, (_, index) => ({ id: `n${index}`, width: 10, height: 10 }));
  const edges = Array.from({ length: 6_000 }, (_, index) => ({
    id: `e${index}`,
    sources: [`n${(index * 7) % 400}`],
    targets: [`n${(index * 13 + 1) % 400}`],
  }));
  const layoutOptions = { 'elk.algorithm': 'layered' };
  const slow = arrange({ id: 'root', layoutOptions, children, edges });
  const other = layOut(dense('ordinary', 4, 2));
  await expect(slow).rejects.toThrow('within 5 s');
  expect((await other).states).toHaveLength(4);
});
