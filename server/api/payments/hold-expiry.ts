import type { PaymentSessionRow } from './payment-session-row.ts';
import { findApprovalMs } from './payment-transaction.records.ts';
import type { PaymentContext } from './session-events.ts';
import { HOLD_MS } from './session-parts.ts';
import { expireHold, HOLD_JOB } from './settlement.ts';

/** Ends the hold of a session whose time has come, also before its job does. Returns the session as it is then. */
export async function expireHoldIfDue(context: PaymentContext): Promise<PaymentSessionRow> {
  const { tx, services, session } = context;
  const nowMs = services.clock.nowMs();
  const isHeld =
    session.status === 'Approved' && session.capture_flow === 'Manual' && session.verify_account === 0;
  if (!isHeld || nowMs < session.created_ms + HOLD_MS) return session;
  const approvedMs = await findApprovalMs(tx, session.id);
  if (approvedMs === undefined || nowMs < approvedMs + HOLD_MS) return session;
  await services.jobs.cancel(tx, HOLD_JOB, session.id);
  return expireHold(context);
}
