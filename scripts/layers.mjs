// @ts-check
// The folders and layers of ARCHITECTURE.md, lowest first, with what each may import from besides itself. Read by
// scripts/count-shape.mjs and by the tests of test/architecture.

/** @type {Record<string, readonly string[]>} */
export const FOLDERS = {
  protocol: [],
  server: ['protocol'],
  agent: ['protocol'],
  simulator: ['protocol', 'agent'],
  world: ['protocol', 'agent', 'simulator', 'server'],
  testing: ['protocol', 'agent', 'simulator', 'server', 'world'],
  cli: ['protocol', 'agent', 'simulator', 'server', 'world', 'testing', 'package.json'],
  examples: [],
  test: [
    'protocol',
    'agent',
    'simulator',
    'server',
    'world',
    'testing',
    'cli',
    'bench',
    'examples',
    'package.json',
  ],
  bench: ['protocol', 'agent', 'simulator', 'server', 'world', 'testing', 'cli', 'test'],
};

/**
 * The folders of server/. The files beside them put the server together: they import all of it, and none of it imports
 * them.
 * @type {Record<string, readonly string[]>}
 */
export const SERVER_LAYERS = {
  platform: [],
  bank: ['platform'],
  dashboard: ['platform'],
  api: ['bank', 'platform'],
  'sandbox-controls': ['api', 'bank', 'platform'],
  sandboxes: ['api', 'bank', 'platform'],
  traces: ['sandboxes', 'dashboard', 'api', 'bank', 'platform'],
};

/** Every layer as the beginning of its paths, lowest first. */
export const LAYERS = Object.keys(FOLDERS).flatMap((folder) => [
  ...(folder === 'server' ? Object.keys(SERVER_LAYERS).map((layer) => `server/${layer}/`) : []),
  `${folder}/`,
]);
