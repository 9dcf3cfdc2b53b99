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

const verbsOf = (steps: readonly Step[]): string[] =>
  steps.flatMap((step) => [step.do, ...verbsOf(step.steps ?? [])]);

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
  const explained = [...read('clients/README.md').matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) +\|/gm)]
    .flatMap(([, verbs]) => verbs!.split(', '))
    .map((verb) => verb.replaceAll('`', ''))
    .filter((verb) => verb !== 'do');
  const used = verbsOf(scenarios.flatMap(({ steps }) => steps as Step[]));
  expect([...new Set(used)].toSorted()).toEqual(explained.toSorted());
});
