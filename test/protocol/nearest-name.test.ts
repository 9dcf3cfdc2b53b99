import { expect, test } from 'vitest';
import { nearestName } from '../../protocol/nearest-name.ts';

const STATES = ['awaitingCard', 'awaitingPin', 'authorising', 'approved'];

test('nearestName: returns the name with the fewest characters to change, whatever their case', () => {
  expect(nearestName('authorizing', STATES)).toBe('authorising');
  expect(nearestName('AWAITINGPIN', STATES)).toBe('awaitingPin');
  expect(nearestName('aproved', STATES)).toBe('approved');
  expect(nearestName('authorising', STATES)).toBe('authorising');
});

test('nearestName: returns nothing where no name is near, and takes a text of any length', () => {
  expect(nearestName('xyz', STATES)).toBeUndefined();
  expect(nearestName('', STATES)).toBeUndefined();
  expect(nearestName('a', [])).toBeUndefined();
  expect(nearestName('x'.repeat(100_000), STATES)).toBeUndefined();
});
