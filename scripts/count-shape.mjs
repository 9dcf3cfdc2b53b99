// @ts-check
// Counts what shows whether the sources keep their shape, prints a table, and fails when a number is over its limit:
// then fold, delete or declare, instead of raising the limit. Lower a limit when its count has fallen well below it.
// With --list it also prints the short files.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PRODUCT = ['protocol', 'agent', 'simulator', 'server', 'world', 'testing', 'cli'];
const SHORT_LINES = 40;

/** @typedef {{ path: string, text: string, lines: number, program: object, imports: string[] }} Source */

/** @param {string} folder @returns {Source[]} */
function sourcesIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
    .map((name) => {
      const path = posix.join(folder, name.replaceAll('\\', '/'));
      const text = readFileSync(join(ROOT, path), 'utf8');
      const { module, program } = parseSync(path, text);
      const requests = [
        ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
        ...module.staticExports.flatMap(({ entries }) =>
          entries.flatMap((entry) => entry.moduleRequest?.value ?? []),
        ),
        ...module.dynamicImports.map(({ moduleRequest }) =>
          text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
        ),
      ];
      const imports = requests
        .filter((request) => request.startsWith('.'))
        .map((request) => posix.join(posix.dirname(path), request));
      return { path, text, lines: text.trimEnd().split('\n').length, program, imports };
    });
}

/** A step of the store's schema is a file of its own, however short it is. */
const MIGRATION = /\/migrations\/\d+-/;

/**
 * The short files with one importer, which is in their folder. Tests do not count as importers.
 * @param {readonly Source[]} sources
 */
function splinters(sources) {
  /** @type {Map<string, Set<string>>} */
  const importers = new Map();
  for (const { path, imports } of sources)
    for (const target of imports) importers.set(target, (importers.get(target) ?? new Set()).add(path));
  return sources.filter(({ path, lines }) => {
    const [importer, ...others] = importers.get(path) ?? [];
    if (MIGRATION.test(path)) return false;
    const isAlone = importer !== undefined && others.length === 0;
    return lines <= SHORT_LINES && isAlone && posix.dirname(importer) === posix.dirname(path);
  });
}

/**
 * The number of casts under a node of the syntax tree, but for `as const`.
 * @param {unknown} node
 * @returns {number}
 */
function castsIn(node) {
  if (typeof node !== 'object' || node === null) return 0;
  const { type, typeAnnotation } = /** @type {any} */ (node);
  const isConst = typeAnnotation?.typeName?.name === 'const';
  const own = type === 'TSAsExpression' && !isConst ? 1 : 0;
  return Object.values(node).reduce((sum, child) => sum + castsIn(child), own);
}

/** @param {readonly Source[]} sources @param {RegExp} pattern */
const matches = (sources, pattern) => sources.flatMap(({ text }) => [...text.matchAll(pattern)]).length;

/** @param {readonly { lines: number }[]} sources */
function medianLines(sources) {
  const sorted = sources.map(({ lines }) => lines).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const product = PRODUCT.flatMap(sourcesIn);
const sources = [...product, ...sourcesIn('bench')];
const short = splinters(sources);
const records = product.filter(({ path }) => /^server\/api\/.*\.records\.ts$/.test(path));

/** What is counted, the number, and the most that it may be; without a limit it is only shown. */
const ROWS = /** @type {[string, number, number?][]} */ ([
  [`files of ${SHORT_LINES} lines or fewer that one file imports, in their folder`, short.length, 90],
  ['source files, with bench/', sources.length],
  ['median lines of a source file', medianLines(sources)],
  ['lines of .records.ts in server/api', records.reduce((sum, { lines }) => sum + lines, 0)],
  [
    '`declare module` for the services of a sandbox',
    matches(product, /^declare module '[^']*services\.ts'/gm),
    0,
  ],
  ['assignments to the services after they are made', matches(product, /\bservices\.\w+ = /g), 0],
  [
    'casts with `as`, besides `as const`',
    product.reduce((sum, { program }) => sum + castsIn(program), 0),
    520,
  ],
]);

const width = Math.max(...ROWS.map(([what]) => what.length));
for (const [what, count, most] of ROWS)
  console.log(
    `${what.padEnd(width)}  ${String(count).padStart(6)}${most === undefined ? '' : `  at most ${most}`}`,
  );
if (process.argv.includes('--list')) for (const { path, lines } of short) console.log(`${lines}\t${path}`);

const over = ROWS.filter(([, count, most]) => most !== undefined && count > most);
for (const [what, count, most] of over)
  console.error(`count-shape: ${count} ${what}, and ${most} are the limit`);
process.exit(over.length > 0 ? 1 : 0);
