import { PositiveAmount, Type, withDescription } from '../../protocol/schema.ts';
import type { DisputeEvent } from '../api/disputes/dispute.machine.ts';
import { DisputeCategory, DisputeReason, Dispute } from '../api/disputes/dispute.schema.ts';
import { accountScopeOf } from '../api/accounts/account.records.ts';
import { disputes, toDispute, visibleTo } from '../api/disputes/dispute.records.ts';
import {
  DISPUTE_GUARDS,
  lockDispute,
  applyDisputeEvent,
  loseIfOverdue,
  openDispute,
} from '../api/disputes/disputes.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { routeFor, type Route } from '../platform/http/route.ts';
import { relockSession } from '../api/payments/session-request.ts';
import { paymentSessions } from '../api/payments/payment-session.records.ts';
import type { PaymentServices } from '../api/payments/payment-services.ts';

/** The event that decides a dispute with each outcome, or withdraws it. */
export const OUTCOME_EVENTS = {
  Won: 'dispute.won',
  Lost: 'dispute.lost',
  Cancelled: 'dispute.withdrawn',
} as const satisfies Record<string, DisputeEvent['type']>;

const DisputeOpen = Type.Object({
  amount: Type.Optional(
    withDescription(
      PositiveAmount,
      'Amount to dispute, in minor units of the currency of the payment session. Defaults to all that is not refunded.',
    ),
  ),
  category: Type.Optional(
    withDescription(DisputeCategory, 'Category of the reason. A usual one by default.'),
  ),
  reason: Type.Optional(
    withDescription(DisputeReason, 'Reason, as the card scheme classifies it. A usual one by default.'),
  ),
});

const route = routeFor<PaymentServices>();

const common = {
  surface: 'sandbox',
  tag: 'Sandbox dispute',
  section: 'Sandbox',
  access: 'dashboard',
  accountHeader: true,
  reply: Dispute,
} as const;

const openDisputeRoute = route({
  ...common,
  operation: 'POST /sandbox/payment-sessions/{id}/disputes',
  summary: 'Dispute a captured payment as its cardholder',
  body: DisputeOpen,
  refusals: ['not_disputable', 'nothing_left', 'dispute_too_large', 'refund_in_flight'],
  async find({ services: { store }, caller, params }) {
    const session = await paymentSessions.findWithin(store, accountScopeOf(caller), params.id);
    if (!session) throw new Refusal('not_found', { what: 'payment session' });
    return session;
  },
  handle: ({ services, found, body: { amount: amountMinor, category, reason } }) =>
    services.store.transaction(async (tx) => {
      const session = await relockSession(tx, services, found);
      return toDispute(await openDispute(tx, services, session, { amountMinor, category, reason }));
    }, DISPUTE_GUARDS),
});

const decideDisputeRoute = route({
  ...common,
  operation: 'POST /sandbox/disputes/{id}/outcome',
  summary: 'Decide a challenged dispute, or withdraw a dispute as its cardholder',
  body: Type.Object({
    status: Type.Enum(['Won', 'Lost', 'Cancelled'], {
      description: 'How the card scheme decides, or `Cancelled` when the cardholder withdraws the dispute',
    }),
  }),
  refusals: ['dispute_state'],
  async find({ services: { store }, caller, params }) {
    const dispute = await disputes.findWithin(store, visibleTo(caller), params.id);
    if (!dispute) throw new Refusal('not_found', { what: 'dispute' });
    return dispute;
  },
  handle: ({ services, found, body }) =>
    services.store.transaction(async (tx) => {
      const dispute = await lockDispute(tx, found.id);
      if (!dispute) throw new Refusal('not_found', { what: 'dispute' });
      const row = await loseIfOverdue(tx, services, dispute);
      const moved = await applyDisputeEvent(tx, services, row, { type: OUTCOME_EVENTS[body.status] });
      if (!moved) throw new Refusal('dispute_state', { status: row.status });
      return toDispute(moved);
    }, DISPUTE_GUARDS),
});

/** Routes that act for cardholders and card schemes. */
export const disputeControlRoutes: readonly Route[] = [openDisputeRoute, decideDisputeRoute];
