import { toTimestamp } from '../../../protocol/clock.ts';
import { parseJson } from '../../platform/store/json-text.ts';
import {
  detailsOf,
  paymentMethodOf,
  requiredActionOf,
  settingsOf,
  splitsOf,
  type PaymentSessionRow,
} from './payment-session-row.ts';
import type { PaymentSession, SessionEventData } from './payment-session.schema.ts';

/** Returns a session without the client secret, which is never recorded (Spec §2.2). */
export function toPaymentSessionWithoutSecret(row: PaymentSessionRow): Omit<PaymentSession, 'clientSecret'> {
  const paymentMethod = paymentMethodOf(row);
  const requiredAction = row.status === 'PendingAction' ? requiredActionOf(row) : undefined;
  return {
    id: row.id,
    amount: row.amount_minor,
    currency: row.currency,
    paymentType: row.payment_type,
    entryMode: row.entry_mode,
    ...customerOf(row),
    ...(row.previous_session_id !== null && { previousPayment: { id: row.previous_session_id } }),
    enabledPaymentMethods: ['Card'],
    ...(paymentMethod && { paymentMethod }),
    ...(row.platform_fee_minor !== null && { platformFee: row.platform_fee_minor }),
    splitPaymentDetail: { items: splitsOf(row) },
    status: row.status,
    metadata: parseJson(row.metadata),
    ...(row.last_error !== null && { lastError: row.last_error }),
    refundedAmount: row.refunded_minor,
    statementDescriptor: parseJson(row.statement_descriptor),
    ...(requiredAction && { requiredAction }),
    returnUrl: row.return_url,
    authorizationType: row.authorization_type,
    captureFlow: row.capture_flow,
    ...(row.verify_account === 1 && { verifyAccount: true }),
    ...(row.payment_settings && { paymentSettings: settingsOf(row) }),
    createdTimestamp: toTimestamp(row.created_ms),
    lastUpdatedTimestamp: toTimestamp(row.updated_ms),
  };
}

/** Returns a session as its events contain it, with the transaction that the event is about. */
export function toSessionEventData(
  row: PaymentSessionRow,
  paymentTransactionId: string | undefined,
): SessionEventData {
  const { paymentMethod, ...session } = toPaymentSessionWithoutSecret(row);
  const id = paymentMethod?.tokenizedDetails?.id;
  return {
    ...session,
    ...(paymentMethod && { paymentMethod: { ...paymentMethod, ...(id !== undefined && { id }) } }),
    ...(paymentTransactionId !== undefined && { paymentTransactionId }),
  };
}

// Client libraries read the customer's id in `customerDetails`; the specification names it `customerId`.
function customerOf(row: PaymentSessionRow): Partial<PaymentSession> {
  const {
    customerDetails,
    passThroughProcessingFee: _noSplits,
    authenticatedElsewhere: _no3ds,
    declineNext: _control,
    authenticateCard: _asked,
    ...details
  } = detailsOf(row);
  const known = row.customer_id !== null || customerDetails !== undefined;
  return {
    ...(row.customer_email !== null && { customerEmail: row.customer_email }),
    ...(row.customer_id !== null && { customerId: row.customer_id }),
    ...(known && {
      customerDetails: { ...(row.customer_id !== null && { id: row.customer_id }), ...customerDetails },
    }),
    ...details,
  };
}

/** Returns a session as the API shows it to its account, with the client secret. */
export function toPaymentSession(row: PaymentSessionRow): PaymentSession {
  return { ...toPaymentSessionWithoutSecret(row), clientSecret: row.client_secret };
}
