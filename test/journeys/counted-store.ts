import type { Queries, SqlValue, Store, Transaction } from '../../server/platform/store/store.ts';

/** What a store was asked since a count began. */
interface StoreCount {
  /** The text of each statement, in order, without the ones that begin and end transactions. */
  statements: string[];
  transactions: number;
}

/** A store that counts; `begin` starts anew. */
export function countStore(store: Store): { store: Store; begin(): StoreCount } {
  let count: StoreCount = { statements: [], transactions: 0 };
  const note = (sql: string) => count.statements.push(sql.replace(/\s+/g, ' ').trim());
  const counting = (queries: Queries): Queries => ({
    get: (sql: string, ...parameters: SqlValue[]) => (note(sql), queries.get(sql, ...parameters)),
    all: (sql: string, ...parameters: SqlValue[]) => (note(sql), queries.all(sql, ...parameters)),
    run: (sql: string, ...parameters: SqlValue[]) => (note(sql), queries.run(sql, ...parameters)),
  });
  return {
    store: {
      ...store,
      ...counting(store),
      // In place, so that what runs at the end of the transaction is counted too.
      transaction(body, options) {
        count.transactions += 1;
        return store.transaction((tx) => {
          const { send, sendChange } = tx;
          const counted = counting({ ...tx });
          const sending: Transaction['send'] = (sql, ...parameters) => (note(sql), send(sql, ...parameters));
          const sendingChange: Transaction['sendChange'] = (sql, ...parameters) => (
            note(sql),
            sendChange(sql, ...parameters)
          );
          return body(Object.assign(tx, counted, { send: sending, sendChange: sendingChange }));
        }, options);
      },
    },
    begin: () => (count = { statements: [], transactions: 0 }),
  };
}

/** How many statements of each kind there are, `UPDATE actions` and the like, the most frequent first. */
export function byKind({ statements }: StoreCount): Record<string, number> {
  const kinds = new Map<string, number>();
  for (const sql of statements) {
    const verb = sql.split(' ', 1)[0]!;
    const [, table = ''] = /\b(?:FROM|INTO|UPDATE) (\w+)/.exec(sql) ?? [];
    const kind = `${verb} ${table}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries([...kinds].sort(([, one], [, other]) => other - one));
}
