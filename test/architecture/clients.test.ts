import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import file from '../../clients/scenarios.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const { scenarios } = file;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Step {
  do: string;
  steps?: Step[];
}

const stepsOf = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => [step, ...stepsOf(step.steps ?? [])]);

test('clients: their version is that of the package', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(read('clients/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
  expect(JSON.parse(read('clients/php/composer.json'))).toMatchObject({ version });
  expect(read('clients/java/pom.xml')).toContain(`\n  <version>${version}</version>\n`);
  expect(read('docs/testing-java.md')).toContain(
    `<artifactId>tapbench-junit</artifactId>\n      <version>${version}</version>`,
  );
});

test('clients: the package of npm does not include them', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] };
  expect(files.filter((entry) => /clients|^\.?\/?$|\*/.test(entry) && !entry.startsWith('!'))).toEqual([]);
});

test('scenarios: at least twenty, each with a name of its own', () => {
  const names = scenarios.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(20);
});

test('scenarios: clients/README.md explains each step, and each is used', () => {
  const used = stepsOf(scenarios.flatMap(({ steps }) => steps as Step[])).map((step) => step.do);
  expect([...new Set(used)].toSorted()).toEqual([...explained().keys()].toSorted());
});

test('scenarios: clients/README.md explains each member of a step', () => {
  const members = explained();
  const steps = stepsOf(scenarios.flatMap(({ steps: ofScenario }) => ofScenario as Step[]));
  const unknown = steps.flatMap((step) =>
    Object.keys(step).filter((member) => member !== 'do' && !members.get(step.do)?.includes(member)),
  );
  expect(unknown).toEqual([]);
});

/** Returns the members of each step that the table of clients/README.md explains, below its head. */
function explained(): Map<string, string[]> {
  const rows = read('clients/README.md')
    .split('## Scenarios')[1]!
    .matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) +\| (.*?) \|/gm);
  return new Map(
    [...rows]
      .slice(1)
      .flatMap(([, steps, members]) => namesIn(steps!).map((step) => [step, namesIn(members!)] as const)),
  );
}

const namesIn = (cell: string) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!);
