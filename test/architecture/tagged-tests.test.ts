import { expect, test } from 'vitest';
import { tagsIn } from './specification/tagged-tests.ts';

test('tagsIn: finds the tags of tests, of tests with cases too', () => {
  const text = `
    test('one', { tags: ['spec:4/limit', 'spec:4/ascending'] }, () => {});
    test.each([1])('two %i', { timeout: 1, tags: ['spec:8/metadata'] }, () => {});
    test('three', () => {});
    other('four', { tags: ['spec:8/version'] }, () => {});
  `;
  expect([...tagsIn('some.test.ts', text)]).toEqual(['spec:4/limit', 'spec:4/ascending', 'spec:8/metadata']);
});

test('tagsIn: throws when a tag is not a literal string', () => {
  const written = ['{ tags: TAGS }', "{ tags: ['spec:4/limit', ...MORE] }", "{ tags: 'spec:4/limit' }"];
  for (const options of written)
    expect(() => tagsIn('some.test.ts', `test('one', ${options}, () => {});`)).toThrow(
      'some.test.ts: tags are a list of literal strings',
    );
});
