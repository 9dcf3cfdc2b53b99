import { expect, test } from 'vitest';
import { circlesOf, graphOf } from './import-graph.ts';
import { readSources } from './source-tree.ts';

const SOURCES = readSources(['server']);

/** The layers of the server and which others each may import from (ARCHITECTURE.md, Inside the server). */
const LAYERS: Record<string, string[]> = {
  platform: [],
  bank: ['platform'],
  api: ['bank', 'platform'],
  'sandbox-controls': ['api', 'bank', 'platform'],
  dashboard: ['platform'],
};

/** Puts the server together: imports all of it, and none of it imports them. */
const COMPOSITION_ROOT = [
  'app',
  'routes',
  'pages',
  'machines',
  'area-ports',
  'dashboard-ports',
  'background-jobs',
].map((name) => `server/${name}.ts`);

/** Imports that break a rule below, each with the reason why it is still there. The list only shrinks. */
const LEFTOVERS: Record<string, string> = {
  'server/api/in-person/action.resource.ts > server/api/disputes/dispute.records.ts':
    'to become a domain event',
  'server/api/ledger/payment-entries.ts > server/api/payments/payment-session.records.ts':
    'to become a domain event',
  'server/api/ledger/payment-entries.ts > server/api/payments/payment-settings.schema.ts':
    'to become a domain event',
  'server/api/ledger/tariff.ts > server/api/payments/payment-settings.schema.ts': 'to become a domain event',
  'server/api/payments/captures-voids-refunds.resource.ts > server/api/disputes/dispute.records.ts':
    'to become a domain event',
  'server/api/payments/captures-voids-refunds.resource.ts > server/api/in-person/action.records.ts':
    'to become a domain event',
};

const isLeftover = (from: string, to: string) => `${from} > ${to}` in LEFTOVERS;

/** The sources without the imports that are known to break a rule. */
const KEPT = SOURCES.map((source) => ({
  ...source,
  imports: source.imports.filter((target) => !isLeftover(source.path, target)),
}));

const layerOf = (path: string) => path.split('/')[1]!;

/** `server/api/payments`, `agent/emv`: the area of a file. A file that stands in no area is one by itself. */
function areaOf(path: string): string {
  const folders = path.split('/').slice(0, -1);
  const depth = folders[0] === 'server' ? 3 : 2;
  return folders.length < depth ? path : folders.slice(0, depth).join('/');
}

test('server layers: every file of the server is in a layer or in the composition root', () => {
  const homeless = SOURCES.map(({ path }) => path).filter(
    (path) => !(layerOf(path) in LAYERS) && !COMPOSITION_ROOT.includes(path),
  );
  expect(homeless).toEqual([]);
});

test('server layers: a layer imports only from those below it', () => {
  const forbidden = KEPT.filter(({ path }) => !COMPOSITION_ROOT.includes(path)).flatMap(({ path, imports }) =>
    imports
      .filter((target) => target.startsWith('server/') && layerOf(target) !== layerOf(path))
      .filter((target) => !LAYERS[layerOf(path)]!.includes(layerOf(target)))
      .map((target) => `${path} > ${target}`),
  );
  expect(forbidden).toEqual([]);
});

test('server layers: areas of the server import each other in no circle, types included', () => {
  expect(circlesOf(graphOf(KEPT, areaOf))).toEqual([]);
});

test.each(['protocol', 'agent', 'simulator', 'cli'])(
  'server layers: folders of %s import each other in no circle, types included',
  (folder) => {
    expect(circlesOf(graphOf(readSources([folder]), areaOf))).toEqual([]);
  },
);

test('server layers: every listed leftover import is still there', () => {
  const existing = new Set(
    SOURCES.flatMap(({ path, imports }) => imports.map((target) => `${path} > ${target}`)),
  );
  expect(Object.keys(LEFTOVERS).filter((edge) => !existing.has(edge))).toEqual([]);
});

test.each(['protocol', 'agent', 'simulator', 'server', 'cli'])(
  'server layers: files of %s import each other in no circle, types included',
  (folder) => {
    expect(circlesOf(graphOf(readSources([folder]), (path) => path))).toEqual([]);
  },
);
