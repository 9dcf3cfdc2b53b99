import { expect, test } from 'vitest';
import { circlesOf, graphOf } from './import-graph.ts';

const file = (path: string, ...imports: string[]) => ({ path, text: '', imports });

test('circlesOf: finds groups of nodes that reach each other, and nothing else', () => {
  const sources = [
    file('a', 'b', 'node:fs'),
    file('b', 'c', 'd'),
    file('c', 'a'),
    file('d', 'e'),
    file('e'),
    file('f', 'g'),
    file('g', 'f', 'a'),
  ];
  expect(circlesOf(graphOf(sources, (path) => path))).toEqual([
    ['a', 'b', 'c'],
    ['f', 'g'],
  ]);
});

test('graphOf: joins files of one name and leaves out imports within it', () => {
  const sources = [file('x/one', 'x/two'), file('x/two', 'y/three'), file('y/three')];
  const folderOf = (path: string) => path.split('/')[0]!;
  expect(graphOf(sources, folderOf)).toEqual(
    new Map([
      ['x', new Set(['y'])],
      ['y', new Set()],
    ]),
  );
});
