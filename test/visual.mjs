// Runs the unit tests with the live page: `npm run test:visual -- [--pace <ms per step>] [--no-open] [files and options of vitest]`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const DEFAULT_PACE_MS = 400;
const args = process.argv.slice(2);
let pace = process.env.TAPBENCH_PACE ?? String(DEFAULT_PACE_MS);
let open = process.stdout.isTTY ? 'on' : 'off';
const rest = [];
for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
  if (arg === '--pace') pace = args.shift() ?? '';
  else if (arg.startsWith('--pace=')) pace = arg.slice('--pace='.length);
  else if (arg === '--no-open') open = 'off';
  else rest.push(arg);
}
if (!/^\d{1,5}$/.test(pace)) {
  console.error(`--pace must be whole milliseconds, not '${pace}'`);
  process.exit(1);
}

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const reporter = fileURLToPath(new URL('../testing/reporter/reporter.ts', import.meta.url));
// One file at a time, so that the page follows one world.
const line = [
  'run',
  '--project',
  'unit',
  '--no-file-parallelism',
  '--reporter=default',
  `--reporter=${reporter}`,
];
const child = spawn(process.execPath, [vitest, ...line, ...rest], {
  stdio: 'inherit',
  env: { ...process.env, TAPBENCH_PACE: pace, TAPBENCH_OPEN: open },
});
child.once('exit', (code) => (process.exitCode = code ?? 1));
// Ctrl-C also reaches vitest, which reports the interruption.
process.on('SIGINT', () => {});
