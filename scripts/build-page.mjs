// Bundles the pages of the dashboard and of the API reference, and the script of the documents, into dist/. Prints
// warnings and errors only.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { modulesIn } from './bundled-licences.mjs';

const root = fileURLToPath(new URL('../server/dashboard/page/', import.meta.url));
const outDir = fileURLToPath(new URL('../dist/server/dashboard/page', import.meta.url));

// The first browsers that support light-dark(), which the style sheets use.
const BROWSERS = ['chrome123', 'firefox121', 'safari17.5'];

/**
 * Returns the ids of the modules in the bundle; none when it watches.
 * @param {{ watch?: boolean }} options with `watch`, builds again at each change until the process ends
 */
export async function buildPage({ watch = false } = {}) {
  const common = {
    configFile: /** @type {const} */ (false),
    root,
    logLevel: /** @type {const} */ ('warn'),
    publicDir: /** @type {const} */ (false),
  };
  const pages = await build({
    ...common,
    base: './',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: BROWSERS,
      cssTarget: BROWSERS,
      // Chunks of several pages are loaded with the script that imports them.
      modulePreload: { polyfill: false },
      // No data URLs: the page's content security policy allows files of its own origin only.
      assetsInlineLimit: 0,
      watch: watch ? {} : null,
      // On a slow machine it warns that the build took long.
      rolldownOptions: {
        input: ['index.html', 'reference.html', 'recordings.html'].map((name) => root + name),
        checks: { bundlerTimings: false },
      },
    },
  });
  const guide = await build({
    ...common,
    build: {
      outDir,
      emptyOutDir: false,
      target: BROWSERS,
      watch: watch ? {} : null,
      rolldownOptions: {
        input: `${root}guide/main.ts`,
        output: { entryFileNames: 'guide.js' },
        checks: { bundlerTimings: false },
      },
    },
  });
  return [pages, guide].flatMap((built) => ('output' in built ? modulesIn(built.output) : []));
}
