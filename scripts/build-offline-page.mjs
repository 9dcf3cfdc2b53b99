// Bundles a page into one script and one style sheet, which each HTML file of it includes.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { modulesIn } from './bundled-licences.mjs';

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * Returns the ids of the modules in the bundle.
 * @param {string} entry the page's first module, from the root of the project
 * @param {string} folder in dist/, where it writes page.js and page.css
 */
export async function buildOfflinePage(entry, folder) {
  const built = await build({
    configFile: false,
    root: dirname(pathOf(entry)),
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: pathOf(`dist/${folder}`),
      emptyOutDir: true,
      target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
      cssCodeSplit: false,
      rolldownOptions: {
        // On a slow machine it warns that the build took long.
        checks: { bundlerTimings: false },
        input: pathOf(entry),
        output: { format: 'iife', entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
      },
    },
  });
  return 'output' in built ? modulesIn(built.output) : [];
}
