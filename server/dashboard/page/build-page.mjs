// Bundles the dashboard's page into dist/, without a word unless something is wrong.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../../../dist/server/dashboard/page', import.meta.url));

/** @param {{ watch?: boolean }} options with `watch`, builds again at each change until the process ends */
export async function buildPage({ watch = false } = {}) {
  await build({
    configFile: false,
    root,
    base: './',
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      // The compiler writes there too, for commands that share modules with the page.
      emptyOutDir: !watch,
      // The first browsers with light-dark(), which the colours are written in.
      target: ['chrome123', 'firefox121', 'safari17.5'],
      cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
      modulePreload: false,
      // Everything is a file of its own, as the content security policy of the page wants it.
      assetsInlineLimit: 0,
      watch: watch ? {} : null,
    },
  });
}
