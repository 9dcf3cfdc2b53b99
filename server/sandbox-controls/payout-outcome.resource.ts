import { Type, withDescription } from '../../protocol/schema.ts';
import { accountScopeOf } from '../api/accounts/account.records.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { route, type Route } from '../platform/http/route.ts';
import { payouts, toPayout } from '../api/payouts/payout.records.ts';
import { Payout, PayoutStatus } from '../api/payouts/payout.schema.ts';
import { applyPayoutEvent } from '../api/payouts/payouts.ts';
import { STATUS_EVENTS } from './payout-outcomes.ts';

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
      const row = (await payouts.findAny(tx, found.id))!;
      const moved = await applyPayoutEvent(tx, services, row, { type: STATUS_EVENTS[wanted] });
      if (!moved) throw new Refusal('payout_settled', { status: row.status, wanted });
      return toPayout(moved);
    }),
});

/** Routes that act for the bank and for reviews of payouts. */
export const payoutOutcomeRoutes: readonly Route[] = [settlePayoutRoute];
