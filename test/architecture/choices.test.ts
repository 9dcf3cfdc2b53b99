import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from './source-tree.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = readdirSync(join(ROOT, 'docs/choices')).map((name) => ({
  name,
  text: readFileSync(join(ROOT, 'docs/choices', name), 'utf8'),
}));
const CHOICES = PAGES.flatMap(({ text }) => [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name!));

/** `docs/choices.md, Magic amounts`, also where a comment continues on the next line. */
const CITATION = /docs\/choices\.md,\s+(?:(?:\*|\/\/)\s+)?([^\n]+)(?:\n\s*(?:\*|\/\/)?\s*([^\n]*))?/g;

test('choices: each one that a source cites is on a page of docs/choices', () => {
  const folders = [
    'protocol',
    'agent',
    'simulator',
    'server',
    'world',
    'testing',
    'cli',
    'test',
    'bench',
    'examples',
  ];
  const unknown = readSources(folders)
    .filter(({ path }) => path !== 'test/architecture/choices.test.ts')
    .flatMap(({ path, text }) =>
      [...text.matchAll(CITATION)]
        .map(([, line, next = '']) => `${line} ${next}`)
        .filter((cited) => !CHOICES.some((name) => cited.startsWith(name)))
        .map((cited) => `${path}: ${cited}`),
    );
  expect(unknown).toEqual([]);
});

test('choices: each is listed once in docs/choices.md', () => {
  const index = readFileSync(join(ROOT, 'docs/choices.md'), 'utf8');
  const listed = [...index.matchAll(/^- \[(.+?)\]/gm)].map(([, name]) => name);
  expect(
    listed.sort(),
    'docs/choices.md lists other choices than the headings of docs/choices: change its list',
  ).toEqual(CHOICES.sort());
  expect(new Set(CHOICES).size).toBe(CHOICES.length);
});

test('choices: each file that a choice names exists', () => {
  const missing = PAGES.flatMap(({ name, text }) =>
    [...text.matchAll(/^Code: ([^#]+?)(?:\n\n|$)/gm)]
      .flatMap(([, paths]) => [...paths!.matchAll(/`([^`*]+)`/g)].map(([, path]) => path!))
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${name}: ${path}`),
  );
  expect(missing).toEqual([]);
});
