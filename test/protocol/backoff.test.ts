import { expect, test } from 'vitest';
import { createBackoff } from '../../protocol/backoff.ts';
import { seededRandom, type Random } from '../../protocol/ids.ts';

const LIMITS = { initialMs: 250, maxMs: 30_000 };
const highest: Random = { bytes: (count) => new Uint8Array(count).fill(255) };

test('createBackoff: the bound doubles with each attempt up to the maximum', () => {
  const backoff = createBackoff(highest, LIMITS);
  const bounds = Array.from({ length: 9 }, () => backoff.nextMs() + 1);
  expect(bounds).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('createBackoff: a refused attempt has a higher bound, for that attempt only', () => {
  const backoff = createBackoff(highest, { ...LIMITS, maxRefusedMs: 120_000 });
  const pauses = Array.from({ length: 11 }, () => backoff.nextMs(true));
  expect(pauses.slice(6)).toEqual([15_999, 31_999, 63_999, 119_999, 119_999]);
  expect(backoff.nextMs()).toBe(29_999);
  expect(createBackoff(highest, LIMITS).nextMs(true)).toBe(249);
});

test('createBackoff: reset starts a new series', () => {
  const backoff = createBackoff(highest, LIMITS);
  backoff.nextMs();
  backoff.nextMs();
  backoff.reset();
  expect(backoff.nextMs()).toBe(249);
});

test('createBackoff: delays are spread over the whole range', () => {
  const pauses = Array.from({ length: 1_000 }, (_, index) =>
    createBackoff(seededRandom(`terminal ${index}`), LIMITS).nextMs(),
  );
  for (const quarter of [0, 1, 2, 3]) {
    const inside = pauses.filter((ms) => Math.floor(ms / 62.5) === quarter);
    expect(inside.length).toBeGreaterThan(200);
    expect(inside.length).toBeLessThan(300);
  }
});
