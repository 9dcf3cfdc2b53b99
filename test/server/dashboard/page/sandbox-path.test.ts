import { expect, test } from 'vitest';
import { sandboxPrefix } from '../../../../server/dashboard/page/link/sandbox-path.ts';

test.each([
  ['/', ''],
  ['/s/ci/', '/s/ci'],
  ['/s/branch-12/dashboard', '/s/branch-12'],
  ['/docs', ''],
])('sandboxPrefix: of the page %s is "%s"', (path, prefix) => {
  expect(sandboxPrefix(path)).toBe(prefix);
});
