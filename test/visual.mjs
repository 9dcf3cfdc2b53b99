// Runs the unit tests in sight: `npm run test:visual -- [--pace <ms per step>] [--no-open] [files and options of vitest]`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const USUAL_PACE_MS = 400;
const words = process.argv.slice(2);
let pace = process.env.TAPBENCH_PACE ?? String(USUAL_PACE_MS);
let open = process.stdout.isTTY ? 'on' : 'off';
const rest = [];
for (let word = words.shift(); word !== undefined; word = words.shift()) {
  if (word === '--pace') pace = words.shift() ?? '';
  else if (word.startsWith('--pace=')) pace = word.slice('--pace='.length);
  else if (word === '--no-open') open = 'off';
  else rest.push(word);
}
if (!/^\d{1,5}$/.test(pace)) {
  console.error(`--pace must be whole milliseconds, not '${pace}'`);
  process.exit(1);
}

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const reporter = fileURLToPath(new URL('kit/reporter/reporter.ts', import.meta.url));
// One file at a time, so that there is one world to be followed.
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
// Control-C reaches it too; it says what there is to say.
process.on('SIGINT', () => {});
