import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { openProvider } from './provider.ts';
import { openTerminal, type TillOrder } from './terminal.ts';

/**
 * A till that asks for the result of a payment until a request fails, and then shows an error: the order stays open, and
 * the money was taken (odoo/odoo#286930). The right one keeps asking, also after its process was started again.
 */
export function resultLost(isRight: boolean): HuntOptions {
  /** What survives a restart of the till, as on a disk. */
  let orders: TillOrder[] = [];
  return {
    async prepare(world) {
      await world.openTill({ cardholder: { script: 'tap', delayMs: 1_000 } });
    },
    async scenario(scene) {
      orders = [{ orderId: 'order-1', paid: false, amount: 1742 }];
      const order = orders[0]!;
      scene.restart((again) => (isRight ? sell(again, order, isRight) : undefined));
      await sell(scene, order, isRight);
    },
    shop: () => ({ orders }),
  };
}

async function sell(scene: HuntScene, order: TillOrder, isRight: boolean): Promise<void> {
  const terminal = openTerminal(scene);
  const sessionId = await terminal.start(order);
  const ask = isRight
    ? terminal.isCaptured
    : // Defect: a request that fails ends it.
      async (id: string) => {
        const call = { method: 'GET', path: `/payment-sessions/${id}`, timeoutMs: 10_000 } as const;
        return (await openProvider(scene).once(call)).status === 'Captured';
      };
  for (let asked = 0; asked < 60 && !order.paid; asked += 1) {
    order.paid = await ask(sessionId);
    await scene.sleep(15_000);
  }
}
