import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cloneRepository } from './fresh-clone.ts';
import { runProgram } from '../kit/run-program.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const LIMIT_MS = 600_000;

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

/** Each kind, also a property of a resource that was written before, and an event that follows no `.updated`. */
const LINES = [
  ['resource', 'gift-card'],
  ['property', 'gift-card', 'colour'],
  ['property', 'terminal', 'tillNumber'],
  ['event', 'Customer.renamed', '--after', 'Customer.updated'],
  ['event', 'Terminal.moved', '--after', 'Terminal.action_updated'],
  ['card', 'visa-staff'],
  ['card', 'visa-lost', '--declines', 'pickup_card'],
  ['driver', 'acme-tap'],
  ['command', 'stock'],
];

test(
  'npm run new: what it writes for each kind has correct types and format, and passes its own tests and those of the check',
  async () => {
    const root = await cloneRepository(fixture);
    symlinkSync(MODULES, join(root, 'node_modules'));
    const run = async (...words: string[]) => {
      const { code, output } = await runProgram('npx', words, { cwd: root, limitMs: LIMIT_MS });
      expect(code, output).toBe(0);
      return output;
    };
    const tests: string[] = [];
    const sources: string[] = [];
    for (const line of LINES) {
      const output = await run('node', 'scripts/new.mjs', ...line, '--no-docs');
      const created = [...output.matchAll(/^created (\S+)$/gm)].map(([, path]) => path!);
      sources.push(...created.filter((path) => path.endsWith('.ts')));
      const own = created.filter((path) => path.endsWith('.test.ts'));
      expect(own.length, line.join(' ')).toBeGreaterThan(0);
      tests.push(...own);
    }
    await run('npm', 'run', 'docs');
    expect(readFileSync(join(root, 'docs/openapi.json'), 'utf8')).toContain('"/v1/gift-cards/{id}"');
    await run('tsc', '--noEmit');
    await run('oxlint', '--deny-warnings', ...sources);
    await run('prettier', '--check', ...sources, 'docs');
    const checked = ['test/architecture', 'test/cli/commands/docs.test.ts'];
    await run('vitest', 'run', '--project', 'unit', ...checked, ...tests);
  },
  LIMIT_MS,
);
