import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../protocol/log.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import {
  GUARDS,
  KEPT,
  OTHER_IDS,
  REFERENCES,
  SERIALIZABLE,
  WRITE_LOCKS,
  type LockedRow,
} from '../../server/platform/store/guards.ts';
import { CLEARED_TABLES } from '../../server/sandbox-controls/reset.resource.ts';
import { readSources } from './source-tree.ts';

const PAGE = join(import.meta.dirname, '../../docs/contributing/guards.md');

// `npm run docs` runs this with --update, which writes the page.
test('docs/contributing/guards.md: is up to date with the table of guards', async () => {
  await expect(guardsPage()).toMatchFileSnapshot(PAGE);
});

test('server: each transaction names its guards, or says why it is SERIALIZABLE', () => {
  const sources = readSources(['server']).filter(({ path }) => !path.startsWith('server/sandboxes/'));
  const calls = sources.flatMap(({ path, text }) => transactionsOf(path, text));
  expect(calls.length).toBeGreaterThan(60);
  const unexplained = calls.filter(
    ({ options }) => !/guardedBy|serializable|GUARD|guardsOf|options|OPTIONS|extended/.test(options),
  );
  expect(
    unexplained,
    'give each of these transactions guardedBy or serializable in its options (docs/contributing/guards.md)',
  ).toEqual([]);
});

test('server: each reason to be SERIALIZABLE has a transaction', () => {
  const texts = readSources(['server']).map(({ text }) => text);
  const unused = Object.keys(SERIALIZABLE).filter(
    (name) => !texts.some((text) => text.includes(`serializable: '${name}'`)),
  );
  expect(unused).toEqual([]);
});

test('guards: each table whose rows need a lock is in the store, and has the column that names what is locked', async () => {
  const store = await openStore({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  const tables = Object.entries(WRITE_LOCKS);
  expect(tables.length).toBeGreaterThan(10);
  for (const [table, locks] of tables)
    for (const { column } of Object.values(locks))
      expect(await store.all(`SELECT ${column} FROM ${table} LIMIT 1`), table).toEqual([]);
});

test('guards: each column of a table that a reset empties which names an object says how that is kept', async () => {
  const store = await openStore({ path: ':memory:', log: silentLog });
  onTestFinished(() => store.close());
  const columns: string[] = [];
  for (const table of CLEARED_TABLES)
    for (const { name } of await store.all<{ name: string }>(
      `SELECT name FROM pragma_table_info('${table}')`,
    ))
      if (name.endsWith('_id')) columns.push(`${table}.${name}`);
  expect(columns.length).toBeGreaterThan(50);
  expect(
    [...Object.keys(REFERENCES), ...OTHER_IDS].toSorted(),
    'declare each in REFERENCES (server/platform/store/guards.ts), and lock what it names or call delayReset before it is read',
  ).toEqual(columns.toSorted());
});

test('server: what was read again is not taken for there where it may be gone', () => {
  const sources = readSources(['server']).filter(({ path }) => !path.startsWith('server/dashboard/page/'));
  expect(sources.length).toBeGreaterThan(300);
  const asserted = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\(await (?:\w+\.)?(?:find|read|lock)\w*\([^;]*?\)\)!/g)].map(
      ([found]) => `${path}: ${found}`,
    ),
  );
  expect(
    asserted,
    'a reset at another server may have deleted it: throw a refusal (requireAccount, relockSession), or a fault that says what is missing',
  ).toEqual([]);
});

/** The calls of `transaction` in a file, with the text of their options. */
function transactionsOf(path: string, text: string): { path: string; line: number; options: string }[] {
  const found: { path: string; line: number; options: string }[] = [];
  new Visitor({
    CallExpression({ callee, arguments: given, start }) {
      const isTransaction =
        callee.type === 'MemberExpression' &&
        callee.property.type === 'Identifier' &&
        callee.property.name === 'transaction';
      const isRetried = callee.type === 'Identifier' && callee.name === 'retryOnUniqueViolation';
      if (!isTransaction && !isRetried) return;
      const last = given[isRetried ? 2 : 1];
      const options = last ? text.slice(last.start, last.end) : '';
      found.push({ path, line: text.slice(0, start).split('\n').length, options });
    },
  }).visit(parseSync(path, text).program);
  return found;
}

function guardsPage(): string {
  const sections = Object.entries(GUARDS).map(
    ([name, { rule, heldBy, touchedBy }]) => `## \`${name}\`

${rule}

- **Held by:** ${heldBy}
- **Touched by:** ${touchedBy}
`,
  );
  const reasons = Object.entries(SERIALIZABLE).map(([name, reason]) => `- \`${name}\`: ${reason}`);
  const rowOf = ({ of, column }: LockedRow) => `the row of \`${of}\` that \`${column}\` names`;
  const locks = Object.entries(WRITE_LOCKS).map(([table, { insert, change }]) => {
    const parts = [
      ...(insert ? [`${rowOf(insert)}, to add a row`] : []),
      ...(change ? [`${rowOf(change)}, to change or delete one`] : []),
    ];
    return `- \`${table}\`: ${parts.join('; ')}`;
  });
  const named = Object.entries(KEPT).map(([kind, how]) => {
    const columns = Object.keys(REFERENCES).filter((column) => REFERENCES[column] === kind);
    return `- ${how} ${columns.map((column) => `\`${column}\``).join(', ')}.`;
  });
  return `# Guards

A transaction of SQLite runs alone. On PostgreSQL transactions run beside each other, on several servers: a rule that spans rows
needs something that holds it there. A transaction that names its guards (\`guardedBy\`) runs at READ COMMITTED: what it reads conflicts
with no other one; so does one whose list is empty, since it relies on no rule. One without a list says why (\`serializable\`) and runs
at SERIALIZABLE, where PostgreSQL undoes one of two that could break a rule, or that change the same row, and the store runs it again.
One that is undone four times runs alone: other SERIALIZABLE transactions of its server wait for it, those with guards do not.

The two kinds may run beside each other on one rule when both write the same row: a transaction at READ COMMITTED locks the row
before it reads it (\`lockRow\`), and one at SERIALIZABLE that has read the row before the change is run again. So what is added to a
payment session, such as a refund that a terminal has begun, is written together with the row of the session. Rows are locked in the
order of \`ROW_LOCKS\`. What is locked before a row of a table is written is declared in \`WRITE_LOCKS\`: the functions of
\`storedObjects\` throw a fault where a transaction with guards has not.

${locks.join('\n')}

## What rows name

Until a transaction sends its first lock or write, its reads are sent outside it. Where a row names an object, the object is kept
from the read that finds it to the write of the row (\`REFERENCES\`). \`tx.delayReset()\` lets no reset begin until the transaction
ends. \`storedObjects\` throws a fault where a transaction with guards adds a row, and has neither called it nor locked a row.

${named.join('\n')}

## Tests

\`test/system/stores/guards.test.ts\` and \`request-guards.test.ts\` run pairs of transactions that touch each rule in every order of
their statements: the rows must be as after one transaction alone before the other. They also take each guard out, and then some order
must not be. \`ordinary-work.test.ts\` counts the transactions that are repeated while requests are about different objects.

${sections.join('\n')}
## What is SERIALIZABLE

${reasons.join('\n')}
`;
}
