import type { HuntOptions, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';
import { isSigned } from './signed-event.ts';

/** How long a shop waits for the event of a payment before it asks. */
const PATIENCE_MS = 600_000;

/**
 * A shop that hears of payments by events alone: when its endpoint is away until the last attempt, the order stays open. The
 * right one asks for the payment when it has heard nothing for ten minutes.
 */
export function waitsForEvents(isRight: boolean): HuntOptions {
  let secret = '';
  let orders: ShopOrder[] = [];
  return {
    async prepare(world) {
      secret = (await world.listen('shop', ['PaymentSession.captured'])).secret;
    },
    async scenario(scene) {
      const order: ShopOrder = { orderId: 'order-1', paid: false, amount: 1742 };
      orders = [order];
      scene.world.receiver('shop').behaviour = (delivery) => {
        if (!isSigned(delivery, secret)) return 400;
        order.paid = true;
        return 200;
      };
      const provider = openProvider(scene);
      const body = { ...SESSION, amount: order.amount, metadata: { orderId: order.orderId } };
      const { id } = await attemptPayment(provider, await createSession(provider, body));
      // Defect: no event, no payment.
      if (!isRight) return;
      while (!order.paid) {
        await scene.sleep(PATIENCE_MS);
        const { status } = await provider.read(`/payment-sessions/${id}`);
        if (status === 'PendingPayment') return; // declined
        order.paid ||= status === 'Captured';
      }
    },
    shop: () => ({ orders }),
  };
}
