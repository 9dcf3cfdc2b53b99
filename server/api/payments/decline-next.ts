import type { DeclineCode } from '../../bank/issuer/decline-codes.ts';
import type { Context } from '../../platform/context.ts';
import { jsonText } from '../../platform/store/json-text.ts';
import type { Transaction } from '../../platform/store/store.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { saveSession } from './payment-session.records.ts';
import { refuseInPersonAttempt, refuseNotOpen } from './payment-session.rules.ts';
import { detailsOf } from './session-parts.ts';

/**
 * Sets the code with which the next attempt to pay a session is declined; undefined for none.
 * @throws Refusal for a session that cannot be attempted.
 */
export async function setNextDecline(
  tx: Transaction,
  { clock }: Context,
  session: PaymentSessionRow,
  code: DeclineCode | undefined,
): Promise<void> {
  refuseInPersonAttempt(session);
  refuseNotOpen(session, clock.nowMs());
  const { declineNext: _before, ...details } = detailsOf(session);
  const changed = jsonText({ ...details, ...(code !== undefined && { declineNext: code }) });
  await saveSession(tx, session, { ...session, details: changed }, clock.nowMs());
}
