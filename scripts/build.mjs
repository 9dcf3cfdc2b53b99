// Bundles the pages, the command and the exports to dist/ and makes the command executable. Run by npm after an install
// from source. With --if-stale it builds only when a source is newer than dist/: each first `npx tapbench`, which runs
// the `prepare` script of a clone. `npm run check` checks the types, which the build does not.
import { chmodSync, existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beginBuild, isStale } from './freshness.mjs';
import { linkCommand } from './link-command.mjs';
import { requireSupportedNode } from '../cli/process/supported-node.mjs';

requireSupportedNode();

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const isBuilt = existsSync(command);
const ifStale = process.argv.includes('--if-stale');

if (!existsSync(compiler)) {
  // An image without the development dependencies keeps what was built before.
  if (!isBuilt) fail('tapbench: dist/ is not built, and the compiler is not installed: run `npm ci` first');
} else {
  if (!ifStale || isStale(root)) await build();
  const linked = await linkCommand(root, { platform: process.platform, npm: process.env.npm_execpath });
  if (!linked) console.error('tapbench: node_modules/.bin/tapbench is made when npm runs the build');
}

async function build() {
  if (ifStale && isBuilt) console.error('tapbench: sources are newer than dist/, building');
  const complete = beginBuild(root, Date.now());
  const declarations = writeDeclarations();
  const { buildPage } = await import('./build-page.mjs');
  const ofPage = await buildPage();
  const { buildOfflinePage } = await import('./build-offline-page.mjs');
  const ofReportPage = await buildOfflinePage('testing/reporter/page/main.tsx', 'testing/reporter/page');
  const ofTracePage = await buildOfflinePage(
    'server/dashboard/page/trace/main.tsx',
    'server/dashboard/trace-page',
  );
  const ofDrillPage = await buildOfflinePage(
    'server/dashboard/page/drills/shared-drill.tsx',
    'server/dashboard/drill-page',
  );
  const { bundle } = await import('./bundle.mjs');
  await bundle([...ofPage, ...ofReportPage, ...ofTracePage, ...ofDrillPage]);
  const { buildLayouts } = await import('./build-layouts.mjs');
  await buildLayouts();
  await declarations;
  // A bundler writes files without the run bit, and npx of npm 10 then says "Permission denied".
  chmodSync(command, 0o755);
  complete();
}

/** Writes the types of the exports, in a process of its own, since the compiler has no JavaScript interface. */
async function writeDeclarations() {
  const child = spawn(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
    cwd: root,
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) process.exit(status ?? 1);
}

function fail(line) {
  console.error(line);
  process.exit(1);
}
