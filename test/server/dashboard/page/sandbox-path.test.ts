import { expect, test } from 'vitest';
import { sandboxName, sandboxPrefix } from '../../../../server/dashboard/page/link/sandbox-path.ts';

test('sandboxName: is that of the path, or default', () => {
  expect(['/', '/docs', '/s/ci-1/'].map(sandboxName)).toEqual(['default', 'default', 'ci-1']);
});

test.each([
  ['/', ''],
  ['/s/ci/', '/s/ci'],
  ['/s/branch-12/dashboard', '/s/branch-12'],
  ['/docs', ''],
])('sandboxPrefix: of the page %s is "%s"', (path, prefix) => {
  expect(sandboxPrefix(path)).toBe(prefix);
});
