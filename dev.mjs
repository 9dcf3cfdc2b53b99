// Compiles at each change and restarts the server: `npm run dev`.
import { spawn } from 'node:child_process';

const compiler = spawn(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  { stdio: 'inherit' },
);
const server = spawn(process.execPath, ['--watch', 'dist/cli/main.js', 'up'], { stdio: 'inherit' });

for (const child of [compiler, server]) {
  child.once('exit', (code) => {
    compiler.kill();
    server.kill();
    process.exitCode = code ?? 0;
  });
}
