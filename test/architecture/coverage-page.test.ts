import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coveragePage } from './specification/coverage-page.ts';
import { filesByTag } from './specification/tagged-tests.ts';
import { OPERATION_ENTRIES, RULE_ENTRIES } from './specification/tags.ts';

const PAGE = join(import.meta.dirname, '../../docs/coverage.md');

// `npm run docs` runs this with --update, which writes the page.
test('docs/coverage.md: is up to date with the tags of the tests', async () => {
  await expect(coveragePage(filesByTag())).toMatchFileSnapshot(PAGE);
});

test('coveragePage: marks rules without a test', () => {
  const page = coveragePage(
    new Map([['spec:4.8/POST/customers', ['server/api/customers/customer.test.ts']]]),
  );
  expect(page).toContain('1 of 100 operations and 0 of');
  expect(page).toContain(
    '- [x] `POST /customers` [customer](../test/server/api/customers/customer.test.ts)\n- [ ] `GET /customers`\n',
  );
});

test('coveragePage: has every section in order', () => {
  const numbers = [...coveragePage(filesByTag()).matchAll(/^### §([\d.]+) /gm)].map(([, number]) => number!);
  const [operations, rules] = [numbers.slice(0, 13), numbers.slice(13)];
  const inOrder = (sections: Iterable<string>) =>
    [...new Set(sections)].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  expect(operations).toEqual(inOrder(OPERATION_ENTRIES.map(({ section }) => section)));
  expect(rules).toEqual(inOrder(RULE_ENTRIES.map(({ section }) => section)));
});
