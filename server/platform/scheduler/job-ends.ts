import type { Transaction } from '../store/store.ts';
import type { Claims } from './claims.ts';
import { claimFirstOfKeys, removeAndFindNext } from './job.records.ts';
import { JobClaimLost, type Job } from './jobs.ts';
import type { Lanes } from './lanes.ts';
import type { Runner } from './runner.ts';

interface JobEndParts {
  claims: Pick<Claims, 'claimer' | 'successorRemover' | 'markSuccessors' | 'mayClaimAfter'>;
  runner: Pick<Runner, 'take'>;
  lanes: Pick<Lanes, 'kinds'>;
  /** The jobs that a transaction itself has cancelled or moved. */
  dropped: { has(tx: Transaction, seq: number): boolean };
  /** Gets the numbers of the jobs whose end is committed. */
  finished: Set<number>;
}

/**
 * Returns a function that ends jobs that are done by one statement, and claims what follows of their keys by another. For
 * servers that share a database: the first statement also says of which keys another job is due, which any of them may
 * have added.
 */
export function createJobEnds({ claims, runner, lanes, dropped, finished }: JobEndParts) {
  return async (tx: Transaction, jobs: readonly Job[]): Promise<void> => {
    if (jobs.length === 0) return;
    const by = claims.claimer();
    const removeMark = claims.successorRemover();
    const seqs = jobs.map(({ seq }) => seq);
    const removed = await removeAndFindNext(tx, seqs, by);
    for (const { seq, kind, key } of jobs) {
      if (!removed.has(seq) && !dropped.has(tx, seq)) throw new JobClaimLost(`${kind} of ${key}`);
    }
    const hasNext = ({ seq }: Job) => removed.get(seq)?.hasNext === true;
    const keys = jobs.filter((job) => hasNext(job) && claims.mayClaimAfter(job)).map(({ key }) => key);
    const claimed = keys.length > 0 ? await claimFirstOfKeys(tx, keys, lanes.kinds(), by) : [];
    tx.afterCommit(() => {
      runner.take(claimed);
      for (const job of jobs) {
        // Behind the one that is claimed others may be due.
        if (hasNext(job)) claims.markSuccessors(job.key);
        else removeMark(job.key);
        finished.add(job.seq);
      }
    });
  };
}
