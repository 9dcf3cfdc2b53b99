import { join } from 'node:path';
import { expect, test } from 'vitest';
import { constantFiles } from './constant-files.ts';
import { CONSTANT_SETS } from './constant-sets.ts';
import { goTestCalls } from './go-test-calls.ts';

const CLIENTS = join(import.meta.dirname, '../../../clients');

test('clients: no set of constants is empty', () => {
  expect(CONSTANT_SETS.filter(({ constants }) => constants.length < 5)).toEqual([]);
});

// `npm run docs` runs this with --update, which writes the files.
test.for([...constantFiles(), ['go/testcalls.go', goTestCalls()] as const])(
  'clients/%s: is up to date with the sources that it is made from',
  async ([path, text]) => {
    await expect(text, `clients/${path} is out of date: run 'npm run docs'`).toMatchFileSnapshot(
      join(CLIENTS, path),
    );
  },
);
