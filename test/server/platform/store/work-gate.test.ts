import { expect, test } from 'vitest';
import { createWorkGate } from '../../../../server/platform/store/work-gate.ts';

/** Works that run until they are ended, and the order in which they began and ended. */
function works() {
  const seen: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    seen.push(`${name} ends`);
    return name;
  };
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { seen, work, end };
}

test('work gate: works beside each other run at the same time', async () => {
  const gate = createWorkGate();
  const { seen, work, end } = works();
  const both = [gate.beside(work('one')), gate.beside(work('two'))];
  expect(seen).toEqual(['one begins', 'two begins']);
  await end('one');
  await end('two');
  expect(await Promise.all(both)).toEqual(['one', 'two']);
});

test('work gate: a work that runs alone waits for those under way, and later ones wait for it', async () => {
  const gate = createWorkGate();
  const { seen, work, end } = works();
  const all = [gate.beside(work('under way')), gate.alone(work('alone')), gate.beside(work('later'))];
  await end('under way');
  await end('alone');
  await end('later');
  await Promise.all(all);
  expect(seen).toEqual([
    'under way begins',
    'under way ends',
    'alone begins',
    'alone ends',
    'later begins',
    'later ends',
  ]);
});

test('work gate: of two works that run alone the second waits for the first, and others for both', async () => {
  const gate = createWorkGate();
  const { seen, work, end } = works();
  const all = [gate.alone(work('first')), gate.alone(work('second')), gate.beside(work('later'))];
  await new Promise((resolve) => setImmediate(resolve));
  await end('first');
  await end('second');
  await end('later');
  await Promise.all(all);
  expect(seen).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
    'later begins',
    'later ends',
  ]);
});

test('work gate: the failure of a work reaches its caller, and lets the others run', async () => {
  const gate = createWorkGate();
  const fails = async () => {
    throw new Error('broken');
  };
  const [alone, beside, later] = await Promise.allSettled([
    gate.alone(fails),
    gate.beside(fails),
    gate.beside(async () => 'later'),
  ]);
  expect(alone).toMatchObject({ reason: new Error('broken') });
  expect(beside).toMatchObject({ reason: new Error('broken') });
  expect(later).toMatchObject({ value: 'later' });
});
