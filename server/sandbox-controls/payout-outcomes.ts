import type { PayoutEvent } from '../api/payouts/payout.machine.ts';
import type { Payout } from '../api/payouts/payout.schema.ts';

/** The event that moves a payout to each status. */
export const STATUS_EVENTS: Record<Payout['status'], PayoutEvent['type']> = {
  Pending: 'payout.queued',
  InProgress: 'hold.released',
  Completed: 'bank.paid',
  Failed: 'bank.refused',
  PendingAccountVerification: 'accountVerification.required',
  PendingTransactionVerification: 'transactionVerification.required',
  PendingPayoutMethodAction: 'payoutMethodAction.required',
  PendingAccountAction: 'accountAction.required',
  Cancelled: 'payout.cancelled',
  Expired: 'payout.expired',
  Recalled: 'bank.recalled',
  Returned: 'bank.returned',
};
