import { readPage, showPage } from '../../platform/http/paging.ts';
import { Page } from '../../platform/http/paging.schema.ts';
import { routeFor, type FindContext, type Route } from '../../platform/http/route.ts';
import { listCreatedWithin, today } from '../../platform/http/time-window.ts';
import { toPaymentSession } from '../payments/payment-session-view.ts';
import { PAYMENT_GUARDS } from '../payments/payment-session.records.ts';
import { PaymentSession } from '../payments/payment-session.schema.ts';
import { createSubscription, updateSubscription } from './subscription-changes.ts';
import { applyOrRefuse, changeSubscription, readSubscriptions } from './subscription-service.ts';
import { sessionsOfSubscription, subscriptions, type SubscriptionRow } from './subscription.records.ts';
import { refusePastResume } from './subscription.rules.ts';
import {
  Subscription,
  SubscriptionCancel,
  SubscriptionCreate,
  SubscriptionPause,
  SubscriptionUpdate,
  WindowedPage,
} from './subscription.schema.ts';
import type { PaymentServices } from '../payments/payment-services.ts';

const route = routeFor<PaymentServices>();

const TERMS = ['currency_disabled', 'amount_out_of_range', 'in_past', 'not_found'] as const;

const common = { tag: 'Subscription', section: 'Spec §4.8', accountHeader: true };

const find = ({ services: { store }, caller, params }: FindContext<'subscriptionId'>) =>
  subscriptions.find(store, caller.accountId, params.subscriptionId);

const createSubscriptionRoute = route({
  ...common,
  operation: 'POST /subscriptions',
  summary: 'Create a subscription. With a stored payment method it is billed when it starts.',
  body: SubscriptionCreate,
  reply: Subscription,
  refusals: TERMS,
  async handle({ services, caller, body }) {
    const row = await services.store.transaction(
      (tx) => createSubscription(tx, services, caller.accountId, body),
      PAYMENT_GUARDS,
    );
    return (await readSubscriptions(services.store, [row]))[0]!;
  },
});

const listSubscriptionsRoute = route({
  ...common,
  operation: 'GET /subscriptions',
  summary: 'List subscriptions; by default those created today',
  query: WindowedPage,
  reply: Page(Subscription),
  refusals: ['unknown_token', 'window_backwards'],
  async handle({ services: { clock, store }, caller, query }) {
    const window = { ...today(clock.nowMs()), ...query };
    const list = listCreatedWithin(subscriptions.listOf(caller.accountId), window);
    const { rows, paginationToken } = await readPage<SubscriptionRow>(store, list, query);
    return { items: await readSubscriptions(store, rows), paginationToken };
  },
});

const getSubscriptionRoute = route({
  ...common,
  operation: 'GET /subscriptions/{subscriptionId}',
  summary: 'Retrieve a subscription',
  reply: Subscription,
  find,
  handle: async ({ services: { store }, found }) => (await readSubscriptions(store, [found]))[0]!,
});

const updateSubscriptionRoute = route({
  ...common,
  operation: 'PATCH /subscriptions/{subscriptionId}',
  summary: 'Update a subscription. A new price applies from the next cycle.',
  body: SubscriptionUpdate,
  reply: Subscription,
  refusals: [...TERMS, 'too_few_cycles', 'subscription_over'],
  find,
  handle: ({ services, found, body }) =>
    changeSubscription(services, found, (tx, row) => updateSubscription(tx, services, row, body)),
});

const pauseSubscriptionRoute = route({
  ...common,
  operation: 'PATCH /subscriptions/{subscriptionId}/pause',
  access: 'sandboxDashboard',
  summary: 'Schedule a pause from the next billing on, update it, or remove it',
  body: SubscriptionPause,
  reply: Subscription,
  refusals: ['not_in_future', 'pause_refused', 'no_pause_scheduled'],
  find,
  async handle({ services, found, body }) {
    if (body.unschedule) return applyOrRefuse(services, found, 'pause.cancelled', 'no_pause_scheduled');
    const resumeAt = body.resumeAtTimestamp ?? body.resumeTimestamp;
    refusePastResume(resumeAt, services.clock.nowMs());
    return applyOrRefuse(services, found, 'pause.requested', 'pause_refused', {
      ...(body.reason !== undefined && { pause_reason: body.reason }),
      ...(resumeAt !== undefined && { resume_ms: resumeAt * 1000 }),
    });
  },
});

const resumeSubscriptionRoute = route({
  ...common,
  operation: 'PATCH /subscriptions/{subscriptionId}/resume',
  access: 'sandboxDashboard',
  summary: 'Resume a paused subscription, which is billed immediately',
  reply: Subscription,
  refusals: ['not_paused'],
  find,
  handle: ({ services, found }) => applyOrRefuse(services, found, 'resume.requested', 'not_paused'),
});

// Client libraries disagree about the path (docs/choices.md, Subscriptions).
const cancelSubscriptionRoutes = (
  ['/subscriptions/{subscriptionId}/cancel', '/subscriptions/{subscriptionId}'] as const
).map((path) =>
  route({
    ...common,
    operation: `DELETE ${path}`,
    access: 'sandboxDashboard',
    summary: 'Cancel a subscription immediately',
    body: SubscriptionCancel,
    reply: Subscription,
    refusals: ['subscription_over'],
    find,
    handle: ({ services, found, body }) =>
      applyOrRefuse(services, found, 'subscription.cancelled', 'subscription_over', {
        cancel_reason: body.reason ?? null,
      }),
  }),
);

const listSubscriptionSessionsRoute = route({
  ...common,
  operation: 'GET /subscriptions/{subscriptionId}/payment-sessions',
  summary: 'List the payment sessions of a subscription',
  query: WindowedPage,
  reply: Page(PaymentSession),
  refusals: ['unknown_token', 'window_backwards'],
  find,
  async handle({ services: { clock, store }, found, query }) {
    const { endTimestamp } = today(clock.nowMs());
    const list = sessionsOfSubscription(found.id, { startTimestamp: 0, endTimestamp, ...query });
    return showPage(store, list, query, toPaymentSession);
  },
});

export const subscriptionRoutes: readonly Route[] = [
  createSubscriptionRoute,
  listSubscriptionsRoute,
  getSubscriptionRoute,
  updateSubscriptionRoute,
  pauseSubscriptionRoute,
  resumeSubscriptionRoute,
  ...cancelSubscriptionRoutes,
  listSubscriptionSessionsRoute,
];
