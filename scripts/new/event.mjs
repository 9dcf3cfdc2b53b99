// @ts-check
import { UsageError } from './names.mjs';

const TYPES = 'server/api/webhooks/event-types.ts';
const EVENT_NAME = /^([A-Z][A-Za-z]*)\.([a-z]+(?:_[a-z]+)*)$/;

/**
 * An event type: its row, what raises it, how `tapbench trigger` causes it, and a test. It is raised after another event
 * of its object.
 * @param {import('./changes.mjs').Changes} changes
 * @param {string} type such as `Customer.renamed`
 * @param {{ after?: string | undefined }} options
 */
export function addEvent(changes, type, options) {
  const [, object, happened] = EVENT_NAME.exec(type) ?? [];
  if (!object || !happened)
    throw new UsageError(
      `'${type}' is not the name of an event: use an object and what happened, such as Customer.renamed`,
    );
  const rows = [...changes.read(TYPES).matchAll(/'(\w+)\.(\w+)': row\(\s*'([^']+)'/g)];
  if (rows.some(([, one, other]) => `${one}.${other}` === type))
    throw new UsageError(`the event ${type} already exists: choose another name`);
  const ofObject = rows.filter(([, one]) => one === object);
  if (ofObject.length === 0) {
    const objects = [...new Set(rows.map(([, one]) => one))].join(', ');
    throw new UsageError(`no event has an object ${object}: the objects are ${objects}`);
  }
  const known = ofObject.map(([, one, other]) => `${one}.${other}`);
  const { after } = options;
  if (after === undefined)
    throw new UsageError(
      `--after EVENT says which event ${type} follows: it is one of ${known.join(', ')}. One that a request causes itself is added by hand: ARCHITECTURE.md, Where to add things`,
    );
  if (!known.includes(after))
    throw new UsageError(`--after: ${object} has no event ${after}: its events are ${known.join(', ')}`);
  write(changes, { type, after, carries: /** @type {string} */ (ofObject[0]?.[3]) });
  return [
    `it is raised after each ${after}: ${fileOf(type)}.ts has the place for its condition`,
    `when it is recorded is in ${TYPES}, in words; how 'tapbench trigger' causes it is in cli/trigger/`,
    `a test that lists all events of ${article(object)} also has this one now: npm test shows which`,
  ];
}

/**
 * @param {import('./changes.mjs').Changes} changes
 * @param {{ type: string, after: string, carries: string }} event
 */
function write(changes, { type, after, carries }) {
  const file = fileOf(type);
  const Pascal = type
    .split(/[._]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
  const schema = `${carries.replaceAll(' ', '-')}.schema.ts`;
  const area = changes
    .filesIn('server/api')
    .find((path) => path.endsWith(`/${schema}`))
    ?.split('/')[2];
  if (!area) throw new Error(`server/api has no ${schema}: scripts/new/ finds the area of an event by it`);
  const values = { type, after, Pascal };
  changes.create(`server/api/${area}/${file}.ts`, 'event/event.ts.txt', values);
  changes.create(`test/server/api/${area}/${file}.test.ts`, 'event/event.test.ts.txt', values);
  changes.append(TYPES, 'const EVENT_TYPES = {', `  '${type}': row('${carries}', '${after} was recorded'),`);
  const jobs = 'server/background-jobs.ts';
  changes.addImport(jobs, `import { register${Pascal} } from './api/${area}/${file}.ts';`);
  changes.append(jobs, '  registerDelivery(services);', `  register${Pascal}(services);`);
  const table = changes.filesIn('cli/trigger').flatMap((path) => {
    const [before, row] = changes.read(path).split(`  '${after}':`);
    // A file may have several tables: the row is in the last one that begins before it.
    return row === undefined ? [] : [before?.match(/(?<=export const )\w+_PATHS/g)?.at(-1)];
  })[0];
  if (!table) throw new Error(`cli/trigger has no path to ${after}`);
  changes.append(
    'cli/trigger/trigger-paths.ts',
    'export const TRIGGER_PATHS: Record<EventType, TriggerPath> = {',
    `  '${type}': ${table}['${after}'],`,
  );
}

/** @param {string} type */
function fileOf(type) {
  return type
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .replace(/[._]/g, '-')
    .toLowerCase();
}

/** @param {string} object */
function article(object) {
  return `${/^[AEIOU]/.test(object) ? 'an' : 'a'} ${object}`;
}
