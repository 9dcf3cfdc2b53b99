// Bundles the pages, compiles the sources to dist/ and makes the command executable. Run by npm after an install from
// source; an install without the development dependencies has no compiler and needs none, since dist/ is published.
import { chmodSync, existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', import.meta.url));
const command = fileURLToPath(new URL('dist/cli/main.js', import.meta.url));

if (existsSync(compiler)) {
  // First, since their folders are emptied, and hold modules that a command needs too.
  const { buildPage } = await import('./server/dashboard/page/build-page.mjs');
  await buildPage();
  const { buildReportPage } = await import('./test/kit/reporter/page/build-report-page.mjs');
  await buildReportPage();
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  // tsc writes files without the run bit, and npx of npm 10 then says "Permission denied".
  chmodSync(command, 0o755);
}
