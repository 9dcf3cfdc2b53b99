// Bundles at each change, restarts the server and reports type errors: `npm run dev`.
import { spawn } from 'node:child_process';
import { buildPage } from './build-page.mjs';
import { removeLayouts } from './build-layouts.mjs';
import { watchBundle } from './bundle.mjs';

const compiler = spawn(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '--noEmit', '--watch', '--preserveWatchOutput'],
  { stdio: 'inherit' },
);
removeLayouts();
await watchBundle();
const server = spawn(process.execPath, ['--watch', 'dist/cli/main.js', 'up'], { stdio: 'inherit' });

await buildPage({ watch: true });

for (const child of [compiler, server]) {
  child.once('exit', (code) => {
    compiler.kill();
    server.kill();
    process.exit(code ?? 0);
  });
}
