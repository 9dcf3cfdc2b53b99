import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

const TESTS = join(import.meta.dirname, '../..');

interface Node {
  type: string;
  [member: string]: unknown;
}

/** The files under `test/`, such as `journeys/payment.test.ts`, whose tests have each tag. */
export function filesByTag(): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const path of readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!path.endsWith('.test.ts')) continue;
    const file = path.split(sep).join(posix.sep);
    for (const tag of tagsIn(file, readFileSync(join(TESTS, path), 'utf8')))
      files.set(tag, [...(files.get(tag) ?? []), file]);
  }
  return files;
}

/**
 * The tags in the options of the tests of a file: `test('title', { tags: ['spec:4.1/window'] }, ...)`.
 *
 * @throws when tags are not written as a list of literal strings, which nothing could collect
 */
export function tagsIn(file: string, text: string): Set<string> {
  const tags = new Set<string>();
  if (!text.includes('tags')) return tags;
  walk(parseSync(file, text).program, (node) => {
    if (node.type !== 'CallExpression' || rootOf(node['callee'] as Node) !== 'test') return;
    const options = (node['arguments'] as Node[])[1];
    if (options?.type !== 'ObjectExpression') return;
    for (const { key, value } of options['properties'] as { key?: Node; value?: Node }[]) {
      if (key?.['name'] !== 'tags') continue;
      for (const tag of (value?.['elements'] as Node[] | undefined) ?? [undefined]) {
        if (typeof tag?.['value'] !== 'string')
          throw new Error(`${file}: tags are a list of literal strings`);
        tags.add(tag['value']);
      }
    }
  });
  return tags;
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) return value.forEach((item) => walk(item, visit));
  if (typeof value !== 'object' || value === null) return;
  if (typeof (value as Node).type === 'string') visit(value as Node);
  Object.values(value).forEach((member) => walk(member, visit));
}

/** `test` of `test(...)`, `test.each(...)(...)`, `test.for(...)(...)`. */
function rootOf(callee: Node): unknown {
  if (callee.type === 'Identifier') return callee['name'];
  if (callee.type === 'MemberExpression') return rootOf(callee['object'] as Node);
  return callee.type === 'CallExpression' ? rootOf(callee['callee'] as Node) : undefined;
}
