// @ts-check
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, watch } from 'rolldown';
import { bundledLicences } from './bundled-licences.mjs';

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

/** What the package has: the command and its two exports. One bundle, so that they share modules and classes. */
const PACKAGE = ['cli/main', 'test/kit/user-world', 'test/kit/reporter/reporter'];

/** What only this project runs, in a bundle of its own. */
const TOOLS = [
  'test/kit/issue-cards',
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
  await Promise.all([build(packageInput(pageModules)), build(inputOf(TOOLS, 'bench/chunks'))]);
}

/** Bundles at each change until the process ends. Resolves after the first time. */
export function watchBundle() {
  const watcher = watch(packageInput());
  return new Promise((resolve) => {
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(event.error.message);
      if (event.code === 'END') resolve(undefined);
    });
  });
}

/** @param {readonly string[]} [pageModules] */
function packageInput(pageModules) {
  return { ...inputOf(PACKAGE, 'chunks'), plugins: [bundledLicences('licences.txt', pageModules)] };
}

/**
 * @param {string[]} entries paths without extension
 * @param {string} chunks folder in dist/
 * @returns {import('rolldown').BuildOptions}
 */
function inputOf(entries, chunks) {
  return {
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, `${entry}.ts`])),
    platform: 'node',
    // On a slow machine it warns that the build took long.
    checks: { bundlerTimings: false },
    external: (id) => EXTERNAL.some((name) => id === name || id.startsWith(`${name}/`)),
    output: {
      dir: 'dist',
      entryFileNames: '[name].js',
      // Without a hash: a running server finds a chunk that it loads later under the same name.
      chunkFileNames: `${chunks}/[name].js`,
      sourcemap: true,
      sourcemapExcludeSources: true,
    },
  };
}
