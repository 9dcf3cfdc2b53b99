import type { HuntOptions, HuntScene, ShopOrder } from '../../kit/hunt/hunt.ts';
import { openTerminal } from './terminal.ts';

/**
 * A till that starts the payment again when it hears nothing of the first one (odoo/odoo#150102: a customer was charged
 * three times). The right one sends the same idempotency key each time.
 */
export function chargedAgain(isRight: boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    async prepare(world) {
      await world.openTill({ cardholder: { script: 'tap', delayMs: 1_000 } });
    },
    async scenario(scene) {
      orders = [{ orderId: 'order-1', paid: false, amount: 1742 }];
      await sell(scene, orders[0]!, isRight);
    },
    shop: () => ({ orders }),
  };
}

async function sell(scene: HuntScene, order: ShopOrder, isRight: boolean): Promise<void> {
  const terminal = openTerminal(scene);
  const sessionId = await terminal.start(order, isRight ? order.orderId : undefined);
  for (let asked = 0; asked < 60 && !order.paid; asked += 1) {
    order.paid = await terminal.isCaptured(sessionId);
    await scene.sleep(15_000);
  }
}
