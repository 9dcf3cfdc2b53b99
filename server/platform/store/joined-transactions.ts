import type { Store, Transaction, TransactionOptions } from './store.ts';

/** Bodies of one transaction, at most: the first waits until the last is done. */
const JOINED_MAX = 8;

type Body<T> = (tx: Transaction) => Promise<T>;

interface Waiting {
  body: Body<unknown>;
  resolve(value: unknown): void;
  reject(thrown: unknown): void;
}

/**
 * Returns a function that runs transactions of one key in the order in which they are requested. On PostgreSQL one that is
 * requested while another of its key runs becomes a part of it, so that both share locks and commit; when that fails, each
 * is run again by itself. SQLite keeps the order and shares commits anyway.
 * @param options those of every transaction
 */
export function joinTransactions(
  store: Store,
  options: TransactionOptions,
): <T>(key: string, body: Body<T>) => Promise<T> {
  if (store.engine === 'sqlite') return (_key, body) => store.transaction(body, options);
  const lines = new Map<string, Waiting[]>();

  async function runLine(key: string, line: Waiting[]): Promise<void> {
    for (let first = line.shift(); first; first = line.shift()) await runTogether(first, line);
    lines.delete(key);
  }

  async function runTogether(first: Waiting, line: Waiting[]): Promise<void> {
    const taken = [first];
    const body = async (tx: Transaction) => {
      const values: unknown[] = [];
      // When the engine repeats the transaction, those that it has taken are run again before others join.
      for (let next: Waiting | undefined = first; next; next = taken[values.length]) {
        values.push(await next.body(tx));
        const joins = values.length === taken.length && taken.length < JOINED_MAX && line.shift();
        if (joins) taken.push(joins);
      }
      return values;
    };
    try {
      const values = await store.transaction(body, options);
      for (const [index, { resolve }] of taken.entries()) resolve(values[index]);
    } catch (thrown) {
      if (taken.length === 1) return first.reject(thrown);
      for (const one of taken) await store.transaction(one.body, options).then(one.resolve, one.reject);
    }
  }

  return <T>(key: string, body: Body<T>) =>
    new Promise<T>((resolve, reject) => {
      const one: Waiting = { body, resolve, reject };
      const line = lines.get(key);
      if (line) return void line.push(one);
      const begun = [one];
      lines.set(key, begun);
      void runLine(key, begun);
    });
}
