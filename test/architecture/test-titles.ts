import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

const ROOT = join(import.meta.dirname, '..');

interface Node {
  type: string;
  [member: string]: unknown;
}

/** The titles of the tests of a file under `test/`, as they are written; none when there is no such file. */
export function testTitles(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return [];
  }
  const titles: string[] = [];
  walk(parseSync(path, text).program as unknown as Node, (node) => {
    if (node.type !== 'CallExpression' || rootOf(node['callee'] as Node) !== 'test') return;
    const title = textOf((node['arguments'] as Node[])[0]);
    if (title !== undefined) titles.push(title);
  });
  return titles;
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) return value.forEach((item) => walk(item, visit));
  if (typeof value !== 'object' || value === null) return;
  if (typeof (value as Node).type === 'string') visit(value as Node);
  Object.values(value).forEach((member) => walk(member, visit));
}

/** `test` of `test(...)`, `test.each(...)(...)`, `test.prop(...)(...)`. */
function rootOf(callee: Node): unknown {
  if (callee.type === 'Identifier') return callee['name'];
  if (callee.type === 'MemberExpression') return rootOf(callee['object'] as Node);
  return callee.type === 'CallExpression' ? rootOf(callee['callee'] as Node) : undefined;
}

function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  const quasis = node?.type === 'TemplateLiteral' ? (node['quasis'] as { value: { cooked: string } }[]) : [];
  return quasis.length === 1 ? quasis[0]!.value.cooked : undefined;
}
