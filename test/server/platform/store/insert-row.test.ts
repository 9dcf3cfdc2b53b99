import { expect, test } from 'vitest';
import { silentLog } from '../../../../protocol/log.ts';
import { ACTION_COLUMNS } from '../../../../server/api/in-person/action.records.ts';
import { openStore } from '../../../../server/platform/store/open-store.ts';

/** Columns that no row type has: the database sets `seq`. */
const NOT_IN_ROWS = ['seq'];

// A column that the insert leaves out is undefined in the row that it returns, where the type says otherwise.
test.each([['actions', ACTION_COLUMNS]])(
  'insertInto: a row of %s has every column',
  async (table, columns) => {
    const store = await openStore({ path: ':memory:', log: silentLog });
    const declared = await store.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
    await store.close();
    const names = declared.map(({ name }) => name).filter((name) => !NOT_IN_ROWS.includes(name));
    expect([...columns].sort()).toEqual(names.sort());
  },
);
