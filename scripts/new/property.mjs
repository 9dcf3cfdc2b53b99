// @ts-check
import { addChoice } from './choices.mjs';
import { filled } from './changes.mjs';
import { addMigration } from './migration.mjs';
import { checkName, formsOf, UsageError } from './names.mjs';

const MEMBERS = 'test/architecture/specification/members.ts';
const NULL_CLEARS = 'test/architecture/specification/null-clears.ts';
const PROPERTY_NAME = /^[a-z][a-z0-9]*([A-Z][a-z0-9]*)*$/;
const NAME_MAX = 40;

/**
 * @typedef {object} Resource
 * @property {string} name such as `payout-method`
 * @property {string} schema path of the file with its properties
 * @property {string} constant of its properties
 * @property {string} table
 * @property {string} create operation
 * @property {string} update operation
 * @property {string} title of its schema in the API reference
 */

/**
 * A nullable text of a stored object, which requests set and null removes: its row, column, choice and test.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} resource such as `terminal`
 * @param {{ property?: string | undefined }} options its name, such as `tillNumber`
 */
export function addProperty(changes, resource, { property: name = '' }) {
  checkName(resource);
  if (!PROPERTY_NAME.test(name) || name.length > NAME_MAX)
    throw new UsageError(
      `'${name.slice(0, NAME_MAX)}' is not the name of a property: use letters and digits, beginning with a small one, such as tillNumber`,
    );
  const known = resourcesOf(changes);
  const found = known.find((each) => each.name === resource);
  if (!found)
    throw new UsageError(
      `'${resource}' is no resource whose properties requests set: it is one of ${known.map((each) => each.name).join(', ')}`,
    );
  write(changes, found, name);
  return [
    `${found.schema} has it as a text of 80 characters: change its schema there, and in its test the longest text and what it shows for none; then run npm run docs again`,
    `docs/choices/api.md says what it is for, and CHANGELOG.md that it is there`,
    `it is written as a choice: the service has it and the specification leaves it out. One that only Tapbench has is an extension: its schema becomes asExtension('NAME', …) with a row in server/platform/http/extensions.ts, and its choice and its rows in members.ts go`,
    `its test changes an object: where requests create one, test it too`,
  ];
}

/**
 * Returns the resources whose requests follow from declared properties, with what creates and what changes one.
 * @param {import('./changes.mjs').Changes} changes
 * @returns {Resource[]}
 */
function resourcesOf(changes) {
  const files = changes.filesIn('server/api');
  const textOf = (/** @type {string} */ suffix) =>
    files.filter((path) => path.endsWith(suffix)).map((path) => changes.read(path));
  const routes = textOf('.resource.ts').join('\n');
  const records = textOf('.records.ts').join('\n');
  return files
    .filter((path) => path.endsWith('.schema.ts'))
    .flatMap((schema) => {
      const text = changes.read(schema);
      return [...text.matchAll(/export const (\w+) = UpdateSchema\((\w+)\)/g)].flatMap(
        ([, body = '', constant = '']) => {
          const creating = new RegExp(`export const (\\w+) = CreateSchema\\(${constant}\\)`).exec(text)?.[1];
          const title = new RegExp(`ObjectSchema\\([^,]+, ${constant}, \\{\\s*title: '(\\w+)'`).exec(
            text,
          )?.[1];
          const table = new RegExp(
            `storedObjects\\(\\s*\\{\\s*table: '(\\w+)'[^;]*?,\\s*${constant},?\\s*\\)`,
          ).exec(records)?.[1];
          const create = operationWith(routes, 'POST', creating);
          const update = operationWith(routes, 'PATCH', body, '(tx, found.id, body,');
          const name = schema.split('/').at(-1)?.replace('.schema.ts', '') ?? '';
          return title && table && create && update && text.includes('  metadata: metadataProperty(')
            ? [{ name, schema, constant, table, create, update, title }]
            : [];
        },
      );
    });
}

/**
 * Returns the operation whose body is a schema.
 * @param {string} routes
 * @param {string} method
 * @param {string | undefined} body
 * @param {string} [handled] what its handler has, too
 */
function operationWith(routes, method, body, handled = '') {
  return routes
    .split('operation: ')
    .find(
      (text) =>
        text.startsWith(`'${method} `) &&
        new RegExp(`\\bbody: ${body},`).test(text) &&
        text.includes(handled),
    )
    ?.split("'")[1];
}

/**
 * @param {import('./changes.mjs').Changes} changes
 * @param {Resource} resource
 * @param {string} name
 */
function write(changes, { name: resource, schema, constant, table, create, update, title }, name) {
  const declaration =
    changes.read(schema).split(`export const ${constant} = {`)[1]?.split('\n} as const')[0] ?? '';
  if (new RegExp(`^ {2}${name}:`, 'm').test(declaration))
    throw new UsageError(`the property '${name}' of ${resource} already exists: choose another name`);
  const kebab = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const { words, Words, Pascal } = formsOf(kebab);
  if (new RegExp(`\\b${Pascal}\\b`).test(changes.read(schema)))
    throw new UsageError(
      `'${name}' is taken: ${schema} has ${Pascal}. Choose another name, or add it by hand`,
    );
  const { words: object, article } = formsOf(resource);
  const test = `test/${schema.replace('.schema.ts', '')}-${kebab}.test.ts`;
  const values = {
    name,
    words,
    Words,
    Pascal,
    object,
    article,
    schema,
    table,
    update,
    column: kebab.replaceAll('-', '_'),
    constant: `${formsOf(resource).camel}${formsOf(kebab).Pascal}`,
    choice: `${Words} of ${article} ${object}`,
    up: '../'.repeat(test.split('/').length - 1),
  };
  changes.insertInside(
    schema,
    `export const ${constant} = {`,
    '  metadata: metadataProperty(',
    filled('property/property.ts.txt', values),
  );
  changes.addImport(schema, `\nconst ${Pascal} = textOf('My ${words}');`);
  importSchemas(changes, schema);
  addMigration(changes, `${resource}-${kebab}`, values.constant, 'property/migration.ts.txt', values);
  changes.create(test, 'property/property.test.ts.txt', values);
  for (const place of [create, update, title]) addMember(changes, place, values.choice, name);
  addNullClear(changes, update, name);
  addChoice(changes, values.choice, 'property/choice.md.txt', values);
  changes.insertBefore(
    'CHANGELOG.md',
    '\n## 0',
    `- ${article === 'an' ? 'An' : 'A'} ${object} has \`${name}\`.\n`,
  );
}

/**
 * Imports what the declaration of the property uses.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} schema
 */
function importSchemas(changes, schema) {
  const list = /import \{([^}]*)\} from '[./]+\/protocol\/schema\.ts'/.exec(changes.read(schema))?.[1];
  if (list === undefined) throw new Error(`${schema} imports nothing of protocol/schema.ts`);
  const names = list.split(',').map((each) => each.trim());
  for (const name of ['Nullable', 'textOf'])
    if (!names.includes(name)) changes.insertBefore(schema, list, ` ${name},`);
}

/**
 * Says which choice a member comes from.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} place
 * @param {string} choice
 * @param {string} name
 */
function addMember(changes, place, choice, name) {
  const opening = 'export const CHOSEN_MEMBERS: typeof MEMBERS = {';
  const chosen = changes.read(MEMBERS).split(opening)[1] ?? '';
  const key = /^\w+$/.test(place) ? place : `'${place}'`;
  const row = new RegExp(`^ {2}'?${place.replace(/[{}/]/g, '\\$&')}'?: \\['[^']+',\\s*'`, 'm').exec(
    chosen,
  )?.[0];
  if (row) changes.insertInside(MEMBERS, opening, row, `${name} `, 'after');
  else changes.append(MEMBERS, opening, `  ${key}: ['${choice}', '${name}'],`);
}

/**
 * Lists what null clears in a request.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} operation
 * @param {string} name
 */
function addNullClear(changes, operation, name) {
  const opening = 'export const NULL_CLEARS: Readonly<Record<string, readonly string[]>> = {';
  const row = `  '${operation}': `;
  if (!changes.read(NULL_CLEARS).includes(row))
    return changes.append(NULL_CLEARS, opening, `${row}['${name}'],`);
  const given = changes.read(NULL_CLEARS).split(row)[1]?.startsWith('[');
  changes.insertInside(
    NULL_CLEARS,
    opening,
    given ? `${row}[` : row,
    given ? `'${name}', ` : `['${name}', ...`,
    'after',
  );
  if (!given) changes.insertInside(NULL_CLEARS, `${row}['${name}', ...`, ',\n', ']');
}
