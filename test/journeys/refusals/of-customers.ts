import { PRICE, type Provocations, type Scene } from './scene.ts';

const subscribing = async ({ api, customer }: Scene, more: object) =>
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
  async pause_refused(scene) {
    const { body } = await subscribing(scene, {});
    return scene.api.patch(`/v1/subscriptions/${body.id}/pause`);
  },
  async no_pause_scheduled({ api, subscription }) {
    return api.patch(`/v1/subscriptions/${(await subscription()).id}/pause`, { unschedule: true });
  },
  not_paused: async ({ api, subscription }) =>
    api.patch(`/v1/subscriptions/${(await subscription()).id}/resume`),
  async not_in_future({ api, subscription }) {
    return api.patch(`/v1/subscriptions/${(await subscription()).id}/pause`, { resumeAtTimestamp: 1 });
  },
  in_past: (scene) => subscribing(scene, { billingCycleTimestamp: 1 }),
  async not_owed(scene) {
    const { body } = await subscribing(scene, {});
    await scene.api.delete(`/v1/subscriptions/${body.id}/cancel`);
    return scene.shop.attempt(body.paymentSessions.initial);
  },
  async too_few_cycles({ api, subscription }) {
    const price = { interval: { ...PRICE.interval, times: 1 } };
    return api.patch(`/v1/subscriptions/${(await subscription()).id}`, { price });
  },
} as const satisfies Provocations;
