import { Id, Nullable, Type } from '../../protocol/schema.ts';
import { DECLINE_CODES } from '../bank/issuer/decline-codes.ts';
import { FAILABLE_TYPES, setNextFailure } from '../api/payments/settlement-failure.ts';
import { accountScopeOf } from '../api/accounts/account.records.ts';
import type { PaymentServices } from '../api/payments/payment-services.ts';
import { routeFor, type FindContext, type Route } from '../platform/http/route.ts';
import { PAYMENT_GUARDS, paymentSessions } from '../api/payments/payment-session.records.ts';
import { relockSession } from '../api/payments/session-request.ts';
import { setNextDecline } from '../api/payments/session-update.ts';

const route = routeFor<PaymentServices>();

const SettlementFailureRequest = Type.Object({
  type: Nullable(
    Type.Enum([...FAILABLE_TYPES]),
    'Type of the transaction to fail; null cancels an earlier request',
  ),
});

const NextDeclineRequest = Type.Object({
  code: Nullable(
    Type.Enum([...DECLINE_CODES]),
    'Code with which the next attempt is declined, as `lastError`; null cancels an earlier request',
  ),
});

const NextDecline = Type.Object({
  paymentSessionId: Id('paymentSession'),
  code: Nullable(Type.Enum([...DECLINE_CODES]), 'Code of the next decline; null for none'),
});

const SettlementFailure = Type.Object({
  paymentSessionId: Id('paymentSession'),
  type: Nullable(Type.Enum([...FAILABLE_TYPES]), 'Type of the transaction that will fail; null for none'),
});

const common = {
  surface: 'sandbox',
  tag: 'Sandbox payment',
  section: 'Sandbox',
  access: 'dashboard',
  accountHeader: true,
  find: ({ services: { store }, caller, params }: FindContext<'paymentSessionId'>) =>
    paymentSessions.findWithin(store, accountScopeOf(caller), params.paymentSessionId),
} as const;

const failNextRoute = route({
  ...common,
  operation: 'POST /sandbox/payment-sessions/{paymentSessionId}/fail-next',
  summary: 'Make the next capture, void or refund of a payment session fail after it was accepted',
  body: SettlementFailureRequest,
  reply: SettlementFailure,
  handle: ({ services, body, found }) =>
    services.store.transaction(async (tx) => {
      const session = await relockSession(tx, services, found);
      await setNextFailure(tx, services, session, body.type ?? undefined);
      return { paymentSessionId: session.id, type: body.type };
    }, PAYMENT_GUARDS),
});

const declineNextRoute = route({
  ...common,
  operation: 'POST /sandbox/payment-sessions/{paymentSessionId}/decline-next',
  summary: 'Decline the next attempt to pay a payment session, with any code',
  body: NextDeclineRequest,
  reply: NextDecline,
  refusals: ['session_final', 'session_expired', 'in_person_attempt'],
  handle: ({ services, body, found }) =>
    services.store.transaction(async (tx) => {
      const session = await relockSession(tx, services, found);
      await setNextDecline(tx, services, session, body.code ?? undefined);
      return { paymentSessionId: session.id, code: body.code };
    }, PAYMENT_GUARDS),
});

/** Routes that let a card scheme fail a capture, void or refund after accepting it, and an issuer decline an attempt. */
export const settlementFailureRoutes: readonly Route[] = [failNextRoute, declineNextRoute];
