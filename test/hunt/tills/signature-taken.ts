import type { HuntOptions, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { openProvider } from './provider.ts';
import { openTerminal } from './terminal.ts';

/**
 * A till that lets a customer sign whose PIN was wrong, as terminals once did, and books the payment: the bank has declined it.
 * The right one asks for another card.
 */
export function signatureTaken(isRight: boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    async prepare(world) {
      await world.openTill({ cardholder: { script: 'contact-pin', delayMs: 1_000 } });
    },
    async scenario(scene) {
      const order: ShopOrder = { orderId: 'order-1', paid: false, amount: 1742 };
      orders = [order];
      const terminal = openTerminal(scene);
      const sessionId = await terminal.start(order);
      await terminal.ended(sessionId);
      const { status, lastError } = await openProvider(scene).read(`/payment-sessions/${sessionId}`);
      // Defect: a signature is no approval.
      order.paid = status === 'Captured' || (!isRight && lastError === 'security_violation');
    },
    shop: () => ({ orders }),
  };
}
