import type { ObjectKind } from './object-kinds.ts';

/** The statuses of each kind that has one, by which its list is filtered. */
export const OBJECT_STATUSES: { readonly [Kind in ObjectKind]?: readonly string[] } = {
  paymentSession: ['PendingPayment', 'PendingAction', 'Processing', 'Approved', 'Captured', 'Voided'],
  transaction: ['Pending', 'Failed', 'Succeeded'],
  dispute: ['Open', 'Cancelled', 'Accepted', 'Challenged', 'Lost', 'Won', 'Expired'],
  subscription: ['Pending', 'Active', 'PastDue', 'Paused', 'Cancelled', 'Ended'],
  payoutMethod: ['Pending', 'Valid', 'Invalid'],
  payout: [
    'Pending',
    'InProgress',
    'Completed',
    'Failed',
    'PendingAccountVerification',
    'PendingTransactionVerification',
    'PendingPayoutMethodAction',
    'PendingAccountAction',
    'Cancelled',
    'Expired',
    'Recalled',
    'Returned',
  ],
  transfer: ['Pending', 'Declined', 'Completed'],
  platformFeeRefund: ['Pending', 'Failed', 'Succeeded'],
  conversion: ['InProgress', 'Settled'],
  action: ['InProgress', 'Succeeded', 'Failed', 'Cancelled'],
};
