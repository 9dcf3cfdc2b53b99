import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { operationTypes } from './operation-types.ts';

const FILE = join(import.meta.dirname, '../../protocol/api-operations.ts');

// `npm run docs` runs this with --update, which writes the file.
test('protocol/api-operations.ts: has the types of the routes', async () => {
  const text = await format(operationTypes(), { ...(await resolveConfig(FILE)), filepath: FILE });
  await expect(text, "protocol/api-operations.ts is out of date: run 'npm run docs'").toMatchFileSnapshot(
    FILE,
  );
});
