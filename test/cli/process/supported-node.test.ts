import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isSupportedNode, OLDEST_NODE } from '../../../cli/process/supported-node.mjs';

test('OLDEST_NODE: is the version that package.json and the README name', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  expect((JSON.parse(read('package.json')) as { engines: object }).engines).toEqual({
    node: `>=${OLDEST_NODE}`,
  });
  expect(read('README.md')).toContain(`Node ${OLDEST_NODE} or later`);
});

test.each([
  ['12.22.12', false],
  ['18.20.8', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['20.20.2', true],
  ['22.0.0', true],
  ['24.1.0', true],
])('isSupportedNode: %s is %s', (version, supported) => {
  expect(isSupportedNode(version)).toBe(supported);
});
