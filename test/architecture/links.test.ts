import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, linksOf } from './markdown.ts';

const ROOT = join(import.meta.dirname, '../..');
const NOT_OURS = /(^|\/)(node_modules|dist|\.git)(\/|$)/;

/** Every Markdown file of the project, by its path from the root. */
function documents(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (NOT_OURS.test(path)) return [];
    if (entry.isDirectory()) return documents(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** What is wrong with a link of a document; undefined when it leads somewhere, or to another site. */
function problemOf(document: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? document : posix.join(posix.dirname(document), decodeURIComponent(file));
  const path = join(ROOT, target);
  if (target.startsWith('..') || !existsSync(path)) return `${document}: ${link} leads to no file`;
  if (anchor === undefined) return undefined;
  if (statSync(path).isDirectory() || !target.endsWith('.md')) return `${document}: ${link} has no headings`;
  if (anchorsOf(readFileSync(path, 'utf8')).has(anchor)) return undefined;
  return `${document}: ${link} leads to no heading`;
}

const links = documents().flatMap((document) =>
  linksOf(readFileSync(join(ROOT, document), 'utf8')).map((link) => ({ document, link })),
);

test('documents: every relative link and anchor leads to a file or heading', () => {
  const problems = links.map(({ document, link }) => problemOf(document, link)).filter(Boolean);
  expect(problems).toEqual([]);
});

test('README.md: links to every page of docs/', () => {
  const reached = new Set(['README.md']);
  // A page may be reached through another; the set grows while it is walked.
  for (const document of reached) {
    for (const { link } of links.filter((each) => each.document === document)) {
      if (/^[a-z]+:/.test(link)) continue;
      const target = posix.join(posix.dirname(document), link.split('#')[0]!);
      if (target.endsWith('.md')) reached.add(target);
    }
  }
  expect(documents('docs').filter((page) => !reached.has(page))).toEqual([]);
});

test('documents: every source file that ARCHITECTURE.md and docs/contributing name exists', () => {
  // The worked example names files that it adds.
  const pages = documents('docs/contributing').filter((page) => !page.endsWith('/a-resource.md'));
  const text = ['ARCHITECTURE.md', ...pages].map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n');
  const named = [
    ...text.matchAll(/`((?:server|agent|protocol|simulator|world|testing|cli|test|bench)\/[\w./-]+)`/g),
  ].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter((path) => !path.includes('NAME') && !existsSync(join(ROOT, path)));
  expect(missing).toEqual([]);
});
