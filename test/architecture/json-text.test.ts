import { expect, test } from 'vitest';
import { readSources } from './source-tree.ts';

test('JSON text: areas read stored JSON by parseJson only', () => {
  const parsing = readSources(['server/api', 'server/bank', 'server/sandbox-controls'])
    .filter(({ text }) => /\bJSON\.parse\(/.test(text))
    .map(({ path }) => path);
  // It decodes what a browser sends, which is checked there.
  expect(parsing).toEqual(['server/bank/three-ds/three-ds-messages.ts']);
});
