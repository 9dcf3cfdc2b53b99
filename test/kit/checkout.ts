import { numberWith, ONLINE_DECLINES, PLAIN_NUMBER } from '../../protocol/test-cards.ts';
import type { Answer, Api } from '../../testing/world/api.ts';
import type { World } from '../../testing/world/world.ts';

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

/** Numbers of test cards by issuer behaviour. */
export const CARDS = {
  frictionless: numberWith('frictionless'),
  identify: numberWith('identify'),
  identifyThenChallenge: numberWith('identifyThenChallenge'),
  challenge: numberWith('challenge'),
  declining: ONLINE_DECLINES[0]!.number,
  plain: PLAIN_NUMBER,
} as const;

export function card(number: string = CARDS.plain, change: object = {}) {
  return {
    number,
    expiryMonth: '12',
    expiryYear: '2030',
    cvc: number.startsWith('3') ? '1234' : '123',
    ...change,
  };
}

/** An attempt that stores its card for later payments, as the first payment of a series must. */
export const STORE = { paymentMethodOptions: { store: true } };

/** API calls of an online shop: its server creates payment sessions, its customers' browsers pay them. */
export interface Checkout {
  create(change?: object): Promise<Answer>;
  /** Creates a session and returns it. Throws unless the status is 200. */
  session(change?: object): Promise<Json>;
  update(session: Json, change: object): Promise<Answer>;
  attempt(session: Json, change?: object): Promise<Answer>;
  /** Pays a session with a card and returns it. */
  pay(session: Json, number?: string, change?: object): Promise<Json>;
  goOn(session: Json, threeDs: object): Promise<Answer>;
  /** Creates and pays a session with manual capture. */
  approved(change?: object): Promise<Json>;
  /** Creates and pays a session. `attempt` is more of the attempt than the card. */
  captured(change?: object, attempt?: object): Promise<Json>;
  read(session: Json): Promise<Json>;
  move(session: Json, what: 'captures' | 'voids' | 'refunds', body?: object): Promise<Answer>;
  transactions(session: Json): Promise<Json[]>;
}

export function encoded(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64');
}

/** Creates a checkout. `front` makes the calls of the browser; the same client by default. */
export function openCheckout(api: Api, front: Api = api): Checkout {
  const checkout: Checkout = {
    create: (change = {}) =>
      api.post('/v1/payment-sessions', {
        amount: 1250,
        currency: 'GBP',
        customerEmail: 'sam@example.com',
        ...change,
      }),
    session: async (change) => good(await checkout.create(change)),
    update: (session, change) => api.patch(`/v1/payment-sessions/${session.id}`, change),
    attempt: (session, change = { cardDetails: card() }) =>
      front.post('/v1/payment-sessions/attempt-payment', { clientSecret: session.clientSecret, ...change }),
    pay: async (session, number, change) =>
      good(await checkout.attempt(session, { cardDetails: card(number), ...change })),
    goOn: (session, threeDs) =>
      front.post('/v1/payment-sessions/continue-payment', { clientSecret: session.clientSecret, threeDs }),
    approved: async (change) => checkout.pay(await checkout.session({ captureFlow: 'Manual', ...change })),
    captured: async (change, attempt) => checkout.pay(await checkout.session(change), undefined, attempt),
    read: async (session) => good(await api.get(`/v1/payment-sessions/${session.id}`)),
    move: (session, what, body) => api.post(`/v1/payment-sessions/${session.id}/${what}`, body),
    transactions: async (session) => {
      const path = `/v1/payment-sessions/${session.id}/transactions?ascending=true&limit=50`;
      return good(await api.get(path)).items;
    },
  };
  return checkout;
}

function good({ status, body }: Answer): Json {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

/** Event types of payments. */
export const PAYMENT_EVENTS = [
  'PaymentSession.approved',
  'PaymentSession.captured',
  'PaymentSession.capture_failed',
  'PaymentSession.declined',
  'PaymentSession.refunded',
  'PaymentSession.refund_failed',
  'PaymentSession.requires_action',
  'PaymentSession.void_failed',
  'PaymentSession.voided',
] as const;

/**
 * Registers a webhook for payment events. Returns a function with the received types, without their common prefix.
 */
export async function listenForPayments(world: World): Promise<() => string[]> {
  const receiver = await world.listen('shop', [...PAYMENT_EVENTS]);
  return () => receiver.types().map((type) => type.replace('PaymentSession.', ''));
}
