import { expect, test } from 'vitest';
import { FOLDERS } from '../../scripts/layers.mjs';
import { readSources } from './source-tree.ts';

const SOURCES = readSources(Object.keys(FOLDERS));
const PRODUCT = SOURCES.filter(({ path }) => !/^(test|bench|examples)\//.test(path));

/** The one place from which each of these packages is imported. */
const SEAMS: Record<string, RegExp> = {
  aedes: /^server\/platform\/broker\/broker\.ts$/,
  mqtt: /^protocol\/mqtt-link\.ts$/,
  'mqtt-packet': /^protocol\/mqtt-link\.ts$/,
  pino: /^protocol\/log\.ts$/,
  ulid: /^protocol\/ids\.ts$/,
  typebox: /^protocol\/schema(-problems)?\.ts$|^server\/platform\/http\//,
  '@photostructure/sqlite': /^server\/platform\/store\/sqlite-connection\.ts$/,
  pg: /^server\/platform\/store\/postgres(-connections|-errors)?\.ts$/,
  ws: /^server\/platform\/(broker\/web-socket|http\/sockets\/text-socket)\.ts$|^cli\/watch\/live-socket\.ts$/,
  undici: /^server\/platform\/http\/outgoing\.ts$/,
  '@fastify/multipart': /^server\/platform\/http\/bodies\/multipart\.ts$/,
  fastify: /^server\/platform\/http\//,
  marked: /^server\/platform\/http\/guides\/guide-html\.ts$/,
  'light-my-request': /^server\/platform\/http\/http-server\.ts$/,
  'fast-json-stringify': /^server\/platform\/http\/serialiser\.ts$/,
  serialport: /^agent\/readers\/serial-port\.ts$/,
  koffi: /^simulator\/twins\/pty\.ts$|^agent\/readers\/pcsc\/library\.ts$/,
  commander: /^cli\//,
  '@modelcontextprotocol/server': /^cli\/(mcp\/mcp-server|commands\/mcp)\.ts$/,
  'string-width': /^cli\/watch\/text-screen\.ts$/,
  vitest: /^testing\/(run-log\/current-runner\.ts$|reporter\/)/,
  crc: /^agent\/readers\/crc\.ts$/,
  qr: /^simulator\/twins\/escpos\/codes\.ts$/,
  jsbarcode: /^simulator\/twins\/escpos\/bar-codes\.ts$/,
  'iconv-lite': /^(simulator\/twins\/escpos\/code-pages|agent\/printers\/receipt-bytes)\.ts$/,
  xstate: /\.machine\.ts$|^agent\/lifecycle\/|^protocol\/machine-(shape|step|transition)\.ts$/,
  preact: /^(server\/dashboard|testing\/reporter)\/page\//,
  '@preact/signals': /^(server\/dashboard|testing\/reporter)\/page\//,
  // What cli/main.ts imports for others, by a name that they give.
  specifier: /^cli\/main\.ts$/,
  elkjs: /^server\/dashboard\/chart\/layout(-[a-z]+)?\.ts$/,
};

test('imports: folders import only as ARCHITECTURE.md allows', () => {
  const forbidden = SOURCES.flatMap(({ path, imports }) => {
    const from = path.split('/')[0]!;
    return imports
      .filter((target) => (target.split('/')[0] ?? '') in FOLDERS && target.includes('/'))
      .filter((target) => target.split('/')[0] !== from && !FOLDERS[from]!.includes(target.split('/')[0]!))
      .map((target) => `${path} imports ${target}`);
  });
  expect(forbidden).toEqual([]);
});

/**
 * What the simulator may import from agent/readers/: the ports that it implements, and the check sums, which a package
 * computes. A twin that shared a frame, parser or table with the driver that it checks would share its mistakes.
 */
const SHARED_WITH_DRIVERS = ['byte-port', 'card-slot', 'crc', 'reader'].map(
  (name) => `agent/readers/${name}.ts`,
);

test('imports: the simulator imports nothing of a reader driver', () => {
  const shared = SOURCES.filter(({ path }) => path.startsWith('simulator/')).flatMap(({ path, imports }) =>
    imports
      .filter((target) => target.startsWith('agent/readers/') && !SHARED_WITH_DRIVERS.includes(target))
      .map((target) => `${path} imports ${target}`),
  );
  expect(shared).toEqual([]);
});

/** What the page of the dashboard may import besides its own files: all of it runs in a browser. */
const IN_A_BROWSER =
  /^server\/dashboard\/(page\/|view\.ts$|drills\/drill-view\.ts$|chart\/(?!layout))|^server\/platform\/faults\/(cut-points|fault-members|fault-words)\.ts$|^protocol\/(api-call|api-client|clock|money|outside-json|receipt-printer|tables)\.ts$|^(preact|@preact\/signals)$/;

test("imports: the dashboard's page imports only what runs in a browser", () => {
  const strays = PRODUCT.filter(({ path }) => path.startsWith('server/dashboard/page/')).flatMap(
    ({ path, imports }) =>
      imports.filter((target) => !IN_A_BROWSER.test(target)).map((target) => `${path} imports ${target}`),
  );
  expect(strays).toEqual([]);
});

test('imports: each outside package is imported in one place', () => {
  const strays = PRODUCT.flatMap(({ path, imports }) =>
    imports
      .filter((target) => !target.startsWith('node:') && !/\.(tsx?|mjs|json|css)$/.test(target))
      .filter((target) => !SEAMS[target]?.test(path))
      .map((target) => `${path} imports ${target}`),
  );
  expect(strays).toEqual([]);
});

/** Where time and randomness come from the system; everywhere else they are handed in. */
const SYSTEM_CALLS: { what: RegExp; allowed: RegExp }[] = [
  { what: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/, allowed: /^protocol\/clock\.ts$/ },
  { what: /\bset(Timeout|Interval)\(/, allowed: /^(protocol\/clock|cli\/(process-)?main)\.ts$/ },
  { what: /\bMath\.random\(|\brandomBytes\(|\brandomUUID\(/, allowed: /^protocol\/ids\.ts$/ },
  {
    what: /\bprocess\.env\b/,
    // Besides the command, what a test imports: nobody else could pass it in.
    allowed:
      /^cli\/(process-)?main\.ts$|^testing\/(run-log\/current-runner|reporter\/reporter|hunt\/command\/hunt-command)\.ts$/,
  },
];

test('sources: the clock, randomness and the environment are passed in', () => {
  const strays = PRODUCT.flatMap(({ path, text }) =>
    SYSTEM_CALLS.filter(({ what, allowed }) => what.test(text) && !allowed.test(path)).map(
      ({ what }) => `${path}: ${what.exec(text)?.[0]}`,
    ),
  );
  expect(strays).toEqual([]);
});

const SUFFIXES = [
  'resource',
  'rules',
  'records',
  'machine',
  'messages',
  'driver',
  'contract',
  'schema',
  'twin',
  'test',
];

test('sources: files have kebab-case names and one of the known suffixes', () => {
  const odd = SOURCES.map(({ path }) => path).filter((path) => {
    const [name, ...suffixes] = path
      .split('/')
      .at(-1)!
      .replace(/\.tsx?$/, '')
      .split('.');
    const known = suffixes.every((suffix) => SUFFIXES.includes(suffix));
    return !/^[0-9a-z]+(-[0-9a-z]+)*$/.test(name!) || !known;
  });
  expect(odd).toEqual([]);
});

test('sources: no file is a barrel or named for helpers', () => {
  const drawers = SOURCES.filter(
    ({ path, text }) =>
      /\/(utils?|helpers?|common|index)\.ts$/.test(path) || /^\s*export \* from/m.test(text),
  );
  expect(drawers.map(({ path }) => path)).toEqual([]);
});

/** Files that are one table: they grow by a row at a time. */
const TABLES = [
  'cli/commands.ts',
  'cli/drills/drills.ts',
  'protocol/api-operations.ts',
  'server/platform/http/refusals.ts',
];

test('sources: no file is longer than 300 lines, except tables', () => {
  const long = PRODUCT.filter(
    ({ path, text }) => text.split('\n').length > 301 && !TABLES.includes(path),
  ).map(({ path }) => path);
  expect(long).toEqual([]);
});
