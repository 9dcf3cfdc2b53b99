import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtFile, packageRoot } from '../../protocol/package-root.ts';

test('packageRoot: is the folder with the package.json of tapbench', () => {
  const { name } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { name: string };
  expect(name).toBe('tapbench');
});

test('builtFile: finds no file for the sources, though the build wrote it', () => {
  expect(existsSync(join(packageRoot(), 'dist/cli/main.js'))).toBe(true);
  expect(builtFile('cli/main.js')).toBeUndefined();
});
