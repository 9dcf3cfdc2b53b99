import type { HuntOptions, HuntScene, ShopOrder } from '../../kit/hunt/hunt.ts';
import { openTerminal } from './terminal.ts';

/** When the first customer changes their mind; the card would be presented later. */
const CHANGE_OF_MIND_MS = 8_000;

/**
 * Two tills with one terminal. The first sends its cancel until it is answered, whatever runs at the terminal by then:
 * that may be the payment of the other till (odoo/odoo#288874). In the right shop the cancel has an idempotency key, so
 * one that arrives late does nothing, and the terminal is the first till's until it knows its result.
 */
export function wrongPaymentCancelled(isRight: boolean): HuntOptions {
  let orders: ShopOrder[] = [];
  return {
    async prepare(world) {
      await world.openTill({ cardholder: { script: 'tap', delayMs: 12_000 } });
    },
    async scenario(scene) {
      orders = ['order-1', 'order-2'].map((orderId) => ({
        orderId,
        paid: false,
        cancelled: false,
        amount: 1742,
      }));
      const sell = (again: HuntScene) => sellBoth(again, orders, isRight);
      scene.restart(sell);
      await sell(scene);
    },
    shop: () => ({ orders }),
  };
}

async function sellBoth(scene: HuntScene, orders: ShopOrder[], isRight: boolean): Promise<void> {
  const terminal = openTerminal(scene);
  const [first, second] = orders as [ShopOrder, ShopOrder];
  const firstId = await terminal.start(first, first.orderId);
  const ending = cancelFirst();
  // Defect: the terminal is free, and the cancel may still be on its way.
  await (isRight ? ending : terminal.isFree());
  const secondId = await terminal.start(second, second.orderId);
  await Promise.all([ending, settle(second, secondId)]);

  async function cancelFirst(): Promise<void> {
    await scene.sleep(CHANGE_OF_MIND_MS);
    first.cancelled = true;
    // Defect: without a key, each cancel that arrives cancels something.
    await terminal.cancel(isRight ? `${first.orderId}-cancel` : undefined);
    await settle(first, firstId);
  }

  async function settle(order: ShopOrder, sessionId: string): Promise<void> {
    await terminal.hasEnded(sessionId);
    order.paid = await terminal.isCaptured(sessionId);
  }
}
