// @ts-check
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, watch } from 'rolldown';
import { licencesOf, modulesIn } from './bundled-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Packages that are loaded from node_modules: those with binaries, those whose files are read or run by path, `pg`,
 * which only servers with PostgreSQL need, and vitest, which must be the one that runs the tests.
 */
const EXTERNAL = [
  '@photostructure/sqlite',
  'elkjs',
  'koffi',
  'pg',
  'serialport',
  'swagger-ui-dist',
  'vitest',
];

/** What starts the command, and the exports. One bundle, so that the exports share modules and classes. */
const PACKAGE = ['cli/main', 'testing/world/user-world', 'testing/hunt/hunt', 'testing/reporter/reporter'];

/** The command, in CommonJS modules: `cli/process/compile-cache.ts` keeps their compiled code. */
const COMMAND = ['cli/process-main'];

/** What only this project runs, in a bundle of its own. */
const TOOLS = [
  'test/kit/issue-cards',
  'world/lay-out-machines',
  'bench/main',
  ...readdirSync(`${root}bench/processes`)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `bench/processes/${file.slice(0, -'.ts'.length)}`),
];

/**
 * Bundles the sources and the packages they use into dist/: loading some hundreds of modules takes longer than all
 * else that a start does. Modules of several entries, and those imported on demand, are chunks.
 * @param {readonly string[]} pageModules modules in the bundles of the pages, for their licences
 */
export async function bundle(pageModules) {
  const [published] = await Promise.all([
    build(PUBLISHED),
    build(bundleOf(TOOLS, esModules('bench/chunks'))),
  ]);
  const modules = published.flatMap(({ output }) => modulesIn(output));
  writeFileSync(`${root}dist/licences.txt`, licencesOf([...pageModules, ...modules]));
}

/** Bundles what is published at each change until the process ends. Resolves after the first time. */
export function watchBundle() {
  const watcher = watch(PUBLISHED);
  return new Promise((resolve) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(event.error.message);
      if (event.code === 'END') resolve(undefined);
    });
  });
}

/**
 * @param {string[]} entries paths without extension
 * @param {import('rolldown').OutputOptions} output
 * @returns {import('rolldown').BuildOptions & { output: import('rolldown').OutputOptions }}
 */
function bundleOf(entries, output) {
  return {
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
    platform: 'node',
    checks: {
      // On a slow machine it warns that the build took long.
      bundlerTimings: false,
      // Of what is imported on demand, some is in a chunk that is loaded anyway.
      ineffectiveDynamicImport: false,
    },
    external: (id) => EXTERNAL.some((name) => id === name || id.startsWith(`${name}/`)),
    output: { dir: 'dist', sourcemap: true, sourcemapExcludeSources: true, ...output },
  };
}

/**
 * Chunks have names without a hash: a running server finds a chunk that it loads later under the same name.
 * @param {string} chunks folder in dist/
 * @returns {import('rolldown').OutputOptions}
 */
function esModules(chunks) {
  return { entryFileNames: '[name].js', chunkFileNames: `${chunks}/[name].js` };
}

/** @returns {import('rolldown').OutputOptions} */
function commonJs() {
  return {
    format: 'cjs',
    // The packages outside are CommonJS too.
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'cli/chunks/[name].cjs',
  };
}

const PUBLISHED = [bundleOf(PACKAGE, esModules('chunks')), bundleOf(COMMAND, commonJs())];
