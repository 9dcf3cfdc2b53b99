import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROTOCOL_RULES } from '../../../cli/certify/device/protocol-rules.ts';

const protocol = readFileSync('docs/protocol.md', 'utf8');

test('rules of the protocol: docs/protocol.md has each beside one sentence, and no other', () => {
  const written = [...protocol.matchAll(/`(protocol\.[a-z-]+\.[a-z-]+)`/g)].map(([, id]) => id);
  expect(written.toSorted()).toEqual(Object.keys(PROTOCOL_RULES).toSorted());
});

test.each(Object.entries(PROTOCOL_RULES))('rules of the protocol: %s is one sentence', (_id, { text }) => {
  expect(text).toMatch(/^[A-Z][^\n]*\.$/);
});
