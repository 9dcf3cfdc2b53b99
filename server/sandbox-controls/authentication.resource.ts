import { Id, Type } from '../../protocol/schema.ts';
import { PaymentSession } from '../api/payments/payment-session.schema.ts';
import { accountScopeOf } from '../api/accounts/account.records.ts';
import { continuePayment } from '../api/payments/continue-payment.ts';
import { PAYMENT_GUARDS, paymentSessions } from '../api/payments/payment-session.records.ts';
import { relockSession } from '../api/payments/session-request.ts';
import { strikeChallenge } from '../bank/bank-faults.ts';
import { requiredActionOf, type PaymentSessionRow } from '../api/payments/payment-session-row.ts';
import { challengeResult, fingerprintOf } from '../bank/three-ds/three-ds.ts';
import { findRun } from '../bank/three-ds/three-ds.records.ts';
import { Refusal } from '../platform/http/refusals.ts';
import { routeFor, type Route } from '../platform/http/route.ts';
import type { PaymentServices } from '../api/payments/payment-services.ts';

const AuthenticationOutcome = Type.Object({
  outcome: Type.Enum(['Identified', 'Authenticated', 'Failed'], {
    description:
      '`Identified` sends the fingerprint of the device, for the required action Identify. For Challenge and Redirect: `Authenticated` when the cardholder approves with the right code, `Failed` when the cardholder cancels.',
  }),
});

const Authentication = Type.Object({
  paymentSessionId: Id('paymentSession'),
  status: PaymentSession.properties.status,
});

const route = routeFor<PaymentServices>();

const authenticateRoute = route({
  surface: 'sandbox',
  tag: 'Sandbox payment',
  section: 'Sandbox',
  access: 'dashboard',
  accountHeader: true,
  operation: 'POST /sandbox/payment-sessions/{id}/authentication',
  summary: 'Continue a payment that waits for 3-D Secure, as its cardholder',
  body: AuthenticationOutcome,
  reply: Authentication,
  refusals: ['no_required_action', 'other_action', 'session_final', 'session_expired', 'not_owed'],
  async find({ services: { store }, caller, params }) {
    const session = await paymentSessions.findWithin(store, accountScopeOf(caller), params.id);
    if (!session) throw new Refusal('not_found', { what: 'payment session' });
    return session;
  },
  async handle({ services, body: { outcome }, found }) {
    // Before the transaction, which the engine may run again.
    const struck =
      outcome === 'Authenticated' && isChallenged(found) ? strikeChallenge(services, found.id) : undefined;
    return services.store.transaction(async (tx) => {
      const session = await relockSession(tx, services, found);
      if (struck === 'leaves') return { paymentSessionId: session.id, status: session.status };
      const run = await findRun(tx, session.three_ds_run_id ?? '');
      if (!run) throw new Refusal('no_required_action');
      const data =
        outcome === 'Identified'
          ? { fingerprint: fingerprintOf(run) }
          : { challengeResult: challengeResult(run, outcome === 'Authenticated' && !struck) };
      const { id: paymentSessionId, status } = await continuePayment(tx, services, session, data);
      return { paymentSessionId, status };
    }, PAYMENT_GUARDS);
  },
});

/** Returns whether a payment waits for the answer of its cardholder. */
function isChallenged(session: PaymentSessionRow): boolean {
  return session.status === 'PendingAction' && requiredActionOf(session)?.type !== 'Identify';
}

/** Routes that authenticate the cardholder of a payment in place of the browser. */
export const authenticationRoutes: readonly Route[] = [authenticateRoute];
