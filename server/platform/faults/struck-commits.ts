import type { Store, Transaction, TransactionOptions } from '../store/store.ts';
import type { FaultAt } from './cut-points.ts';
import type { FaultPlans } from './fault-plans.ts';

/** How faults reach the sandbox whose store they strike. */
interface StruckStoreParts {
  faults: FaultPlans | undefined;
  /** Kills the server; undefined where nothing can start it again. */
  kill: (() => void) | undefined;
}

type CommitFault = FaultAt<'server.commit'>;

// What a killed server waits for.
const never = new Promise<never>(() => {});

/** Returns a store whose transactions faults can strike. Reads outside a transaction go on. */
export function struckStore(store: Store, { faults, kill: killServer }: StruckStoreParts): Store {
  // Ends when each transaction that was requested has begun, in the order of the requests.
  let begun: Promise<unknown> | undefined;

  /** Resolves with what kills the server after the transaction; undefined for nothing. */
  async function strikeAfter(earlier: Promise<unknown> | undefined): Promise<(() => void) | undefined> {
    await earlier;
    const struck = faults?.strike({ at: 'server.commit', ids: [] });
    if (!struck) return undefined;
    const what = struck.what as CommitFault;
    if (what === 'delay') await faults!.holdStore(struck.delayMs, struck.planId);
    const kill = what === 'delay' ? undefined : killServer;
    if (!kill) return undefined;
    // A kill that is not counted would strike again after each start.
    if (!(await faults!.storeCounts())) return undefined;
    if (what === 'kill-after') return kill;
    kill();
    return never;
  }

  async function killAfter<T>(
    kill: () => void,
    body: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    const killed = (tx: Transaction) => {
      tx.afterCommit(kill);
      return body(tx);
    };
    await store.transaction(killed, options);
    return never;
  }

  function transaction<T>(body: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    if (!begun && !faults?.awaits('server.commit')) return store.transaction(body, options);
    const mine = strikeAfter(begun);
    begun = mine;
    void mine.then(() => {
      if (begun === mine) begun = undefined;
    });
    return mine.then((kill) => (kill ? killAfter(kill, body, options) : store.transaction(body, options)));
  }

  return {
    ...store,
    run: (sql, ...parameters) => transaction((tx) => tx.run(sql, ...parameters)),
    transaction,
  };
}
