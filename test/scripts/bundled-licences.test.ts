import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { licencesOf, modulesIn } from '../../scripts/bundled-licences.mjs';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'tapbench-licences-'))));
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function addPackage(name: string, licence?: string): void {
  const folder = `node_modules/${name}`;
  write(`${folder}/package.json`, JSON.stringify({ name, version: '1.2.3', license: 'MIT' }));
  write(`${folder}/index.js`, `console.log('${name}');`);
  if (licence !== undefined) write(`${folder}/LICENSE.md`, licence);
}

test('licencesOf: returns name, version and licence text of the package of each module, and of no other', async () => {
  addPackage('@scope/shown', 'Copyright (c) Shown\n');
  addPackage('without-text');
  addPackage('of-page');
  addPackage('unused', 'Copyright (c) Unused\n');
  write('main.js', "import '@scope/shown'; import 'without-text';");
  const { output } = await build({ cwd: root, input: 'main.js', write: false });
  const modules = [...modulesIn(output), join(root, 'node_modules/of-page/index.js')];
  const notices = [
    '@scope/shown 1.2.3 (MIT)\n\nCopyright (c) Shown\n',
    'of-page 1.2.3 (MIT)\n',
    'without-text 1.2.3 (MIT)\n',
  ];
  expect(licencesOf(modules)).toBe(notices.join(`\n${'-'.repeat(80)}\n\n`));
});
