import { expect, test } from 'vitest';
import { readSources } from './source-tree.ts';

test('schemas: the server declares them in .schema.ts files', () => {
  const elsewhere = readSources(['server'])
    .filter(({ path }) => !path.endsWith('.schema.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?const (\w+) = (?:checker\()?\s*Type\./gm)].map(
        ([, name]) => `${path}: ${name}`,
      ),
    );
  expect(elsewhere).toEqual([]);
});
