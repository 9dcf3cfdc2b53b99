// Compiles at each change, restarts the server and bundles the dashboard's page: `npm run dev`.
import { spawn } from 'node:child_process';
import { buildPage } from '../server/dashboard/page/build-page.mjs';

const compiler = spawn(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  { stdio: 'inherit' },
);
const server = spawn(process.execPath, ['--watch', 'dist/cli/main.js', 'up'], { stdio: 'inherit' });

await buildPage({ watch: true });

for (const child of [compiler, server]) {
  child.once('exit', (code) => {
    compiler.kill();
    server.kill();
    process.exitCode = code ?? 0;
  });
}
