import type { Clock } from '../../../protocol/clock.ts';
import { LEASE_MS, RENEW_MS } from '../instance-lease.ts';
import type { Store, Transaction } from '../store/store.ts';
import { releaseExpiredClaims, renewClaims } from './claim-lease.records.ts';
import { type ClaimOwner } from './job.records.ts';
import type { Runner } from './runner.ts';

/**
 * The time for which the claims of this instance are valid, in real time, where others use the same store. One that was
 * suspended for longer gets JobClaimLost when it finishes its job.
 */
export function createLease(
  realClock: Clock,
  { engine }: Pick<Store, 'engine'>,
  runner: Pick<Runner, 'held'>,
) {
  let renewedMs = 0;
  return {
    /** When a claim that is made now ends unless it is renewed. */
    untilMs: () => realClock.nowMs() + LEASE_MS,
    /**
     * Renews the claims of this instance when it is time, and frees those that have expired. Renews first, so that an
     * instance that was suspended does not lose its running jobs.
     */
    async renewAndFree(tx: Transaction, by: ClaimOwner): Promise<void> {
      const nowMs = realClock.nowMs();
      if (nowMs - renewedMs >= RENEW_MS) {
        const seqs = runner.held().map(({ seq }) => seq);
        await renewClaims(tx, engine, seqs, by);
        tx.afterCommit(() => (renewedMs = nowMs));
      }
      await releaseExpiredClaims(tx, nowMs);
    },
  };
}
