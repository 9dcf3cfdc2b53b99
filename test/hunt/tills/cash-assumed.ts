import type { HuntOptions, ShopOrder } from '../../../testing/hunt/hunt.ts';
import { openTerminal } from './terminal.ts';

const ATTEMPTS = ['1', '2', '3'];

/**
 * A till that asks for a card three times and then closes the order as paid in cash. The customer may have left. The right
 * one leaves it open.
 */
export function cashAssumed(isRight: boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    async prepare(world) {
      await world.openTill({ cardholder: { script: 'tap', delayMs: 1_000 } });
    },
    async scenario(scene) {
      const order: ShopOrder = { orderId: 'order-1', paid: false, amount: 1742 };
      orders = [order];
      const terminal = openTerminal(scene);
      for (const attempt of ATTEMPTS) {
        const { status, error } = await terminal.ended(await terminal.start({ ...order, attempt }));
        order.paid = status === 'Succeeded';
        if (error?.code !== 'timeout') return;
      }
      // Defect: nobody has counted the cash.
      order.paid ||= !isRight;
    },
    shop: () => ({ orders }),
  };
}
