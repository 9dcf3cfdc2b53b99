import { expect, test } from 'vitest';
import { createChanges } from '../../../server/sandboxes/sandbox-index.ts';

test('changes of sandboxes: a name is taken until the last of its changes has ended', async () => {
  const changes = createChanges();
  const ends: (() => void)[] = [];
  const change = () => new Promise<void>((resolve) => ends.push(resolve));
  const [opened, deleted] = [changes.during('ci', change), changes.during('ci', change)];
  ends[0]!();
  await opened;
  expect(changes.has('ci')).toBe(true);
  ends[1]!();
  await deleted;
  expect(changes.has('ci')).toBe(false);
});
