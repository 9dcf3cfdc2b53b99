import { expect, test } from 'vitest';
import { SERVER_LAYERS } from '../../scripts/layers.mjs';
import { readSources } from './source-tree.ts';

const SOURCES = readSources(['server']);

/** Puts the server together: imports all of it, and none of it imports them. */
const COMPOSITION_ROOT = [
  'app',
  'create-services',
  'sandbox',
  'sandbox-host',
  'routing',
  'routes',
  'machines',
  'area-ports',
  'dashboard-ports',
  'background-jobs',
].map((name) => `server/${name}.ts`);

const layerOf = (path: string) => path.split('/')[1]!;

test('server layers: every file of the server is in a layer or in the composition root', () => {
  const homeless = SOURCES.map(({ path }) => path).filter(
    (path) => !(layerOf(path) in SERVER_LAYERS) && !COMPOSITION_ROOT.includes(path),
  );
  expect(homeless).toEqual([]);
});

test('server layers: a layer imports only from those below it', () => {
  const forbidden = SOURCES.filter(({ path }) => !COMPOSITION_ROOT.includes(path)).flatMap(
    ({ path, imports }) =>
      imports
        .filter((target) => target.startsWith('server/') && layerOf(target) !== layerOf(path))
        .filter((target) => !SERVER_LAYERS[layerOf(path)]!.includes(layerOf(target)))
        .map((target) => `${path} > ${target}`),
  );
  expect(forbidden).toEqual([]);
});
