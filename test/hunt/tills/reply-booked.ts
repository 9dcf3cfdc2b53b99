import type { HuntOptions, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { attemptPayment, createSession, SESSION } from './online-payment.ts';
import { openProvider } from './provider.ts';

/**
 * A shop that books a payment when its request succeeds: so does that of a payment which the bank declines. The right one
 * looks at the status.
 */
export function replyBooked(isRight: boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    async scenario(scene) {
      const order: ShopOrder = { orderId: 'order-1', paid: false, amount: 1742 };
      orders = [order];
      const provider = openProvider(scene);
      const body = { ...SESSION, amount: order.amount, metadata: { orderId: order.orderId } };
      const { status } = await attemptPayment(provider, await createSession(provider, body));
      // Defect: a reply is no money.
      order.paid = !isRight || status === 'Captured';
    },
    shop: () => ({ orders }),
  };
}
