// Checks the machines of terminal and server together: `npm run model-check -- [options]`. Bundles the check beside
// node_modules and runs it.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = `${root}node_modules/.cache/model-check/main.mjs`;

await build({
  cwd: root,
  input: 'test/model-check/main.ts',
  platform: 'node',
  checks: { bundlerTimings: false },
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.includes('model-check'),
  output: { file, codeSplitting: false },
  logLevel: 'silent',
});
await import(pathToFileURL(file).href);
