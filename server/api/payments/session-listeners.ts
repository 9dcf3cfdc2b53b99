import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { PaymentSessionRow } from './payment-session.records.ts';

/** What has just become of a payment session. */
export type SessionTurn = 'approved' | 'captured' | 'declined' | 'refunded' | 'voided';

/** Told in the transaction that moves the money: what it throws undoes the movement too. */
export type SessionListener = (
  tx: Transaction,
  services: Services,
  session: PaymentSessionRow,
  what: SessionTurn,
) => Promise<void>;

// By the jobs of a server, of which each has its own: two servers in one process do not hear of each other.
const listeners = new WeakMap<Services['jobs'], SessionListener[]>();

/** Follows what becomes of payment sessions, for areas that payments know nothing of. Asked for once, at the start. */
export function listenToSessions({ jobs }: Pick<Services, 'jobs'>, run: SessionListener): void {
  listeners.set(jobs, [...(listeners.get(jobs) ?? []), run]);
}

/** Tells the listeners one after the other, in the order in which they asked. */
export async function tellListeners(
  tx: Transaction,
  services: Services,
  session: PaymentSessionRow,
  what: SessionTurn,
): Promise<void> {
  for (const run of listeners.get(services.jobs) ?? []) await run(tx, services, session, what);
}
