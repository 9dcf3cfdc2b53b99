import { expect, test } from 'vitest';
import { createRegistry } from '../../../../server/dashboard/page/fleet/registry.ts';
import { madeTerminal, madeAction } from './fixtures.ts';
import { matchesFilter, groupOf } from '../../../../server/dashboard/page/fleet/fleet-list.ts';
import { splitName } from '../../../../server/dashboard/page/fleet/tile.tsx';
import { nextCell } from '../../../../server/dashboard/page/fleet/tile-grid.ts';

test('registry: terminals that are online come first, also when one goes offline later', () => {
  const registry = createRegistry();
  const put = (id: string, name: string, online: boolean) => registry.set(madeTerminal({ id, name, online }));
  put('tm_1', 'Till 1', false);
  put('tm_2', 'Till 2', true);
  put('tm_10', 'Till 10', true);
  registry.refresh();
  expect(registry.ids.value).toEqual(['tm_2', 'tm_10', 'tm_1']);
  put('tm_2', 'Till 2', false);
  registry.refresh();
  expect(registry.ids.value).toEqual(['tm_10', 'tm_1', 'tm_2']);
});

test('fleet filter: filters by group and by words in any order', () => {
  const failed = madeTerminal({ action: madeAction({ status: 'Failed', errorCode: 'insufficient_funds' }) });
  expect(groupOf(failed)).toBe('failed');
  expect(groupOf(madeTerminal({ online: false, action: madeAction() }))).toBe('offline');
  expect(groupOf(madeTerminal())).toBe(undefined);
  expect(matchesFilter(failed, 'all', 'funds till')).toBe(true);
  expect(matchesFilter(failed, 'all', 'funds bar')).toBe(false);
  expect(matchesFilter(failed, 'active', '')).toBe(false);
});

test('splitName: keeps the number at the end of a name apart, so that it is never clipped', () => {
  expect(splitName('Simulated terminal 0042')).toEqual(['Simulated terminal ', '0042']);
  expect(splitName('Bar 2 north')).toEqual(['Bar 2 north', '']);
  expect(splitName('20261123000042')).toEqual(['20261123', '000042']);
});

test('nextCell: arrow keys move in a grid and stop at its edges', () => {
  const grid = { count: 8, columns: 3 };
  const walk = (from: number, ...keys: string[]) => keys.reduce((at, key) => nextCell(key, at, grid), from);
  expect(walk(0, 'ArrowDown', 'ArrowRight', 'ArrowUp')).toBe(1);
  expect(walk(0, 'ArrowLeft', 'ArrowUp')).toBe(0);
  expect(walk(6, 'ArrowDown')).toBe(6);
  expect(walk(3, 'End')).toBe(7);
  expect(walk(3, 'Home')).toBe(0);
  expect(walk(3, 'x')).toBe(3);
});
