import type { SessionStanding } from './payment-session.machine.ts';
import type { PaymentSessionRow, SessionDetails } from './payment-session.records.ts';
import type { PaymentMethod, PaymentSettings } from './payment-session.schema.ts';
import type { RequiredAction } from './required-action.schema.ts';
import type { Split } from './split.schema.ts';

/** How long a session can be paid, and how long an approved amount is held (docs/choices.md, Payment sessions). */
export const SESSION_LIFETIME_MS = 7 * 86_400_000;
export const HOLD_MS = 7 * 86_400_000;

/** Where a session stands at an instant: one that was not paid in time has expired. */
export function standingOf(row: PaymentSessionRow, nowMs: number): SessionStanding {
  return {
    phase: phaseOf(row, nowMs),
    amountMinor: row.amount_minor,
    capturedMinor: row.captured_minor,
    refundedMinor: row.refunded_minor,
    verifyAccount: row.verify_account === 1,
  };
}

function phaseOf(row: PaymentSessionRow, nowMs: number): SessionStanding['phase'] {
  switch (row.status) {
    case 'Approved':
      return 'approved';
    case 'Captured':
      return 'captured';
    case 'Voided':
      return 'voided';
    default:
  }
  if (nowMs >= row.created_ms + SESSION_LIFETIME_MS) return 'expired';
  if (row.status !== 'PendingAction') return 'awaitingPayment';
  return requiredActionOf(row)?.type === 'Identify' ? 'identifying' : 'challenging';
}

export function requiredActionOf(row: PaymentSessionRow): RequiredAction | undefined {
  return row.required_action === null ? undefined : (JSON.parse(row.required_action) as RequiredAction);
}

export function paymentMethodOf(row: PaymentSessionRow): PaymentMethod | undefined {
  return row.payment_method === null ? undefined : (JSON.parse(row.payment_method) as PaymentMethod);
}

/** How the session is to be paid, as far as its maker said so. */
export function settingsOf(row: PaymentSessionRow): PaymentSettings {
  return row.payment_settings === null ? {} : (JSON.parse(row.payment_settings) as PaymentSettings);
}

export function splitsOf(row: PaymentSessionRow): Split[] {
  return row.splits === null ? [] : (JSON.parse(row.splits) as Split[]);
}

export function detailsOf(row: PaymentSessionRow): SessionDetails {
  return JSON.parse(row.details) as SessionDetails;
}
