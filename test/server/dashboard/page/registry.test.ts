import { expect, test } from 'vitest';
import { createRegistry } from '../../../../server/dashboard/page/fleet/registry.ts';
import { madeTerminal } from './fixtures.ts';

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
