import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKnownTexts } from '../../../server/traces/secret-book.ts';
import { property } from '../../property.ts';

function knownTexts(texts: readonly string[]) {
  const known = createKnownTexts(3);
  for (const text of texts) known.add(text);
  return known;
}

test('known texts: each one is replaced wherever it stands, the longer of two', () => {
  const known = knownTexts(['secret', 'secret-of-two', 'abc']);
  expect(known.replacedIn('a secret, secret-of-two; abcabc ab', (text) => `<${text.length}>`)).toBe(
    'a <6>, <13>; <3><3> ab',
  );
  expect(known.replacedIn('nothing here', () => '')).toBe('nothing here');
});

property([
  fc.array(fc.stringMatching(/^[ab]{3,6}$/), { minLength: 1, maxLength: 5 }),
  fc.stringMatching(/^[abc]{0,40}$/),
])('known texts: none of them is left in a text', (texts, text) => {
  const replaced = knownTexts(texts).replacedIn(text, () => '-');
  for (const each of texts) expect(replaced).not.toContain(each);
});
