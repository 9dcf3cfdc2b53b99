import { expect, test } from 'vitest';
import { createDisk } from '../../testing/hunt/disk.ts';

/** A disk of which each write ends when it is told. */
function slowDisk() {
  const writes: (() => void)[] = [];
  const open = createDisk();
  const disk = open(async (_key, apply) => void writes.push(apply));
  return { disk, open, end: () => writes.splice(0).forEach((apply) => apply()) };
}

test('disk: has what is written, and what is under way not yet', async () => {
  const { disk, end, open } = slowDisk();
  const order = { paid: false };
  await disk.set('order-1', order);
  order.paid = true;
  expect(disk.get('order-1')).toBeUndefined();
  end();
  expect(disk.get('order-1')).toEqual({ paid: false });
  expect(open(async () => {}).get('order-1')).toEqual({ paid: false });
});

test('disk: append adds to a list, delete takes a key, list names those that begin with a text', async () => {
  const { disk, end } = slowDisk();
  await Promise.all([
    disk.append('log', 1),
    disk.append('log', [2]),
    disk.set('order-2', 2),
    disk.set('order-1', 1),
  ]);
  end();
  expect([disk.get('log'), disk.list(), disk.list('order-')]).toEqual([
    [1, [2]],
    ['log', 'order-1', 'order-2'],
    ['order-1', 'order-2'],
  ]);
  await disk.delete('order-1');
  end();
  expect([disk.get('order-1'), disk.list('order-')]).toEqual([undefined, ['order-2']]);
});

test('disk: refuses what is no JSON value, and a value after one that is no list', async () => {
  const { disk, end } = slowDisk();
  await expect(disk.set('order-1', undefined)).rejects.toThrow('disk: the value of order-1 is no JSON value');
  await expect(disk.append('log', () => {})).rejects.toThrow('disk: the value of log is no JSON value');
  await disk.set('log', 'a line');
  await disk.append('log', 'another');
  expect(end).toThrow('disk: the value of log is no list');
});
