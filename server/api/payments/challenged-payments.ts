import type { ChallengedPayments } from '../../bank/three-ds/challenged-payments.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { continuePayment } from './continue-payment.ts';
import { paymentSessions } from './payment-session.records.ts';
import type { Services } from '../../platform/services.ts';
import { paymentMethodOf } from './session-parts.ts';
import { parseJson } from '../../platform/store/json-text.ts';

/**
 * Gives the issuer's challenge page access to payments.
 * @param services returns those of the sandbox
 */
export const challengedPayments = (services: () => Services): ChallengedPayments => ({
  async find(queries, sessionId) {
    const session = await paymentSessions.findAny(queries, sessionId);
    if (!session) return undefined;
    const { descriptor } = parseJson(session.statement_descriptor);
    return {
      id: session.id,
      awaitedRunId: session.status === 'PendingAction' ? session.three_ds_run_id : null,
      shop: descriptor,
      amountMinor: session.amount_minor,
      currency: session.currency,
      card: paymentMethodOf(session)?.card,
      returnUrl: session.return_url,
    };
  },

  async continue(sessionId, challengeResult) {
    try {
      await services().store.transaction(async (tx) => {
        const session = await paymentSessions.findAny(tx, sessionId);
        if (session) await continuePayment(tx, services(), session, { challengeResult });
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  },
});
