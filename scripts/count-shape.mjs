// @ts-check
// Counts what shows whether the sources keep their shape, prints a table, and fails when a number is over its limit:
// then fold, delete or declare, instead of raising the limit. Lower a limit when its count has fallen well below it.
// With --list it also prints the short files.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { LAYERS } from './layers.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PRODUCT = ['protocol', 'agent', 'simulator', 'server', 'world', 'testing', 'cli'];
const SHORT_LINES = 40;

/** Words of ours that a reader cannot know: each has a row in the glossary, or is in no name. */
const OWN_WORDS = (
  'strike lane subject follower image exchange traffic notice recorder recording ' +
  'span play verdict surround surrounding rest way say look'
).split(' ');
/** The rest of a list, as JavaScript calls it. */
const REST_OF_LIST = /^[rR]est$/;

/** @typedef {{ path: string, text: string, lines: number, program: object, imports: string[] }} Source */

/**
 * Reads the sources in a folder, and in its folders.
 * @param {string} folder
 * @param {RegExp} names
 * @returns {Source[]}
 */
function sourcesIn(folder, names = /(?<!\.d)\.tsx?$/) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => names.test(path))
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

/**
 * The imports that lead from a lower layer to a higher one, those of types included.
 * @param {readonly Source[]} sources
 */
function arrowsUp(sources) {
  const layerOf = (/** @type {string} */ path) => {
    const rank = LAYERS.findIndex((layer) => path.startsWith(layer));
    if (rank < 0) throw new Error(`${path} is in no layer: name its folder in scripts/layers.mjs`);
    return rank;
  };
  return sources.flatMap(({ path, imports }) =>
    imports.filter((target) => layerOf(target) > layerOf(path)).map((target) => `${path} imports ${target}`),
  );
}

/**
 * Adds the names under a node of the syntax tree.
 * @param {unknown} node
 * @param {Set<string>} names
 */
function addNames(node, names) {
  if (typeof node !== 'object' || node === null) return;
  const { type, name } = /** @type {any} */ (node);
  if ((type === 'Identifier' || type === 'PrivateIdentifier') && !REST_OF_LIST.test(name)) names.add(name);
  for (const child of Object.values(node)) addNames(child, names);
}

/** The words of a name: `lookAgain` and `LOOK_AGAIN` are `look` and `again`. @param {string} name */
const wordsOf = (name) =>
  name.split(/_|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).map((word) => word.toLowerCase());

/**
 * The own words that are in names of the sources and not in the glossary.
 * @param {readonly Source[]} sources
 */
function unexplainedWords(sources) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const { program } of sources) addNames(program, names);
  const used = new Set([...names].flatMap(wordsOf));
  const glossary = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');
  const explained = new Set([...glossary.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, word]) => word));
  return OWN_WORDS.filter((word) => !explained.has(word) && (used.has(word) || used.has(`${word}s`)));
}

/** @param {readonly Source[]} sources @param {RegExp} pattern */
const matches = (sources, pattern) => sources.flatMap(({ text }) => [...text.matchAll(pattern)]).length;

/** @param {readonly { lines: number }[]} sources */
function medianLines(sources) {
  const sorted = sources.map(({ lines }) => lines).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const product = PRODUCT.flatMap((folder) => sourcesIn(folder));
const sources = [...product, ...sourcesIn('bench')];
const short = splinters(sources);
const upward = arrowsUp([...sources, ...PRODUCT.flatMap((folder) => sourcesIn(folder, /\.mjs$/))]);
const unexplained = unexplainedWords(product);
const records = product.filter(({ path }) => /^server\/api\/.*\.records\.ts$/.test(path));

/** What is counted, the number, and the most that it may be; without a limit it is only shown. */
const ROWS = /** @type {[string, number, number?][]} */ ([
  [`files of ${SHORT_LINES} lines or fewer that one file imports, in their folder`, short.length, 18],
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
    389,
  ],
  ['imports that run from a lower layer to a higher one', upward.length, 0],
  ['own words in names that the glossary does not explain', unexplained.length, 0],
]);

const width = Math.max(...ROWS.map(([what]) => what.length));
for (const [what, count, most] of ROWS)
  console.log(
    `${what.padEnd(width)}  ${String(count).padStart(6)}${most === undefined ? '' : `  at most ${most}`}`,
  );
if (process.argv.includes('--list')) for (const { path, lines } of short) console.log(`${lines}\t${path}`);

for (const what of [...upward, ...unexplained.map((word) => `own word: ${word}`)]) console.error(what);
const over = ROWS.filter(([, count, most]) => most !== undefined && count > most);
for (const [what, count, most] of over)
  console.error(`count-shape: ${count} ${what}, and ${most} are the limit`);
process.exit(over.length > 0 ? 1 : 0);
