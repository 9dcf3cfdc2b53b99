import type { HuntOptions, HuntScene } from '../../../testing/hunt/hunt.ts';
import { isUncertain, Refused } from '../../../cli/drills/provider.ts';
import { openProvider } from './provider.ts';
import { openTerminal, paymentCall, type TillOrder } from './terminal.ts';

/**
 * A till that starts the payment again when it hears nothing of the first one (odoo/odoo#150102: a customer was charged
 * three times). The right one looks for a payment with the order in its metadata before it sends another, also after its
 * process was started again.
 */
export function chargedAgain(isRight: boolean): HuntOptions {
  /** What survives a restart of the till, as on a disk. */
  let orders: TillOrder[] = [];
  return {
    async prepare(world) {
      await world.openTill({ cardholder: { script: 'tap', delayMs: 1_000 } });
    },
    async scenario(scene) {
      orders = [{ orderId: 'order-1', paid: false, amount: 1742 }];
      if (isRight) scene.restart((again) => sell(again, orders[0]!, isRight));
      await sell(scene, orders[0]!, isRight);
    },
    shop: () => ({ orders }),
  };
}

async function sell(scene: HuntScene, order: TillOrder, isRight: boolean): Promise<void> {
  const terminal = openTerminal(scene);
  const sessionId = await (isRight ? terminal.start(order) : startUntilAnswered(scene, order));
  for (let asked = 0; asked < 60 && !order.paid; asked += 1) {
    order.paid = await terminal.isCaptured(sessionId);
    await scene.sleep(15_000);
  }
}

/** Defect: whatever goes wrong, it sends the payment again. */
async function startUntilAnswered(scene: HuntScene, order: TillOrder): Promise<string> {
  for (;;) {
    try {
      const { action } = await openProvider(scene).once({ ...paymentCall(scene, order), timeoutMs: 10_000 });
      return action.transaction.paymentSessionId;
    } catch (thrown) {
      const isBusy = thrown instanceof Refused && thrown.status === 409;
      if (!isBusy && !isUncertain(thrown)) throw thrown;
      await scene.sleep(1_000);
    }
  }
}
