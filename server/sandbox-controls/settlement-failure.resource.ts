import { accountScopeOf } from '../api/accounts/account-scope.ts';
import { route, type Route } from '../platform/http/route.ts';
import { findAnySession, findSessionWithin } from '../api/payments/payment-session.records.ts';
import { setNextFailure } from '../api/payments/settlement-failure.ts';
import { SettlementFailure, SettlementFailureRequest } from './settlement-failure.schema.ts';

const failNextRoute = route({
  surface: 'sandbox',
  tag: 'Sandbox payment',
  section: 'Sandbox',
  access: 'dashboard',
  accountHeader: true,
  operation: 'POST /sandbox/payment-sessions/{paymentSessionId}/fail-next',
  summary: 'Make the next capture, void or refund of a payment session fail after it was accepted',
  body: SettlementFailureRequest,
  cleared: ['type'],
  reply: SettlementFailure,
  find: ({ services: { store }, caller, params }) =>
    findSessionWithin(store, accountScopeOf(caller), params.paymentSessionId),
  handle: ({ services, body, found }) =>
    services.store.transaction(async (tx) => {
      const session = (await findAnySession(tx, found.id))!;
      await setNextFailure(tx, services, session, body.type ?? undefined);
      return { paymentSessionId: session.id, type: body.type };
    }),
});

/** Routes that let a card scheme fail a capture, void or refund after accepting it. */
export const settlementFailureRoutes: readonly Route[] = [failNextRoute];
