// Bundles the page of test reports into one script and one style sheet, which each report includes.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { modulesIn } from '../../../../scripts/bundled-licences.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const outDir = fileURLToPath(new URL('../../../../dist/test/kit/reporter/page', import.meta.url));

/** Returns the ids of the modules in the bundle. */
export async function buildReportPage() {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
      cssCodeSplit: false,
      rolldownOptions: {
        // On a slow machine it warns that the build took long.
        checks: { bundlerTimings: false },
        input: fileURLToPath(new URL('main.tsx', import.meta.url)),
        output: { format: 'iife', entryFileNames: 'report.js', assetFileNames: 'report[extname]' },
      },
    },
  });
  return 'output' in built ? modulesIn(built.output) : [];
}
