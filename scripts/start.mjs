// `npm start`: runs `tapbench up`, after a build when a source is newer than dist/. One process, since each takes time
// to start.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isStale } from './freshness.mjs';
import { requireSupportedNode } from '../cli/process/supported-node.mjs';

requireSupportedNode();

if (isStale(fileURLToPath(new URL('..', import.meta.url)))) {
  const build = fileURLToPath(new URL('build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
process.argv.splice(2, 0, 'up');
await import(new URL('../dist/cli/main.js', import.meta.url).href);
