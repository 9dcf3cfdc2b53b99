import { expect, test } from 'vitest';
import { sanitizeText } from '../../../cli/command-line/sanitize-text.ts';

test('sanitizeText: replaces control characters and bidirectional marks by a dot', () => {
  expect(sanitizeText('a\u001b[31mb\r\nc\u009bd\u202e')).toBe('a·[31mb··c·d·');
});
