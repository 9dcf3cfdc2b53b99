import { PRICE, type RefusalCases, type RefusalContext } from './refusal-context.ts';

const subscribing = async ({ api, customer }: RefusalContext, more: object) =>
  api.post('/v1/subscriptions', { customer: { id: (await customer()).id }, price: PRICE, ...more });

/** What is refused of customers, their payment methods and their subscriptions. */
export const OF_CUSTOMERS = {
  customer_email_used: async ({ api, customer }) =>
    api.post('/v1/customers', { email: (await customer()).email.toUpperCase() }),
  async customer_subscribed({ api, subscription }) {
    return api.delete(`/v1/customers/${(await subscription()).customer.id}`);
  },
  async method_single_use({ api, shop }) {
    const { paymentMethod } = await shop.captured();
    return api.delete(`/v1/payment-methods/${paymentMethod.tokenizedDetails.id}`);
  },
  async subscription_over({ api, subscription }) {
    const path = `/v1/subscriptions/${(await subscription()).id}`;
    await api.delete(`${path}/cancel`);
    return api.patch(path, { description: 'late' });
  },
  async pause_refused(context) {
    const { body } = await subscribing(context, {});
    return context.api.patch(`/v1/subscriptions/${body.id}/pause`);
  },
  async no_pause_scheduled({ api, subscription }) {
    return api.patch(`/v1/subscriptions/${(await subscription()).id}/pause`, { unschedule: true });
  },
  not_paused: async ({ api, subscription }) =>
    api.patch(`/v1/subscriptions/${(await subscription()).id}/resume`),
  async not_in_future({ api, subscription }) {
    return api.patch(`/v1/subscriptions/${(await subscription()).id}/pause`, { resumeAtTimestamp: 1 });
  },
  in_past: (context) => subscribing(context, { billingCycleTimestamp: 1 }),
  async not_owed(context) {
    const { body } = await subscribing(context, {});
    await context.api.delete(`/v1/subscriptions/${body.id}/cancel`);
    return context.shop.attempt(body.paymentSessions.initial);
  },
  async too_few_cycles({ api, subscription }) {
    const price = { interval: { ...PRICE.interval, times: 1 } };
    return api.patch(`/v1/subscriptions/${(await subscription()).id}`, { price });
  },
} as const satisfies RefusalCases;
