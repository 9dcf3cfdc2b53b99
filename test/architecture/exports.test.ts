import { expect, test } from 'vitest';
import { readSources } from './source-tree.ts';

const SOURCES = readSources([
  'protocol',
  'agent',
  'simulator',
  'server',
  'world',
  'testing',
  'cli',
  'bench',
  'test',
]);

/** What others than the project's own files import: the package's entries, and what the command and vitest load by its path. */
const ENTRIES = [
  'cli/process-main.ts',
  'testing/world/user-world.ts',
  'testing/hunt/hunt.ts',
  'testing/reporter/reporter.ts',
  'test/system/report-suite/odd-config.ts',
  'test/system/hunt-suite/hunt-config.ts',
];

/** Types that no file imports by name, and the declaration files of others write out (TypeScript's error 4023). */
const INFERRED = ['cli/command-line/command.ts Parameter', 'protocol/machine-step.ts Step'];

test('exports: every export is imported by another file', () => {
  const used = new Set(
    SOURCES.flatMap(({ uses }) => uses.map(({ path, name }) => `${path} ${name}`)).concat(INFERRED),
  );
  const unused = SOURCES.filter(({ path }) => !ENTRIES.includes(path) && !used.has(`${path} *`)).flatMap(
    ({ path, exports }) => exports.map((name) => `${path} ${name}`).filter((each) => !used.has(each)),
  );
  expect(
    unused,
    'no file imports these: add their row to the list of their kind, or make them private or delete them',
  ).toEqual([]);
});
