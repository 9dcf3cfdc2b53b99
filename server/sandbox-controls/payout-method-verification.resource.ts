import { accountScopeOf } from '../api/accounts/account.records.ts';
import { payoutMethods } from '../api/accounts/payout-method.records.ts';
import { PayoutMethod, PayoutMethodVerification } from '../api/accounts/payout-method.schema.ts';
import { verifyPayoutMethod } from '../api/payouts/payout-methods.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';

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
    services.store.transaction(async (tx) =>
      payoutMethods.show(await verifyPayoutMethod(tx, services, found, checkedResult(body))),
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

/** Routes that act for the bank that compares the names of holders. */
export const payoutMethodVerificationRoutes: readonly Route[] = [verifyPayoutMethodRoute];
