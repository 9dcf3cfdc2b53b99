import { expect, test } from 'vitest';
import { circlesOf, graphOf } from './import-graph.ts';
import { readSources } from './source-tree.ts';

const FOLDERS = ['protocol', 'agent', 'simulator', 'server', 'world', 'testing', 'cli'];

/** `server/api/payments`, `agent/emv`: the area of a file. A file that stands in no area is one by itself. */
function areaOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const depth = folders[0] === 'server' ? 3 : 2;
  return folders.length < depth ? path : folders.slice(0, depth).join('/');
}

test.each(FOLDERS)('import circles: areas of %s import each other in no circle, types included', (folder) => {
  expect(circlesOf(graphOf(readSources([folder]), areaOf))).toEqual([]);
});

test.each(FOLDERS)('import circles: files of %s import each other in no circle, types included', (folder) => {
  expect(circlesOf(graphOf(readSources([folder]), (path) => path))).toEqual([]);
});
