import { expect, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { ACTION_COLUMNS } from '../../../../server/api/in-person/action.records.ts';
import { TERMINAL_COLUMNS } from '../../../../server/api/in-person/terminal.records.ts';
import { SESSION_COLUMNS } from '../../../../server/api/payments/payment-session-row.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';

/** Columns that only SQL reads: no row type has them. */
const NOT_IN_ROWS = ['seq', 'deleted', 'key_counter'];

// A column that the join leaves out is undefined where the type of its row says otherwise.
test.each([
  ['actions', ACTION_COLUMNS],
  ['terminals', TERMINAL_COLUMNS],
  ['payment_sessions', SESSION_COLUMNS],
])('reported action: the join reads every column of a row of %s', async (table, columns) => {
  const store = await openStore({ path: ':memory:', log: silentLog });
  const declared = await store.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
  await store.close();
  const names = declared.map(({ name }) => name).filter((name) => !NOT_IN_ROWS.includes(name));
  expect([...columns].sort()).toEqual(names.sort());
});
