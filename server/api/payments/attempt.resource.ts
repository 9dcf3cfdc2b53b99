import { routeFor, type Route } from '../../platform/http/route.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { attemptPayment } from './attempt-payment.ts';
import { AttemptRequest, ContinueRequest } from './attempt.schema.ts';
import { continuePayment } from './continue-payment.ts';
import { toPaymentSession } from './payment-session-view.ts';
import { PaymentSession } from './payment-session.schema.ts';
import { PAYMENT_GUARDS } from './payment-session.records.ts';
import { readAttempt } from './payment-instrument.ts';
import { requireSessionBySecret } from './session-by-secret.ts';
import { relockSession } from './session-request.ts';
import type { PaymentServices } from './payment-services.ts';

const route = routeFor<PaymentServices>();

const common = {
  tag: 'Payment session',
  section: 'Spec §4.1',
  access: 'public',
  accountHeader: true,
  reply: PaymentSession,
} as const;

const attemptPaymentRoute = route({
  ...common,
  operation: 'POST /payment-sessions/attempt-payment',
  summary: 'Attempt to pay a payment session. A decline sets lastError.',
  body: AttemptRequest,
  refusals: [
    'not_found',
    'one_payment_method',
    'email_missing',
    'session_final',
    'session_expired',
    'in_person_attempt',
    'method_of_another',
    'method_used_once',
    'not_owed',
    'store_missing',
    'public_key',
  ],
  async handle({ services, caller, body }) {
    if (body.walletNetworkToken && caller.keyKind !== 'secret') throw new Refusal('public_key');
    const found = await requireSessionBySecret(services.store, caller, body.clientSecret);
    const attempt = readAttempt(body, services.clock.nowMs());
    return services.store.transaction(async (tx) => {
      const session = await relockSession(tx, services, found);
      return toPaymentSession(await attemptPayment(tx, services, session, attempt));
    }, PAYMENT_GUARDS);
  },
});

const continuePaymentRoute = route({
  ...common,
  operation: 'POST /payment-sessions/continue-payment',
  summary: 'Continue a payment after its required action',
  body: ContinueRequest,
  refusals: [
    'not_found',
    'one_of_three_ds',
    'three_ds_data',
    'no_required_action',
    'other_action',
    'session_final',
    'session_expired',
    'not_owed',
  ],
  async handle({ services, caller, body }) {
    const found = await requireSessionBySecret(services.store, caller, body.clientSecret);
    return services.store.transaction(async (tx) => {
      const session = await relockSession(tx, services, found);
      return toPaymentSession(await continuePayment(tx, services, session, body.threeDs));
    }, PAYMENT_GUARDS);
  },
});

/** Routes of a front end: attempt a payment and continue it after a required action. Open to both keys (Spec §4.1). */
export const attemptRoutes: readonly Route[] = [attemptPaymentRoute, continuePaymentRoute];
