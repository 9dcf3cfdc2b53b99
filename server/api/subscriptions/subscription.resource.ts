import { readPage } from '../../platform/http/paging.ts';
import { Page } from '../../platform/http/paging.schema.ts';
import { Refusal, type RefusalName } from '../../platform/http/refusals.ts';
import { route, type FindCall, type Route } from '../../platform/http/route.ts';
import { today } from '../../platform/http/time-window.ts';
import { showSession, type PaymentSessionRow } from '../payments/payment-session.records.ts';
import { PaymentSession } from '../payments/payment-session.schema.ts';
import type { Services } from '../../platform/services.ts';
import type { Queries, Transaction } from '../../platform/store/store.ts';
import { createSubscription, updateSubscription } from './subscription-changes.ts';
import { applySubscriptionEvent } from './subscription-conductor.ts';
import type { SubscriptionEvent } from './subscription.machine.ts';
import {
  findSubscription,
  sessionsOfSubscription,
  sessionsShown,
  showSubscription,
  subscriptionList,
  type SubscriptionChange,
  type SubscriptionRow,
} from './subscription.records.ts';
import { refusePastResume } from './subscription.rules.ts';
import {
  Subscription,
  SubscriptionCancel,
  SubscriptionCreate,
  SubscriptionPause,
  SubscriptionUpdate,
  WindowedPage,
} from './subscription.schema.ts';

const TERMS = ['currency_disabled', 'amount_out_of_range', 'in_past', 'not_found'] as const;

const common = { tag: 'Subscription', section: 'Spec §4.8', accountHeader: true };

const find = ({ services: { store }, caller, params }: FindCall<'subscriptionId'>) =>
  findSubscription(store, caller.accountId, params.subscriptionId);

async function shown(queries: Queries, rows: SubscriptionRow[]): Promise<Subscription[]> {
  const sessions = await sessionsShown(queries, rows);
  return rows.map((row) => showSubscription(row, sessions));
}

/** Changes one as it stands inside the transaction, not as it was found, and shows what has become of it. */
async function changed(
  { store }: Services,
  found: SubscriptionRow,
  change: (tx: Transaction, row: SubscriptionRow) => Promise<SubscriptionRow>,
): Promise<Subscription> {
  const row = await store.transaction(async (tx) => {
    const current = await findSubscription(tx, found.account_id, found.id);
    return change(tx, current!);
  });
  return (await shown(store, [row]))[0]!;
}

/** Applies an event; refuses when it changes nothing where the subscription is. */
function reported(
  services: Services,
  found: SubscriptionRow,
  event: SubscriptionEvent['type'] & `${'pause' | 'resume' | 'subscription'}.${string}`,
  otherwise: RefusalName,
  noted: SubscriptionChange = {},
): Promise<Subscription> {
  return changed(services, found, async (tx, row) => {
    const after = await applySubscriptionEvent(tx, services, { ...row, ...noted }, { type: event });
    if (!after) throw new Refusal(otherwise, { status: row.status });
    return after;
  });
}

const createSubscriptionRoute = route({
  ...common,
  operation: 'POST /subscriptions',
  summary: 'Create a subscription; with a stored payment method it is billed at once, or when it begins',
  body: SubscriptionCreate,
  reply: Subscription,
  refusals: TERMS,
  async handle({ services, caller, body }) {
    const row = await services.store.transaction((tx) =>
      createSubscription(tx, services, caller.accountId, body),
    );
    return (await shown(services.store, [row]))[0]!;
  },
});

const listSubscriptionsRoute = route({
  ...common,
  operation: 'GET /subscriptions',
  summary: 'List subscriptions, those created today unless asked',
  query: WindowedPage,
  reply: Page(Subscription),
  refusals: ['unknown_token', 'window_backwards'],
  async handle({ services: { clock, store }, caller, query }) {
    const list = subscriptionList(caller.accountId, { ...today(clock.nowMs()), ...query });
    const { rows, paginationToken } = await readPage<SubscriptionRow>(store, list, query);
    return { items: await shown(store, rows), paginationToken };
  },
});

const getSubscriptionRoute = route({
  ...common,
  operation: 'GET /subscriptions/{subscriptionId}',
  summary: 'Fetch a subscription',
  reply: Subscription,
  find,
  handle: async ({ services: { store }, found }) => (await shown(store, [found]))[0]!,
});

const updateSubscriptionRoute = route({
  ...common,
  operation: 'PATCH /subscriptions/{subscriptionId}',
  summary: 'Change a subscription; a new price is that of the next cycle',
  body: SubscriptionUpdate,
  reply: Subscription,
  refusals: [...TERMS, 'too_few_cycles', 'subscription_over'],
  find,
  handle: ({ services, found, body }) =>
    changed(services, found, (tx, row) => updateSubscription(tx, services, row, body)),
});

const pauseSubscriptionRoute = route({
  ...common,
  operation: 'PATCH /subscriptions/{subscriptionId}/pause',
  summary: 'Schedule a pause for the next billing moment, edit one, or take it back',
  body: SubscriptionPause,
  reply: Subscription,
  refusals: ['not_in_future', 'pause_refused', 'no_pause_scheduled'],
  find,
  async handle({ services, found, body }) {
    if (body.unschedule) return reported(services, found, 'pause.unscheduled', 'no_pause_scheduled');
    const resumeAt = body.resumeAtTimestamp ?? body.resumeTimestamp;
    refusePastResume(resumeAt, services.clock.nowMs());
    return reported(services, found, 'pause.requested', 'pause_refused', {
      ...(body.reason !== undefined && { pause_reason: body.reason }),
      ...(resumeAt !== undefined && { resume_ms: resumeAt * 1000 }),
    });
  },
});

const resumeSubscriptionRoute = route({
  ...common,
  operation: 'PATCH /subscriptions/{subscriptionId}/resume',
  summary: 'End a pause; the cycle that it held back is billed at once',
  reply: Subscription,
  refusals: ['not_paused'],
  find,
  handle: ({ services, found }) => reported(services, found, 'resume.requested', 'not_paused'),
});

// Client libraries disagree about the path (docs/choices.md, Subscriptions).
const cancelSubscriptionRoutes = (
  ['/subscriptions/{subscriptionId}/cancel', '/subscriptions/{subscriptionId}'] as const
).map((path) =>
  route({
    ...common,
    operation: `DELETE ${path}`,
    summary: 'Cancel a subscription at once and for good',
    body: SubscriptionCancel,
    reply: Subscription,
    refusals: ['subscription_over'],
    find,
    handle: ({ services, found, body }) =>
      reported(services, found, 'subscription.cancelled', 'subscription_over', {
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
    const { rows, paginationToken } = await readPage<PaymentSessionRow>(store, list, query);
    return { items: rows.map(showSession), paginationToken };
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
