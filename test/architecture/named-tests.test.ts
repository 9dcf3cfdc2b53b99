import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Returns the paths that a shell makes of one with alternatives in braces. */
function expanded(path: string): string[] {
  const [braces, alternatives] = /\{([^{}]+)\}/.exec(path) ?? [];
  if (braces === undefined) return [path];
  return alternatives!.split(',').flatMap((one) => expanded(path.replace(braces, one)));
}

// vitest says nothing of a path that matches no test, as long as another one does.
test.each(['package.json', '.ci/run'])('%s: each path of tests that it names exists', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const named = [...text.matchAll(/(?<![\w./])test\/[\w./-]+(?:\{[\w.,-]+\}[\w./-]*)?/g)].flatMap(([path]) =>
    expanded(path),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
