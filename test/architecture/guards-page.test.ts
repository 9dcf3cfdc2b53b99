import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GUARDS } from '../../server/platform/store/guards.ts';

const PAGE = join(import.meta.dirname, '../../docs/contributing/guards.md');

// `npm run docs` runs this with --update, which writes the page.
test('docs/contributing/guards.md: is up to date with the table of guards', async () => {
  await expect(guardsPage()).toMatchFileSnapshot(PAGE);
});

function guardsPage(): string {
  const sections = Object.entries(GUARDS).map(
    ([name, { rule, heldBy, touchedBy }]) => `## \`${name}\`

${rule}

- **Held by:** ${heldBy}
- **Touched by:** ${touchedBy}
`,
  );
  return `# Guards

A transaction of SQLite runs alone. On PostgreSQL transactions run beside each other, on several servers: a rule that spans rows
needs something that holds it there. A transaction that names its guards (\`guardedBy\`) runs at READ COMMITTED: what it reads conflicts
with no other one; so does one whose list is empty, since it relies on no rule. One without a list runs at SERIALIZABLE, where PostgreSQL undoes one of two that could break a rule, or that
change the same row, and the store runs it again.

The two kinds may run beside each other on one rule when both write the same row: a transaction at READ COMMITTED locks the row
before it reads it (\`lockRow\`), and one at SERIALIZABLE that has read the row before the change is run again. So what is added to a
payment session, such as a refund that a terminal has begun, is written together with the row of the session. Rows are locked in the
order of \`ROW_LOCKS\`.

\`test/system/stores/guards.test.ts\` runs pairs of transactions that touch each rule in every order of their statements: the rows must
be as after one transaction alone before the other. It also takes each guard out, and then some order must not be.

${sections.join('\n')}`;
}
