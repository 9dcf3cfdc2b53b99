import { requiredActionOf } from '../../api/payments/session-parts.ts';
import type { PaymentSessionRow } from '../../api/payments/payment-session-row.ts';
import { refuseNotOpen } from '../../api/payments/payment-session.rules.ts';
import { isAllowed, objectAction, type ActionContext } from './object-action.ts';
import type { ObjectAction } from './object-action.schema.ts';

const IDENTIFICATION = { outcome: 'Identified', name: 'identify', label: 'Send the fingerprint' } as const;
const CHALLENGE = [
  { outcome: 'Authenticated', name: 'authenticate', label: 'Approve as the cardholder' },
  { outcome: 'Failed', name: 'fail-authentication', label: 'Cancel as the cardholder' },
] as const;

/** Returns what a payment session that waits for 3-D Secure allows: what its cardholder can do. */
export async function authenticationActions(
  { services: { clock } }: ActionContext,
  session: PaymentSessionRow,
): Promise<ObjectAction[]> {
  const required = session.status === 'PendingAction' ? requiredActionOf(session) : undefined;
  if (!required || !(await isAllowed(() => refuseNotOpen(session, clock.nowMs())))) return [];
  const outcomes = required.type === 'Identify' ? [IDENTIFICATION] : CHALLENGE;
  return outcomes.map(({ outcome, name, label }) =>
    objectAction({
      operation: 'POST /sandbox/payment-sessions/{id}/authentication',
      params: { id: session.id },
      accountId: session.account_id,
      name,
      label,
      body: { outcome },
    }),
  );
}
