import { Type, withDescription } from '../../protocol/schema.ts';
import type { PayoutEvent } from '../api/payouts/payout.machine.ts';
import { Payout, PayoutStatus } from '../api/payouts/payout.schema.ts';
import { ACCOUNT_GUARDS, accountScopeOf } from '../api/accounts/account.records.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import { payouts, toPayout } from '../api/payouts/payout.records.ts';
import { applyPayoutEvent } from '../api/payouts/payouts.ts';
import { payoutMethods } from '../api/accounts/payout-method.records.ts';
import { PayoutMethod, PayoutMethodVerification } from '../api/accounts/payout-method.schema.ts';
import { verifyPayoutMethod } from '../api/payouts/payout-methods.ts';

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

const settlePayoutRoute = route({
  surface: 'sandbox',
  tag: 'Sandbox payout',
  section: 'Sandbox',
  access: 'dashboard',
  accountHeader: true,
  operation: 'POST /sandbox/payouts/{id}/outcome',
  summary: 'Set the status of a payout',
  body: Type.Object({ status: withDescription(PayoutStatus, 'Status to move the payout to') }),
  reply: Payout,
  refusals: ['payout_settled'],
  find: ({ services: { store }, caller, params }) =>
    payouts.findWithin(store, accountScopeOf(caller), params.id),
  handle: ({ services, found, body: { status: wanted } }) =>
    services.store.transaction(async (tx) => {
      tx.lockRow('accounts', found.account_id);
      const row = await payouts.findAny(tx, found.id);
      if (!row) throw new Refusal('not_found', { what: 'payout' });
      const moved = await applyPayoutEvent(tx, services, row, { type: STATUS_EVENTS[wanted] });
      if (!moved) throw new Refusal('payout_settled', { status: row.status, wanted });
      return toPayout(moved);
    }, ACCOUNT_GUARDS),
});

const verifyPayoutMethodRoute = route({
  surface: 'sandbox',
  tag: 'Sandbox payout',
  section: 'Sandbox',
  access: 'dashboard',
  accountHeader: true,
  operation: 'POST /sandbox/payout-methods/{id}/verification',
  summary:
    'Set the result of comparing the name on the bank account of a payout method with that of its holder',
  body: PayoutMethodVerification,
  reply: PayoutMethod,
  find: ({ services: { store }, caller, params }) =>
    payoutMethods.findWithin(store, accountScopeOf(caller), params.id),
  handle: ({ services, found, body }) =>
    services.store.transaction(
      async (tx) => payoutMethods.show(await verifyPayoutMethod(tx, services, found, checkedResult(body))),
      ACCOUNT_GUARDS,
    ),
});

/** Returns a result whose `rejectionReason` goes with its status: `NameMismatch` unless another is given. */
function checkedResult(given: PayoutMethodVerification): PayoutMethodVerification {
  const { status, rejectionReason } = given;
  if (status === 'Rejected') return { ...given, rejectionReason: rejectionReason ?? 'NameMismatch' };
  if (rejectionReason !== undefined)
    throw new Refusal('invalid_field', {
      field: 'rejectionReason',
      problem: 'can be sent only with the status Rejected',
    });
  return given;
}

/** Routes that act for the bank, which pays out and compares the names of holders, and for reviews of payouts. */
export const payoutControlRoutes: readonly Route[] = [settlePayoutRoute, verifyPayoutMethodRoute];
