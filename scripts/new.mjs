// @ts-check
// npm run new -- KIND NAME: writes the files of a new resource, property, event type, card, driver or command, with their tests.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openChanges } from './new/changes.mjs';
import { addNew, helpFor } from './new/kinds.mjs';
import { UsageError } from './new/names.mjs';

const ROOT = join(import.meta.dirname, '..');

function main() {
  const words = process.argv.slice(2);
  const help = helpFor(words);
  if (help !== undefined) return console.log(help);
  const changes = openChanges(ROOT);
  const { next, docs } = addNew(changes, words);
  const { created, changed } = changes.save();
  run('npx', ['prettier', '--log-level=warn', '--write', ...created, ...changed]);
  for (const path of created) console.log(`created ${path}`);
  for (const path of changed) console.log(`changed ${path}`);
  if (docs) run('npm', ['run', '--silent', 'docs']);
  console.log(`\nNow:\n${next.map((line) => `- ${line}`).join('\n')}`);
  console.log(docs ? '- npm run check' : '- npm run docs, then npm run check');
  const tests = created.filter((path) => path.endsWith('.test.ts'));
  console.log(`- npx vitest run --project unit ${tests.join(' ')}`);
}

/** @param {string} command @param {string[]} words */
function run(command, words) {
  const { status } = spawnSync(command, words, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new UsageError(`'${command} ${words.slice(0, 3).join(' ')}' failed, see above`);
}

try {
  main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
