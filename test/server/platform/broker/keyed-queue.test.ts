import { expect, test } from 'vitest';
import { keyedQueue } from '../../../../server/platform/broker/keyed-queue.ts';

test('keyedQueue: a key holds a limited number of entries and bytes, and other keys continue', async () => {
  const queue = keyedQueue({ waitingMax: 3, bytesMax: 100 });
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  expect(queue.add('till', 60, () => held)).toBe(true);
  expect(queue.add('till', 50, () => held)).toBe(false);
  expect(queue.add('till', 40, () => held)).toBe(true);
  expect(queue.add('kiosk', 1, () => held)).toBe(true);
  expect(queue.add('kiosk', 1, () => held)).toBe(true);
  expect(queue.add('kiosk', 1, () => held)).toBe(true);
  expect(queue.add('kiosk', 1, () => held)).toBe(false);
  release();
  await held;
  await new Promise((resolve) => setImmediate(resolve));
  expect(queue.idle).toBe(true);
  expect(queue.add('till', 100, () => Promise.resolve())).toBe(true);
});
