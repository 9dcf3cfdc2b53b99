import { Fault } from '../../../protocol/failures.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { isFingerprint, readChallengeResult } from '../../bank/three-ds/three-ds-messages.ts';
import { findRun } from '../../bank/three-ds/three-ds.records.ts';
import { challengeAction } from '../../bank/three-ds/three-ds.ts';
import { settleAuthenticated } from './attempt-payment.ts';
import { paymentMethodOf, requiredActionOf, type PaymentSessionRow } from './payment-session-row.ts';
import { refuseNotOpen } from './payment-session.rules.ts';
import { requireAction } from './settlement.ts';
import type { ChallengedPayments } from '../../bank/three-ds/challenge-page.ts';
import { PAYMENT_GUARDS, lockSessionToPay, paymentSessions } from './payment-session.records.ts';
import type { PaymentServices } from './payment-services.ts';
import { parseJson } from '../../platform/store/json-text.ts';

/** The 3DS result of a browser or an app: exactly one of the members. */
interface ThreeDsData {
  fingerprint?: string | undefined;
  challengeResult?: string | undefined;
  appAuthentication?: object | undefined;
}

/**
 * Continues a payment after a required action (Spec §4.1; docs/choices.md, 3DS).
 * @throws Refusal when the session requires no action, or another one.
 */
export async function continuePayment(
  tx: Transaction,
  services: Services,
  session: PaymentSessionRow,
  data: ThreeDsData,
): Promise<PaymentSessionRow> {
  refuseSeveral(data);
  refuseNotOpen(session, services.clock.nowMs());
  const action = session.status === 'PendingAction' ? requiredActionOf(session) : undefined;
  if (!action) throw new Refusal('no_required_action');
  if ((action.type === 'Identify') === (data.challengeResult !== undefined))
    throw new Refusal('other_action', { type: action.type });
  const run = await findRun(tx, session.three_ds_run_id ?? '');
  if (!run) throw new Fault('internal', 'a required action without its authentication');
  if (data.challengeResult !== undefined) {
    const authenticated = readChallengeResult(data.challengeResult, run.id);
    if (authenticated === undefined) throw undecodable('challengeResult');
    return settleAuthenticated(tx, services, session, authenticated);
  }
  if (data.fingerprint !== undefined && !isFingerprint(data.fingerprint)) throw undecodable('fingerprint');
  if (run.challenge === 0) return settleAuthenticated(tx, services, session, true);
  return requireAction(
    { tx, services, session },
    { action: challengeAction(services, run), paymentMethod: paymentMethodOf(session)!, runId: run.id },
  );
}

function refuseSeveral(data: ThreeDsData): void {
  const given = Object.values(data).filter((value) => value !== undefined);
  if (given.length !== 1) throw new Refusal('one_of_three_ds');
}

function undecodable(member: string): Refusal {
  return new Refusal('three_ds_data', { field: `threeDs.${member}` });
}

/**
 * Gives the issuer's challenge page access to payments.
 * @param services returns those of the sandbox
 */
export const challengedPayments = (services: () => PaymentServices): ChallengedPayments => ({
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
      const { store } = services();
      const found = await paymentSessions.findAny(store, sessionId);
      if (!found) return;
      await store.transaction(async (tx) => {
        const session = await lockSessionToPay(tx, services(), found);
        if (session) await continuePayment(tx, services(), session, { challengeResult });
      }, PAYMENT_GUARDS);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  },
});
