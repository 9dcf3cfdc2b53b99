import type { Provider } from '../../../cli/drills/provider.ts';
import type { Json } from '../../../cli/drills/stage.ts';
import type { HuntScene } from '../../../testing/hunt/hunt.ts';

/** A test card that is approved. */
const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2035', cvc: '123' };

/** One whose issuer asks the cardholder. */
export const CHALLENGED_CARD = { ...CARD, number: '4918190000000002' };

/** What an online payment needs besides its amount. */
export const SESSION = {
  currency: 'GBP',
  customerEmail: 'ana@corner.example',
  returnUrl: 'https://shop.example/',
};

/** Creates a payment session. One that is created twice is no harm: only one of them is attempted. */
export function createSession({ untilDone }: Provider, body: object): Promise<Json> {
  return untilDone({ method: 'POST', path: '/payment-sessions', body }, async () => undefined);
}

/** Attempts the payment of a session, unless it was attempted: a session is paid once. */
export async function attemptPayment(
  { read, untilDone }: Provider,
  { id, clientSecret }: Json,
  cardDetails = CARD,
): Promise<Json> {
  const find = async () => {
    const session = await read(`/payment-sessions/${id}`);
    return session.status === 'PendingPayment' ? undefined : session;
  };
  const call = {
    method: 'POST',
    path: '/payment-sessions/attempt-payment',
    body: { clientSecret, cardDetails },
  } as const;
  return (await find()) ?? untilDone(call, find);
}

/** Attempts the payment of a session in the browser of the customer, which is not the process of the shop. */
export async function payAsCustomer({ world }: HuntScene, clientSecret: string): Promise<void> {
  const attempt = { clientSecret, cardDetails: CARD };
  await world.api.post('/v1/payment-sessions/attempt-payment', attempt).catch(() => undefined);
}

/** Subscribes a customer, once: it is the only subscription of its shop. */
export function subscribe({ read, untilDone }: Provider, customerId: string, price: object): Promise<Json> {
  const body = { customer: { id: customerId }, price };
  return untilDone(
    { method: 'POST', path: '/subscriptions', body },
    async () => (await read('/subscriptions')).items[0],
  );
}
