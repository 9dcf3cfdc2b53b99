import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VERSION } from '../../protocol/version.ts';

test('VERSION: is the version in package.json', () => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(VERSION).toBe((JSON.parse(manifest) as { version: string }).version);
});
