import type { Json } from '../../../cli/drills/stage.ts';
import type { HuntOptions, HuntScene, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, CHALLENGED_CARD, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';

/** How long the shop waits for a customer whose bank asks them. */
const PATIENCE_MS = 10 * 60_000;

/** A shop whose customer pays with a card that is challenged. `isPaid` says what it books ten minutes later. */
function challengedShop(isPaid: (session: Json) => boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    async scenario(scene) {
      const order: ShopOrder = { orderId: 'order-1', paid: false, amount: 1742 };
      orders = [order];
      const provider = openProvider(scene);
      const body = { ...SESSION, amount: order.amount, metadata: { orderId: order.orderId } };
      const { id, status } = await attemptPayment(
        provider,
        await createSession(provider, body),
        CHALLENGED_CARD,
      );
      if (status === 'PendingAction') await approveAsCustomer(scene, id);
      await scene.sleep(PATIENCE_MS);
      order.paid = isPaid(await provider.read(`/payment-sessions/${id}`));
    },
    shop: () => ({ orders }),
  };
}

/** Approves a payment as its cardholder, on the page of the issuer: what becomes of that request is not seen by the shop. */
export async function approveAsCustomer({ world }: HuntScene, id: string): Promise<void> {
  const approval = { outcome: 'Authenticated' };
  await world.api.post(`/sandbox/payment-sessions/${id}/authentication`, approval).catch(() => undefined);
}

/**
 * A shop that takes a payment for paid unless it was declined: that of a customer who has left the page of the issuer waits. The
 * right one waits for the money.
 */
export const undeclinedBooked = (isRight: boolean): HuntOptions =>
  challengedShop(({ status }) => (isRight ? status === 'Captured' : status !== 'PendingPayment'));

/**
 * A shop that takes a failed authentication for one that only leaves the risk with the shop: the payment was declined. The right
 * one waits for the money.
 */
export const unauthenticatedBooked = (isRight: boolean): HuntOptions =>
  challengedShop(
    ({ status, lastError }) =>
      status === 'Captured' || (!isRight && lastError === '3ds_authentication_failure'),
  );
