import { Type } from '../../../protocol/schema.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import type { RefusalName } from '../../platform/http/refusals.ts';
import { routeFor, type FindContext, type Route } from '../../platform/http/route.ts';
import { today, TimeWindow } from '../../platform/http/time-window.ts';
import { SessionCreation, SessionUpdate } from './payment-session-request.schema.ts';
import type { PaymentSessionRow } from './payment-session-row.ts';
import { toPaymentSession } from './payment-session-view.ts';
import { PAYMENT_GUARDS, paymentSessions, sessionList } from './payment-session.records.ts';
import { PaymentSession } from './payment-session.schema.ts';
import { findSessionReply, readSessionPage, replyOfSaved } from './payment-session-reply.ts';
import { findSessionBySecret } from './session-by-secret.ts';
import { createSessionFromRequest, relockSession } from './session-request.ts';
import { updateSession } from './session-update.ts';
import type { PaymentServices } from './payment-services.ts';

const route = routeFor<PaymentServices>();

/** Finds the session of `{paymentSessionId}` in a path, for the caller's account. */
export function sessionById({
  services: { store },
  caller,
  params,
}: FindContext<'paymentSessionId'>): Promise<PaymentSessionRow | undefined> {
  return paymentSessions.find(store, caller.accountId, params.paymentSessionId);
}

const TERMS: RefusalName[] = [
  'amount_out_of_range',
  'currency_disabled',
  'verification_terms',
  'fee_without_account',
  'fee_too_large',
  'fee_account',
  'splits_not_allowed',
  'splits_too_large',
  'split_account',
  'split_fee_too_large',
  'return_url',
  'not_found',
];

const common = { tag: 'Payment session', section: 'Spec §4.1', accountHeader: true };

const createPaymentSessionRoute = route({
  ...common,
  operation: 'POST /payment-sessions',
  summary: 'Create a payment session',
  section: 'Spec §2.2, §4.1',
  body: SessionCreation,
  reply: PaymentSession,
  refusals: [
    ...TERMS,
    'moto_not_allowed',
    'preauth_not_allowed',
    'series_mismatch',
    'customer_unnamed',
    'email_missing',
    'method_of_another',
    'method_used_once',
    'one_payment_method',
    'store_missing',
  ],
  handle: async ({ services, caller, body }) =>
    replyOfSaved(
      await services.store.transaction(
        (tx) => createSessionFromRequest(tx, services, caller, body),
        // A session by itself is a new row, which no rule holds to others.
        body.attemptPayment ? PAYMENT_GUARDS : { guardedBy: [] },
      ),
    ),
});

const listPaymentSessionsRoute = route({
  ...common,
  operation: 'GET /payment-sessions',
  summary: 'List payment sessions; by default those created today',
  query: Type.Object({ ...TimeWindow, ...PageQuery.properties }),
  reply: Page(PaymentSession),
  refusals: ['unknown_token', 'window_backwards'],
  async handle({ services: { clock, store }, caller, query }) {
    const { startTimestamp = today(clock.nowMs()).startTimestamp, endTimestamp } = query;
    const window = { startTimestamp, ...(endTimestamp !== undefined && { endTimestamp }) };
    return readSessionPage(store, sessionList(caller.accountId, window), query);
  },
});

const getPaymentSessionRoute = route({
  ...common,
  operation: 'GET /payment-sessions/{paymentSessionId}',
  summary: 'Retrieve a payment session. The public key requires its client secret.',
  access: 'public',
  query: Type.Object({
    clientSecret: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Client secret of the payment session. Required with the public key.',
      }),
    ),
  }),
  reply: PaymentSession,
  async find({ services, caller, params, query }) {
    if (caller.keyKind === 'secret') {
      return findSessionReply(services.store, caller.accountId, params.paymentSessionId);
    }
    const { clientSecret = '' } = query;
    const session = await findSessionBySecret(services.store, caller, {
      id: params.paymentSessionId,
      clientSecret,
    });
    return session && toPaymentSession(session);
  },
  handle: async ({ found }) => found,
});

const updatePaymentSessionRoute = route({
  ...common,
  operation: 'PATCH /payment-sessions/{paymentSessionId}',
  summary: 'Update a payment session that is not approved yet',
  body: SessionUpdate,
  reply: PaymentSession,
  refusals: [...TERMS, 'session_final', 'session_expired', 'in_person_update', 'email_set'],
  find: sessionById,
  handle: ({ services, caller, body, found }) =>
    services.store.transaction(async (tx) => {
      const session = await relockSession(tx, services, found);
      return replyOfSaved(await updateSession(tx, services, caller, session, body));
    }, PAYMENT_GUARDS),
});

export const paymentSessionRoutes: readonly Route[] = [
  createPaymentSessionRoute,
  listPaymentSessionsRoute,
  getPaymentSessionRoute,
  updatePaymentSessionRoute,
];
