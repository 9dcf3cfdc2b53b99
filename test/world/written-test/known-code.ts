import { parseSync } from 'oxc-parser';

interface Node {
  type: string;
  start: number;
  [member: string]: unknown;
}

/** The calls that a written test makes, with the kinds of its variables in place of their names. */
const CALLS = new Set([
  'test',
  'startWorld',
  'onTestFinished',
  'expect',
  'expect().toMatchObject',
  'world.close',
  'world.settled',
  'world.advance',
  'world.tillOf',
  'world.openTill',
  'till.reaches',
  'till.terminal.perform',
  'client.withKey',
  'client.as',
  'client.withKey().as',
  ...['get', 'post', 'patch', 'delete', 'raw'].map((name) => `client.${name}`),
  'form.set',
  'JSON.stringify',
]);

/** What the value of a variable is, by the code that it begins with. */
const KINDS: [RegExp, string][] = [
  [/^await startWorld$/, 'world'],
  [/^new URL$/, 'url'],
  [/^new FormData$/, 'form'],
  [/^(?:world\.tillOf|await world\.openTill)$/, 'till'],
  [/^await client\.(?:get|post|patch|delete|raw)$/, 'reply'],
  [/^client\.(?:withKey|as|withKey\(\)\.as)$/, 'client'],
  [/^JSON\.stringify$/, 'text'],
];

const GLOBALS = [
  'test',
  'startWorld',
  'onTestFinished',
  'expect',
  'JSON',
  'URL',
  'FormData',
  'File',
  'Uint8Array',
  'undefined',
];
const CLASSES = ['URL', 'FormData', 'File', 'Uint8Array'];

/** Returns what a text has that no written test has, in words: errors of syntax, and code that the writer does not write. */
export function unknownCode(text: string): string[] {
  const { program, errors } = parseSync('written.test.ts', text);
  if (errors.length > 0) return errors.map(({ message }) => message);
  const problems: string[] = [];
  const kinds = new Map(GLOBALS.map((name) => [name, name]));
  let functions = 0;

  /** Returns what a callee or a class is, with kinds in place of names. */
  function described(node: Node): string {
    if (node.type === 'Identifier')
      return kinds.get(node['name'] as string) ?? `unknown ${String(node['name'])}`;
    if (node.type === 'MemberExpression' && !node['computed'])
      return `${described(node['object'] as Node)}.${(node['property'] as { name: string }).name}`;
    if (node.type === 'CallExpression') return `${described(node['callee'] as Node)}()`;
    return node.type;
  }

  function beginning(node: Node): string {
    if (node.type === 'AwaitExpression') return `await ${beginning(node['argument'] as Node)}`;
    if (node.type === 'NewExpression') return `new ${described(node['callee'] as Node)}`;
    return node.type === 'CallExpression' ? described(node['callee'] as Node) : node.type;
  }

  function declare({ id, init }: { id: Node; init: Node }): void {
    const names =
      id.type === 'ObjectPattern'
        ? (id['properties'] as { key: { name: string } }[]).map(({ key }) => key.name)
        : [id['name'] as string];
    const begins = beginning(init);
    const kind =
      id.type === 'ObjectPattern' ? 'client' : KINDS.find(([pattern]) => pattern.test(begins))?.[1];
    for (const name of names) {
      if (kinds.has(name)) problems.push(`${name} is declared twice`);
      kinds.set(name, kind ?? (init.type === 'Literal' ? 'text' : 'unknown'));
    }
  }

  const rules: Record<string, (node: Node) => void> = {
    CallExpression(node) {
      const callee = described(node['callee'] as Node);
      if (!CALLS.has(callee)) problems.push(`calls ${callee}`);
    },
    NewExpression(node) {
      const callee = described(node['callee'] as Node);
      if (!CLASSES.includes(callee)) problems.push(`creates ${callee}`);
    },
    Identifier(node) {
      if (!kinds.has(node['name'] as string)) problems.push(`reads ${String(node['name'])}`);
    },
    TemplateLiteral(node) {
      for (const inner of node['expressions'] as Node[])
        if (!/^(?:text|reply\b.*)$/.test(rootOf(inner))) problems.push(`interpolates ${described(inner)}`);
    },
    ArrowFunctionExpression() {
      functions += 1;
    },
    VariableDeclaration(node) {
      if (node['kind'] !== 'const') problems.push(`declares ${String(node['kind'])}`);
    },
    Literal(node) {
      if (node['regex'] || node['bigint']) problems.push('has another literal than of JSON');
    },
    UnaryExpression(node) {
      if (node['operator'] !== '-' || (node['argument'] as Node).type !== 'Literal')
        problems.push('computes');
    },
    ImportDeclaration(node) {
      const { value } = node['source'] as { value: string };
      if (!['vitest', 'tapbench/world'].includes(value)) problems.push(`imports ${value}`);
    },
  };

  function rootOf(node: Node): string {
    return node.type === 'MemberExpression' ? rootOf(node['object'] as Node) : described(node);
  }

  function visit(node: Node): void {
    if (!rules[node.type] && !PLAIN.has(node.type)) problems.push(`has ${node.type}`);
    rules[node.type]?.(node);
    if (node.type === 'VariableDeclarator') {
      visit(node['init'] as Node);
      declare(node as unknown as { id: Node; init: Node });
      return;
    }
    for (const [name, inner] of Object.entries(node)) {
      const isName = (name === 'property' || name === 'key') && !node['computed'];
      const isImported = node.type === 'ImportSpecifier' || node.type === 'MetaProperty';
      if (isName || isImported) continue;
      for (const each of Array.isArray(inner) ? inner : [inner]) if (isNode(each)) visit(each);
    }
  }

  visit(program as unknown as Node);
  if (functions !== 2) problems.push(`has ${functions} functions`);
  return problems;
}

/** Kinds of nodes of which any may be there. */
const PLAIN = new Set([
  'Program',
  'ImportSpecifier',
  'VariableDeclarator',
  'ExpressionStatement',
  'AwaitExpression',
  'BlockStatement',
  'TemplateElement',
  'MemberExpression',
  'MetaProperty',
  'ObjectExpression',
  'Property',
  'ArrayExpression',
]);

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}
