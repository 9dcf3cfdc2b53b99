// @ts-check
export const MIGRATIONS = 'server/platform/store/migrations';

/**
 * Adds a step of the schema: a file of a template, and its rows in the list of steps.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} name of the step, such as `gift-cards`
 * @param {string} constant what the file exports
 * @param {string} template
 * @param {Readonly<Record<string, string>>} values
 */
export function addMigration(changes, name, constant, template, values) {
  const list = `${MIGRATIONS}/migrate.ts`;
  const steps = [...changes.read(list).matchAll(/\{ name: '\d{4}-/g)].length;
  const step = `${String(steps + 1).padStart(4, '0')}-${name}`;
  changes.create(`${MIGRATIONS}/${step}.ts`, template, values);
  changes.addImport(list, `import { ${constant} } from './${step}.ts';`);
  changes.append(
    list,
    'export const MIGRATIONS: readonly Migration[] = [',
    `  { name: '${step}', statements: ${constant} },`,
  );
}
