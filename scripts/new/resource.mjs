// @ts-check
import { addChoice } from './choices.mjs';
import { addMigration, MIGRATIONS } from './migration.mjs';
import { checkName, formsOf, UsageError } from './names.mjs';

const IDS = 'protocol/ids.ts';
const OPERATIONS = 'test/architecture/specification/operations.ts';
const MEMBERS = 'test/architecture/specification/members.ts';
const LIMITS = 'test/architecture/stated-limits.ts';

/**
 * A resource of the API: what is stored, its routes, its table and its tests.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} name such as `gift-card`
 * @param {{ area?: string | undefined }} options
 */
export function addResource(changes, name, options) {
  checkName(name);
  const forms = formsOf(name);
  const area = options.area ?? forms.plural;
  checkName(area);
  if (options.area !== undefined && !changes.has(`server/api/${area}`))
    throw new UsageError(`--area: server/api/${area} does not exist`);
  const values = {
    ...forms,
    area,
    path: `/${forms.plural}`,
    table: forms.plural.replaceAll('-', '_'),
    prefix: `${name.replaceAll('-', '')}_`,
  };
  refuseTaken(changes, values);
  const file = (/** @type {string} */ suffix) => `server/api/${area}/${name}.${suffix}.ts`;
  for (const suffix of ['schema', 'records', 'resource'])
    changes.create(file(suffix), `resource/${suffix}.ts.txt`, values);
  changes.create(`test/server/api/${area}/${name}.test.ts`, 'resource/resource.test.ts.txt', values);
  changes.append(
    IDS,
    'export const ID_FORMS = {',
    `  ${values.camel}: { prefix: '${values.prefix}', form: 'ulid' },`,
  );
  addMigration(changes, values.plural, values.plurals, 'resource/migration.ts.txt', values);
  const routes = 'server/routes.ts';
  changes.addImport(routes, `import { ${values.camel}Routes } from './api/${area}/${name}.resource.ts';`);
  changes.insertBefore(routes, '  ...sandboxRoutes,\n', `  ...${values.camel}Routes,\n`);
  declare(changes, values);
  return [
    `its properties are in ${file('schema')}: ARCHITECTURE.md, Where to add things, says what a further one touches`,
    `docs/choices/api.md, ${values['Plural words']}, says what it is for`,
  ];
}

/**
 * @param {import('./changes.mjs').Changes} changes
 * @param {Readonly<Record<string, string>>} values
 */
function refuseTaken(changes, { name, camel, table, path, prefix }) {
  const schema = changes.filesIn('server/api').find((each) => each.endsWith(`/${name}.schema.ts`));
  if (schema) throw new UsageError(`the resource '${name}' already exists: ${schema}`);
  const ids = changes.read(IDS);
  if (new RegExp(`^ {2}${camel}: |prefix: '${prefix}'`, 'm').test(ids))
    throw new UsageError(`'${name}' is taken: ${IDS} has an id of this kind or with the prefix ${prefix}`);
  const migration = changes
    .filesIn(MIGRATIONS)
    .find((each) => new RegExp(`CREATE TABLE ${table} `).test(changes.read(each)));
  if (migration) throw new UsageError(`'${name}' is taken: ${migration} creates the table ${table}`);
  if (changes.read(OPERATIONS).includes(` ${path}'`))
    throw new UsageError(`'${name}' is taken: ${path} is a path of the specification`);
}

/**
 * Says that the operations are none of the specification, and lets the journeys of the API call each of them.
 * @param {import('./changes.mjs').Changes} changes
 * @param {Readonly<Record<string, string>> & ReturnType<typeof formsOf>} values
 */
function declare(changes, values) {
  const { name, path, Pascal } = values;
  const one = `${path}/{id}`;
  const operations = [`POST ${path}`, `GET ${path}`, `GET ${one}`, `PATCH ${one}`, `DELETE ${one}`];
  changes.append(
    OPERATIONS,
    'export const OWN_OPERATIONS: readonly string[] = [',
    operations.map((each) => `  '${each}',`).join('\n'),
  );
  addMembers(changes, values);
  changes.create(`test/journeys/every-value/${name}.ts`, 'resource/every-value.ts.txt', values);
  const journey = 'test/journeys/every-value/everything.ts';
  changes.addImport(journey, `import { every${Pascal} } from './${name}.ts';`);
  changes.insertBefore(journey, '  await everyList(', `  await every${Pascal}(api);\n`);
  addChoice(changes, values['Plural words'], 'resource/choice.md.txt', values);
}

/**
 * Says which choice the members of requests and replies come from, and what limits them.
 * @param {import('./changes.mjs').Changes} changes
 * @param {Readonly<Record<string, string>> & ReturnType<typeof formsOf>} values
 */
function addMembers(changes, { path, Pascal, 'Plural words': choice }) {
  const members = {
    [`POST ${path}`]: 'name metadata',
    [`GET ${path} query`]: 'ascending limit startsAfter',
    [`GET ${path} reply`]: 'items paginationToken',
    [`PATCH ${path}/{id}`]: 'name metadata',
    [`DELETE ${path}/{id} reply`]: 'id',
    [Pascal]: 'id name metadata createdTimestamp lastUpdatedTimestamp',
  };
  const rows = Object.entries(members).map(([place, names]) => `  '${place}': ['${choice}', '${names}'],`);
  changes.append(MEMBERS, 'export const CHOSEN_MEMBERS: typeof MEMBERS = {', rows.join('\n'));
  changes.append(
    LIMITS,
    'export const METADATA_ENTRIES: Readonly<Record<string, Readonly<Record<string, number>>>> = {',
    [`POST ${path}`, `PATCH ${path}/{id}`].map((each) => `  '${each}': { metadata: 10 },`).join('\n'),
  );
  changes.append(
    LIMITS,
    "export const PAGES: Readonly<Record<string, number | 'without pages'>> = {",
    `  'GET ${path}': 50,`,
  );
}
